/** Entry of a child process: publishes the hostile feeds, so that making them takes no time of the trial. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { documentOf, type FeedName, FEEDS, filesOf, makeDocument } from "./feeds.ts";

/** `rows`: of the feeds that consist of as many as are admitted. */
const rows = Number(process.argv[2]);

if (process.send) serve();

function serve(): void {
  const server = createServer((request, response) => {
    const [, feed = "", file = ""] = /^\/(\w+)\/(\w+)\.json$/.exec(request.url ?? "") ?? [];
    const body = Object.hasOwn(FEEDS, feed) ? find(feed as FeedName, file) : null;
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
    response.end(body);
  });
  const find = (feed: FeedName, file: string): string | null => {
    if (file !== "gbfs") return makeDocument(feed, file, rows);
    const { port } = server.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}/${feed}`;
    const feeds = filesOf(feed).map((name) => ({ name, url: `${base}/${name}.json` }));
    return documentOf(`"en":{"feeds":${JSON.stringify(feeds)}}`);
  };
  server.listen(0, "127.0.0.1", () =>
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  process.on("disconnect", () => process.exit());
}
