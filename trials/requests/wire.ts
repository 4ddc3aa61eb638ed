/**
 * HTTP/1.1 over a bare socket, so that what is sent is exactly what was generated and what comes
 * back is read strictly: every byte belongs to a reply, and a reply says how long it is.
 */
import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ApiRequest } from "./requests.ts";

export type Reply = {
  status: number;
  /** Lower-case names, as they came. */
  headers: [name: string, value: string][];
  body: Buffer;
};

/** One request as bytes; header values are Latin-1. */
export function toWire({ method, target, headers, body }: ApiRequest, chunked = false): Buffer {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const start = `${method} ${target} HTTP/1.1\r\n${lines.join("")}`;
  if (body === null) return Buffer.from(`${start}\r\n`, "latin1");
  const framing = chunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`;
  const head = Buffer.from(`${start}${framing}\r\n\r\n`, "latin1");
  if (!chunked) return Buffer.concat([head, body]);
  const half = body.length >> 1;
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([head, ...chunks, Buffer.from("0\r\n\r\n")]);
}

/** The service broke HTTP itself, or went away. */
export class WireError extends Error {}

export function headerOf(reply: Reply, name: string): string | undefined {
  return reply.headers.find(([one]) => one === name)?.[1];
}

export type Connection = {
  /** Sends the bytes and waits for one reply per method; pipelined when there are several. */
  exchange(bytes: Buffer, methods: readonly string[]): Promise<Reply[]>;
  /** Sends the bytes and the end of the stream; gives whatever comes until the other side ends. */
  flush(bytes: Buffer): Promise<Reply[]>;
  close(): void;
};

const ANSWER_MS = 20_000;

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error): void => reject(new WireError(`no connection: ${error.message}`));
    socket.once("connect", resolve).once("error", refuse);
  });
  const inbox = createInbox(socket);
  return {
    exchange: async (bytes, methods) => {
      socket.write(bytes);
      const replies: Reply[] = [];
      for (const method of methods) replies.push(await inbox.take(method));
      return replies;
    },
    flush: async (bytes) => {
      socket.end(bytes);
      await inbox.ended();
      return inbox.drain();
    },
    close: () => socket.destroy(),
  };
}

type Inbox = {
  take(method: string): Promise<Reply>;
  ended(): Promise<void>;
  drain(): Reply[];
};

function createInbox(socket: Socket): Inbox {
  let pending: Buffer = Buffer.alloc(0);
  const stream = { over: false };
  let wake = (): void => undefined;
  const finish = (): void => {
    stream.over = true;
    wake();
  };
  socket.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    wake();
  });
  socket.on("end", finish).on("close", finish).on("error", finish);
  const change = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new WireError("no answer in 20 s")), ANSWER_MS);
    });
    await Promise.race([new Promise<void>((resolve) => (wake = resolve)), late]).finally(() =>
      clearTimeout(timer),
    );
  };
  const next = (method: string): Reply | null => {
    const read = readReply(pending, method);
    if (read === null) return null;
    pending = pending.subarray(read.end);
    return read.reply;
  };
  return {
    take: async (method) => {
      for (;;) {
        const reply = next(method);
        // 100 Continue goes before the answer.
        if (reply !== null && reply.status >= 200) return reply;
        if (reply !== null) continue;
        if (stream.over) throw new WireError(`hung up after ${pending.length} bytes of a reply`);
        await change();
      }
    },
    ended: async () => {
      while (!stream.over) await change();
    },
    drain: () => {
      const replies: Reply[] = [];
      for (let reply = next("GET"); reply !== null; reply = next("GET")) replies.push(reply);
      return replies;
    },
  };
}

/** null: not all of it is here yet. */
function readReply(bytes: Buffer, method: string): { reply: Reply; end: number } | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Za-z -]+$/.exec(first)?.[1] ?? NaN);
  if (Number.isNaN(status)) throw new WireError(`no status line: ${first.slice(0, 80)}`);
  const headers = lines.map(readHeader);
  const bodyStart = headEnd + 4;
  const bodiless = method === "HEAD" || status === 204 || status === 304 || status < 200;
  const end = bodyStart + (bodiless ? 0 : lengthOf(headers));
  if (bytes.length < end) return null;
  // A copy: the view would keep the whole stream alive.
  return { reply: { status, headers, body: Buffer.from(bytes.subarray(bodyStart, end)) }, end };
}

function readHeader(line: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)$/.exec(line);
  if (match === null) throw new WireError(`no header: ${line.slice(0, 80)}`);
  return [match[1]!.toLowerCase(), match[2]!];
}

function lengthOf(headers: readonly [string, string][]): number {
  const text = headers.find(([name]) => name === "content-length")?.[1];
  if (text === undefined || !/^\d+$/.test(text)) throw new WireError("a body without its length");
  return Number(text);
}

export function mimeOf(reply: Reply): string {
  return (headerOf(reply, "content-type") ?? "").split(";")[0]!.trim();
}

/** The text without its content coding; null: it cannot be read. */
export function readText({ headers, body }: Reply): string | null {
  const coding = headers.find(([name]) => name === "content-encoding")?.[1];
  try {
    const bytes =
      coding === "br" ? brotliDecompressSync(body) : coding === "gzip" ? gunzipSync(body) : body;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** undefined: not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
