/** Compression of a finished body, off the main thread, for requests that accept a coding. */
import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";
import { sendInternal } from "./error-replies.ts";
import { resume, sendRaw, type Exchange, type Response } from "./http-exchange.ts";
import type { Encoding } from "./negotiate.ts";

/** Quality 4 is within a few percent of gzip's time; the default 11 takes a hundred times that. */
const toBrotli = promisify(brotliCompress);
const toGzip = promisify<Uint8Array, Buffer>(gzip);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export async function compress(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return encoding === "br" ? await toBrotli(body, BROTLI) : await toGzip(body);
}

/**
 * What a thread compresses in a millisecond at the least (gzip 72,000 bytes, Brotli 90,000): time
 * beyond it was spent on waiting for one.
 */
const BYTES_PER_MS = 50_000;

export function sendCompressed(
  exchange: Exchange,
  response: Response & { body: Uint8Array | string },
  encoding: Encoding,
): void {
  const { headers, ready, status } = response;
  const { serving } = exchange.wire;
  const begun_ms = serving.now();
  const send = (error: Error | null, compressed: Buffer): void => {
    resume(exchange);
    // By a thread that worked for it.
    exchange.work.ms += Math.min(serving.now() - begun_ms, body.length / BYTES_PER_MS);
    if (error !== null) return sendInternal(exchange, error);
    headers.push("content-encoding", encoding);
    sendRaw(exchange, { status, ...(ready && { ready }), headers, body: compressed });
  };
  // A copy: the body may lie in a buffer that serves the next answer while this one is compressed.
  const body = Buffer.from(response.body as Uint8Array);
  if (encoding === "br") brotliCompress(body, BROTLI, send);
  else gzip(body, send);
}
