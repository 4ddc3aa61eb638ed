/** Sends a step as it is, and takes the reply down to the order and the case of its headers. */
import { createHash } from "node:crypto";
import { type Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Reply, Step } from "./recording.ts";

const ANSWER_MS = 30_000;

type HttpStep = Extract<Step, { method: string }>;

export function sendHttp(origin: string, step: HttpStep, agent: Agent): Promise<Reply> {
  const { method, target, headers } = step;
  const input = step.body === null ? null : Buffer.from(step.body, "latin1");
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { hostname, port } = new URL(origin);
  const sent = httpRequest(
    {
      hostname,
      port,
      // The name of an id that this program has not given.
      path: target.replaceAll(" ", "%20"),
      method,
      agent,
      timeout: ANSWER_MS,
      // Node writes the body of a DELETE, HEAD or OPTIONS without its length.
      headers: input === null ? { ...headers } : { ...headers, "content-length": input.length },
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode, rawHeaders } = response;
        const coding = response.headers["content-encoding"];
        const pairs = rawHeaders.flatMap((name, i) =>
          i % 2 === 0 ? [[name, rawHeaders[i + 1]!] as const] : [],
        );
        const body = toText(decode(Buffer.concat(chunks), coding));
        resolve({ status: statusCode!, headers: pairs, body });
      });
    },
  );
  sent.on("timeout", () => sent.destroy(new Error(`no answer to ${method} ${target}`)));
  sent.on("error", reject);
  sent.end(input);
  return promise;
}

function decode(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0 || coding === undefined) return body;
  if (coding === "gzip") return gunzipSync(body);
  if (coding === "br") return brotliDecompressSync(body);
  if (coding === "zstd") return zstdDecompressSync(body);
  throw new Error(`unknown coding ${coding}`);
}

const TEXT_MAX = 4_000_000;

/** A character a byte; of what is no text, such as a tile, its digest. */
function toText(bytes: Buffer): string {
  const isText = !bytes.includes(0) && bytes.length <= TEXT_MAX;
  if (isText) return bytes.toString("latin1");
  return `${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Writes the bytes, ends its side, and takes whatever comes until the other side ends. */
export function sendBytes(origin: string, bytes: string): Promise<Reply> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const finish = (): void => resolve(toReply(Buffer.concat(chunks).toString("latin1")));
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("end", () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("close", finish);
  socket.end(Buffer.from(bytes, "latin1"));
  return promise;
}

/** The first reply's head and the rest as it came; status 0: it hung up. */
function toReply(text: string): Reply {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const at = line.indexOf(": ");
    return [line.slice(0, at), line.slice(at + 2)] as const;
  });
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  const body = rest
    .join("\r\n\r\n")
    .replaceAll(/^Date: .*$/gim, "Date: (now)")
    .replaceAll(/^(x-request-id): [\w-]+$/gim, "$1: (ours)");
  return { status, headers, body };
}
