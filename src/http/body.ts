/**
 * Request bodies (decisions, Errors: capabilities): JSON of at most 64 KiB, in UTF-8 and uncoded.
 * A body that is too large or of another type gets 400: §4.8 documents neither 413 nor 415.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { LIMITS } from "#api/limits.ts";
import { type Problem, refusal } from "./error-replies.ts";
import { type Exchange, joinInflight, leaveInflight, resume } from "./http-exchange.ts";
import type { ReadBody } from "./handler.ts";

/** Reads a body up to its bound, and passes it to `read`. */
export async function receiveBody(
  exchange: Exchange,
  read: (bytes: Uint8Array) => ReadBody | Promise<ReadBody>,
): Promise<ReadBody> {
  const { raw } = exchange.request;
  const problem = findTypeProblem(raw);
  if (problem) return { ok: false, ...problem };
  leaveInflight(exchange);
  const bytes = await collect(raw, LIMITS.body_bytes);
  joinInflight(exchange);
  resume(exchange);
  if (bytes === null) return { ok: false, ...TOO_LARGE };
  if (!isUtf8(bytes)) return { ok: false, ...NOT_UTF8 };
  return await read(bytes);
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

function findTypeProblem({ headers }: IncomingMessage): Problem | null {
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) return NOT_JSON;
  const coding = headers["content-encoding"] ?? "identity";
  return coding.toLowerCase() === "identity" ? null : CODED;
}

/**
 * Collects a body; null: more than `most` bytes. If the caller leaves midway, it is what was sent.
 */
export function collect(raw: IncomingMessage, most: number): Promise<Buffer | null> {
  if (Number(raw.headers["content-length"] ?? 0) > most) return Promise.resolve(null);
  // A request without a body is born ended (http/server), and no events come.
  if (raw.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    raw.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= most) chunks.push(chunk);
      else resolve(null);
    });
    raw.once("close", () => resolve(Buffer.concat(chunks)));
    raw.once("end", () => resolve(Buffer.concat(chunks)));
  });
}

const NOT_JSON = refusal(
  "unsupported_media_type",
  "the request needs Content-Type: application/json",
);
const CODED = refusal(
  "unsupported_media_type",
  "Content-Encoding is not understood here; send the JSON as it is",
);
const TOO_LARGE = refusal("body_too_large", `the body must be at most ${LIMITS.body_bytes} bytes`);
const NOT_UTF8 = refusal("invalid_json", "the body must be valid UTF-8");
