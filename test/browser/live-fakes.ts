/** A service whose stream a test writes itself; all else is of the real one behind it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LiveDeltaValue, LiveItemValue, LiveSnapshotValue } from "#api/live.ts";
import { Loopback } from "./loopback.ts";

export type Refusal = { status: number; retry_after_s?: number; message?: string };

/** One stream as the page opened it. */
export type FakeStream = {
  bbox: [west: number, south: number, east: number, north: number];
  query: URLSearchParams;
  last_id: string | undefined;
  authorization: string | undefined;
  isOpen(): boolean;
  send(type: string, body: object, id?: string): void;
  /** Breaks it, without a word. */
  cut(): void;
};

export class FakeLive extends Loopback {
  /** Every stream that was opened, and what was refused. */
  readonly streams: FakeStream[] = [];
  refused = 0;
  tiles = 0;
  /** Bytes of a tile by its path, without the query. */
  tile: (path: string) => Uint8Array = () => new Uint8Array();
  /** Of a stream that is opened now; null: it is opened. */
  refusal: Refusal | null = null;
  readonly #opened: (stream: FakeStream) => void;

  /** `opened`: writes the first events of a stream. */
  constructor(behind: string, opened: (stream: FakeStream) => void) {
    super(behind);
    this.#opened = opened;
  }

  open(): FakeStream[] {
    return this.streams.filter((stream) => stream.isOpen());
  }

  protected answer(incoming: IncomingMessage, reply: ServerResponse): void {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", this.url);
    if (pathname === "/v1/nearby/stream") {
      this.#stream(incoming, reply, searchParams);
      return;
    }
    if (pathname.startsWith("/v1/tiles/")) {
      this.tiles += 1;
      reply.writeHead(200, {
        "content-type": "application/vnd.mapbox-vector-tile",
        "cache-control": "public, max-age=30",
      });
      reply.end(this.tile(pathname));
      return;
    }
    this.forward(incoming, reply);
  }

  #stream(incoming: IncomingMessage, reply: ServerResponse, query: URLSearchParams): void {
    if (this.refusal !== null) {
      const { status, retry_after_s, message = "none" } = this.refusal;
      this.refused += 1;
      const after = retry_after_s === undefined ? {} : { "retry-after": String(retry_after_s) };
      reply.writeHead(status, { "content-type": "application/json", ...after });
      reply.end(JSON.stringify({ error: { code: "overloaded", message } }));
      return;
    }
    reply.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    reply.write("retry: 2000\n\n");
    let isOpen = true;
    reply.on("close", () => (isOpen = false));
    const stream: FakeStream = {
      bbox: query.get("bbox")!.split(",").map(Number) as FakeStream["bbox"],
      query,
      last_id: incoming.headers["last-event-id"] as string | undefined,
      authorization: incoming.headers.authorization,
      isOpen: () => isOpen,
      send: (type, body, id) => {
        const line = id === undefined ? "" : `id: ${id}\n`;
        reply.write(`event: ${type}\n${line}data: ${JSON.stringify(body)}\n\n`);
      },
      cut: () => reply.destroy(),
    };
    this.streams.push(stream);
    this.#opened(stream);
  }
}

/** The same as a stream would say it first. */
export function toSnapshot(
  items: readonly LiveItemValue[],
  { now_ms, age_s = 5 }: { now_ms: number; age_s?: number },
): LiveSnapshotValue {
  const as_of = new Date(now_ms - age_s * 1000).toISOString();
  const network = { id: "live-test", name: "Live Test" };
  return {
    at: new Date(now_ms).toISOString(),
    bbox: [0, 0, 0, 0],
    items: [...items],
    sources: [{ source_id: "gbfs:live-test", network, color: "#0b6b67", state: "fresh", as_of }],
  };
}

export function toDelta(now_ms: number, some: Partial<LiveDeltaValue>): LiveDeltaValue {
  return { at: new Date(now_ms).toISOString(), entered: [], changed: [], left: [], ...some };
}

export function scooter(id: string, lat: number, lon: number): LiveItemValue {
  return {
    ...{ id, kind: "vehicle", location: { lat, lon }, modes: ["scooter"] },
    ...{ network_id: "live-test", state: "operational", pickup: "available_now" },
    ...{ battery: 70, form_factor: "scooter_standing" },
  };
}
