/** GET /openapi.json (§4.2): made once, with a strong ETag per coding. */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Deployment } from "#contract/deployment.ts";
import { toOpenApi } from "#contract/openapi.ts";
import type { Exchange } from "./exchange.ts";
import { sendRaw } from "./exchange.ts";
import { JSON_TYPE } from "./headers.ts";
import { matchesEtag, pickEncoding, type Encoding } from "./negotiate.ts";

type Representation = { body: Uint8Array; etag: string; encoding: Encoding | null };

export function createOpenApiHandler(deployment: Deployment): (exchange: Exchange) => void {
  const plain = Buffer.from(toOpenApiText(deployment));
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  const kept = new Map<Encoding | null, Representation>();
  const find = (encoding: Encoding | null): Representation => {
    const known = kept.get(encoding) ?? toRepresentation(plain, hash, encoding);
    kept.set(encoding, known);
    return known;
  };
  const tags = [null, "br", "gzip"].map((encoding) => toEtag(hash, encoding));
  return (exchange) => {
    const { headers } = exchange.request.raw;
    const chosen = find(pickEncoding(headers["accept-encoding"]));
    const known = matchesEtag(headers["if-none-match"], tags);
    sendRaw(exchange, known ? toNotModified(chosen) : toFull(chosen));
  };
}

/** Of the sandbox it is the committed openapi.json, byte for byte. */
export function toOpenApiText(deployment?: Deployment): string {
  return `${JSON.stringify(toOpenApi(deployment), null, 2)}\n`;
}

/** A strong tag must differ per coding (RFC 9110 8.8.3.3). */
function toEtag(hash: string, encoding: string | null): string {
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

function toRepresentation(plain: Buffer, hash: string, encoding: Encoding | null): Representation {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };
  const body =
    encoding === null
      ? plain
      : encoding === "br"
        ? brotliCompressSync(plain, quality)
        : gzipSync(plain);
  return { body, encoding, etag: toEtag(hash, encoding) };
}

function toHeaders(chosen: Representation): string[] {
  return [
    ...["etag", chosen.etag, "cache-control", "public, max-age=300"],
    ...["vary", "Accept-Encoding"],
  ];
}

function toNotModified(chosen: Representation) {
  return { status: 304, headers: toHeaders(chosen), body: null };
}

function toFull(chosen: Representation) {
  const headers = ["content-type", JSON_TYPE, ...toHeaders(chosen)];
  if (chosen.encoding !== null) headers.push("content-encoding", chosen.encoding);
  return { status: 200, headers, body: chosen.body };
}
