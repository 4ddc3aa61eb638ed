/** A text that is served as it is until the process ends, with a strong tag per coding. */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LIMITS } from "#api/limits.ts";
import { type Representation, sendConditional } from "./conditional.ts";
import type { Exchange } from "./http-exchange.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { pickEncoding, type Encoding } from "./negotiate.ts";

/** Decisions, Conventions: documents may be kept for five minutes. */
const CACHE_CONTROL = "public, max-age=300";

/**
 * Compresses once for all callers; the default quality takes many times as long for few percent.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };

export type DocumentOptions = { last_modified_ms?: number | null; content_type?: string };

export function createDocument(
  text: string,
  { last_modified_ms = null, content_type = JSON_TYPE }: DocumentOptions = {},
): (exchange: Exchange) => void {
  const plain = Buffer.from(text);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  const remaining = new Map<Encoding | null, Representation>();
  const toRepresentation = (encoding: Encoding | null): Representation => ({
    last_modified_ms,
    content_type,
    cache_control: CACHE_CONTROL,
    encoding,
    etag: encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`,
    body: compress(plain, encoding),
  });
  return (exchange) => {
    const accepted = exchange.request.raw.headers["accept-encoding"];
    const worth = plain.length >= LIMITS.compress_from_bytes;
    const encoding = worth ? pickEncoding(accepted) : null;
    const chosen = remaining.get(encoding) ?? toRepresentation(encoding);
    remaining.set(encoding, chosen);
    sendConditional(exchange, chosen);
  };
}

function compress(plain: Buffer, encoding: Encoding | null): Buffer {
  switch (encoding) {
    case null:
      return plain;
    case "br":
      return brotliCompressSync(plain, BROTLI);
    case "gzip":
      return gzipSync(plain);
  }
}
