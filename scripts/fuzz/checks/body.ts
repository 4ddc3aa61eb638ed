/** The bytes of a body as what they say they are. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { headerOf, type Reply } from "../client.ts";

/** The text without its content coding; null: it cannot be read. */
export function readText(reply: Reply): string | null {
  try {
    const bytes = decode(reply);
    return bytes === null ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decode(reply: Reply): Buffer | null {
  switch (headerOf(reply, "content-encoding")) {
    case undefined:
      return reply.body;
    case "br":
      return brotliDecompressSync(reply.body);
    case "gzip":
      return gunzipSync(reply.body);
    default:
      return null;
  }
}

/** undefined: not JSON. Nothing is mended on the way. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
