/** The 404 of a browser: a small page with the way to what there is. Programs get the error body. */
import { type Exchange, type Incoming, sendRaw } from "../http-exchange.ts";
import { toPolicy } from "./page-policy.ts";

/** Whether a person looks at the answer: browsers name text/html when they open an address. */
export function wantsPage({ method, raw }: Incoming): boolean {
  return (
    (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(raw.headers.accept ?? "")
  );
}

export function sendNotFoundPage(exchange: Exchange): void {
  sendRaw(exchange, { status: 404, headers: [...HEADERS], body: PAGE });
}

const HEADERS: readonly string[] = [
  ...["content-type", "text/html; charset=utf-8", "cache-control", "no-store", "vary", "accept"],
  ...toPolicy("strict", []),
];

/** The address is not repeated: a link of a third party may have led here. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Vicinity: no such page</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
  </head>
  <body>
    <h1>There is no such page</h1>
    <p>Vicinity has:</p>
    <ul>
      <li><a href="/">the map</a>: what is near a point, right now</li>
      <li><a href="/docs">the API reference</a>, and <a href="/openapi.json">its description</a></li>
      <li><a href="/status">the state of the sources</a></li>
    </ul>
  </body>
</html>
`;
