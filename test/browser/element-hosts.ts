/** Two origins for the tests of the element: a page of a stranger, and a server that streams what a test says. */
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { LiveItemValue, LiveSnapshotValue } from "#api/live.ts";
import { ALLOW_REQUEST_HEADERS } from "#http/reply-headers.ts";

export type Host = { url: string; close(): Promise<void> };

const ROOT = new URL("../../", import.meta.url);
const LIBRARY = new URL("node_modules/maplibre-gl/dist/", ROOT);

/** A document that has the element in a page of text, so that a shift is seen. */
export const toPage = (element: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page of others</title>
<link rel="stylesheet" href="/page.css"><script type="module" src="/vicinity-map.js"></script></head>
<body><main><h1>How to get here</h1>${element}<p id="after">What follows the map.</p></main></body></html>`;

/** `documents` by path; `policy` as docs/embed.md says it, of each but the examples, whose styles are inline. */
export async function openPages(documents: Map<string, string>, policy: string): Promise<Host> {
  return await listen(async (request, response) => {
    const path = request.url as string;
    const text = documents.get(path);
    const js = path.endsWith(".js") || path.endsWith(".mjs");
    response.setHeader("content-type", js ? "text/javascript" : "text/html; charset=utf-8");
    if (text !== undefined) {
      if (!path.startsWith("/examples/")) response.setHeader("content-security-policy", policy);
      response.end(text);
    } else if (path === "/page.css") {
      response.setHeader("content-type", "text/css");
      response.end("vicinity-map { display: block; height: 20rem }");
    } else if (path === "/vicinity-map.js" || path === "/examples/events.js") {
      response.end(await readFile(new URL(`packages/map-element${path}`, ROOT)));
    } else response.writeHead(204).end();
  });
}

export type Call = { headers: IncomingMessage["headers"]; query: URLSearchParams };

/** As the service says it, as far as the element reads it. */
export class FakeServer {
  readonly calls: Call[] = [];
  /** Connections that are open. */
  readonly open = new Set<ServerResponse>();
  /** What a stream is refused with; null: it is not. */
  refusal: { status: number; code: string; message: string } | null = null;
  snapshot: LiveSnapshotValue;
  #ids = 0;

  constructor(items: readonly LiveItemValue[]) {
    this.snapshot = {
      ...{ at: "2026-11-28T09:30:40Z", bbox: [0, 0, 1, 1], items: [...items] },
      sources: [
        {
          source_id: "gbfs:metro",
          network: { id: "metro", name: "Metro Bikes" },
          ...{ color: null, state: "fresh", as_of: "2026-11-28T09:30:00Z" },
        },
      ],
    };
  }

  readonly answer: RequestListener = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, "http://server");
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("cross-origin-resource-policy", "same-origin");
    if (request.method === "OPTIONS") {
      response.setHeader("access-control-allow-headers", ALLOW_REQUEST_HEADERS);
      response.writeHead(204).end();
    } else if (pathname === "/v1/nearby/stream") this.#stream(request, response, searchParams);
    else if (pathname === "/")
      response.end('<html data-map="/assets/0a1b/maplibre-gl/maplibre-gl.mjs">');
    else if (pathname.startsWith("/assets/")) {
      response.setHeader("content-type", "text/javascript");
      response.end(await readFile(new URL(pathname.split("/").at(-1)!, LIBRARY)));
    } else if (pathname === "/tiles/index.json") response.end('{"tiles":[]}');
    else response.end();
  };

  #stream({ headers }: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    this.calls.push({ headers, query });
    if (this.refusal !== null) {
      const { status, ...error } = this.refusal;
      response.writeHead(status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    this.open.add(response);
    response.on("close", () => this.open.delete(response));
    response.write("retry: 50\n\n");
    if (headers["last-event-id"] === undefined) this.send("snapshot", this.snapshot);
  }

  /** To all that are connected, in two pieces, as networks do it. */
  send(event: string, data: object): void {
    const text = `event: ${event}\nid: a.b.${++this.#ids}\ndata: ${JSON.stringify(data)}\n\n: \n\n`;
    for (const response of this.open) {
      response.write(text.slice(0, 40));
      response.write(text.slice(40));
    }
  }
}

export async function listen(answer: RequestListener, port = 0): Promise<Host> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
