/** A client of an event stream on a bare socket: it reads, pauses, halves and resets as a test wants. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type Event = { event: string; data: unknown; id: string | null };

export class EventSocket {
  readonly socket: Socket;
  #text = "";
  isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("utf8").on("data", (chunk: string) => (this.#text += chunk));
    socket.on("error", () => {}).once("close", () => (this.isClosed = true));
  }

  /** All that has been received. */
  get text(): string {
    return this.#text;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(this.#text)?.[1] ?? 0);
  }

  /** Header fields of the first answer, their names in lower case. */
  get headers(): Record<string, string> {
    const [head = ""] = this.#text.split("\r\n\r\n", 1);
    const lines = head.split("\r\n").slice(1);
    return Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
  }

  /** The body, without the marks of its chunks. */
  get body(): string {
    const at = this.#text.indexOf("\r\n\r\n");
    let rest = Buffer.from(at === -1 ? "" : this.#text.slice(at + 4));
    if (this.headers["transfer-encoding"] !== "chunked") return rest.toString();
    const parts: Buffer[] = [];
    for (;;) {
      const end = rest.indexOf("\r\n");
      const length = end === -1 ? 0 : Number.parseInt(rest.toString("latin1", 0, end), 16);
      if (length === 0 || rest.length < end + 2 + length) return Buffer.concat(parts).toString();
      parts.push(rest.subarray(end + 2, end + 2 + length));
      rest = rest.subarray(end + 4 + length);
    }
  }

  /** Whole events, without comments. */
  get events(): Event[] {
    const blocks = this.body.split("\n\n").slice(0, -1);
    return blocks.flatMap((block) => {
      const fields = new Map(
        block.split("\n").map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trim()];
        }),
      );
      const event = fields.get("event");
      if (event === undefined) return [];
      const data: unknown = JSON.parse(fields.get("data") ?? "null");
      return [{ event, data, id: fields.get("id") ?? null }];
    });
  }

  /** The stream was ended as HTTP ends it. */
  get hasEnded(): boolean {
    return this.#text.endsWith("\r\n0\r\n\r\n");
  }
}

export type Ask = { method?: string; headers?: Readonly<Record<string, string>>; from?: string };

export async function askEvents(
  port: number,
  target: string,
  { method = "GET", headers = {}, from = "127.0.0.1" }: Ask = {},
): Promise<EventSocket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  const client = new EventSocket(socket);
  await once(socket, "connect");
  const lines = Object.entries({ host: "localhost", ...headers }).map((each) => each.join(": "));
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return client;
}

/** Waits for something that a socket brings; fails where it does not come. */
export async function until(done: () => boolean, what = "it has not come"): Promise<void> {
  for (let wait = 0; !done() && wait < 6_000; wait++)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(done(), what);
}
