/** Compression of a finished body, off the main thread, for requests that accept a coding. */
import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";
import { sendInternal } from "./errors.ts";
import { sendRaw, type Exchange, type Response } from "./exchange.ts";
import type { Encoding } from "./negotiate.ts";

/** Quality 4 is within a few percent of gzip's time; the default 11 takes a hundred times that. */
const toBrotli = promisify(brotliCompress);
const toGzip = promisify<Uint8Array, Buffer>(gzip);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export async function compress(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return encoding === "br" ? await toBrotli(body, BROTLI) : await toGzip(body);
}

export function sendCompressed(
  exchange: Exchange,
  response: Response & { body: Uint8Array | string },
  encoding: Encoding,
): void {
  const { headers, ready, status } = response;
  const send = (error: Error | null, compressed: Buffer): void => {
    if (error !== null) return sendInternal(exchange, error);
    headers.push("content-encoding", encoding);
    sendRaw(exchange, { status, ...(ready && { ready }), headers, body: compressed });
  };
  // A copy: the body may lie in a buffer that serves the next answer while this one is compressed.
  const body = Buffer.from(response.body as Uint8Array);
  if (encoding === "br") brotliCompress(body, BROTLI, send);
  else gzip(body, send);
}
