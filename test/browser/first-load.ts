/** What goes over the wire for the first sight of a page, by a browser that has seen nothing before. */
import type { Browser } from "playwright-core";
import { SIZES } from "./support.ts";

export type FirstLoad = {
  /** Paths, in the order of the requests; those that the browser's own memory answers are not among them. */
  requests: string[];
  /** As they were sent, heads included. */
  bytes: number;
  /** The same by path. */
  parts: ReadonlyMap<string, number>;
};

/** Loads a page until its map has been drawn and rests; streams count with what they said until then. */
export async function loadFirst(
  browser: Browser,
  { url, size }: { url: string; size: keyof typeof SIZES },
): Promise<FirstLoad> {
  const context = await browser.newContext({ viewport: SIZES[size], locale: "en-GB" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const paths = new Map<string, string>();
  const sizes = new Map<string, number>();
  session.on("Network.responseReceived", ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    if (!response.fromDiskCache) paths.set(requestId, pathname);
  });
  // The whole as it ends, and until then what has come.
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, (sizes.get(requestId) ?? 0) + encodedDataLength),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, encodedDataLength),
  );
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName("vicinity-map").length > 0);
  await context.close();
  const parts = new Map<string, number>();
  for (const [id, path] of paths) parts.set(path, (parts.get(path) ?? 0) + (sizes.get(id) ?? 0));
  const bytes = [...parts.values()].reduce((a, b) => a + b, 0);
  return { requests: [...paths.values()], bytes, parts };
}
