/**
 * A file that is served as it is. What is not compressed ahead (page-bundle.ts) is compressed when it is
 * first requested, off the main thread: well for the request that waits (a third of a second for the map
 * library), and then once more as small as it gets for all later ones.
 */
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LIMITS } from "#api/limits.ts";
import { detach, unlessFailed } from "#kit/guard.ts";
import { isNotModified } from "../conditional.ts";
import type { Response } from "../http-exchange.ts";
import { pickEncoding, type Encoding } from "../negotiate.ts";
import { hashOf, type PageBundle } from "./page-bundle.ts";

export type Asset = {
  /** Returns the answer to a request with these fields. */
  answer(headers: IncomingHttpHeaders): Promise<Response>;
  /** Compresses as small as it gets; else that follows the first request. */
  shrink(): Promise<void>;
};

export type AssetSource = {
  type: string;
  /** Flat pairs of header fields. */
  policy: readonly string[];
  cache: string;
  /** Reads the file; called once, at the first request. */
  read(): Buffer | Promise<Buffer>;
  /** Reads what was compressed ahead, by the digest of the file; null, or absent: nothing was. */
  readPacked?: PageBundle["readPacked"];
};

type Form = { body: Buffer; etag: string; encoding: Encoding | null };
type Plain = { body: Buffer; hash: string; etag: string };

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Brotli: 130 KB of the map library in 0.35 s, where 6 makes 142 in 0.02 and 11 makes 128 in 0.85. */
const WELL = 10;
const SMALL = 11;

/** `onFault`: receives what compressing it once more throws, which no request waits for. */
export function createAsset(source: AssetSource, onFault: (error: unknown) => void): Asset {
  const forms = createForms(source, onFault);
  return {
    shrink: forms.shrink,
    async answer(request) {
      const form = await forms.find(pickEncoding(request["accept-encoding"]));
      const { type, policy, cache } = source;
      const headers = ["etag", form.etag, "cache-control", cache, "vary", "Accept-Encoding"];
      headers.push(...policy);
      if (isNotModified(request, { etag: form.etag, last_modified_ms: null }))
        return { status: 304, headers, body: null };
      headers.push("content-type", type);
      if (form.encoding !== null) headers.push("content-encoding", form.encoding);
      return { status: 200, headers, body: form.body };
    },
  };
}

type Forms = { find(encoding: Encoding | null): Promise<Form>; shrink(): Promise<void> };

/** A strong tag names bytes, so each coding and each strength has its own (RFC 9110 8.8.3.3). */
function createForms(source: AssetSource, onFault: (error: unknown) => void): Forms {
  const plain = lazily(async () => toPlain(await source.read()));
  const remaining = new Map<Encoding, Promise<Form>>();
  const toSmall = async (): Promise<Form> => {
    const { body, hash } = await plain();
    const packed = await toBrotli(body, strength(SMALL, body));
    return { body: packed, encoding: "br", etag: `"${hash}-br11"` };
  };
  const shrink = lazily(async () => {
    if (isSmall(await plain())) return;
    remaining.set("br", Promise.resolve(await toSmall()));
  });
  const toPacked = async ({ body, hash }: Plain, encoding: Encoding): Promise<Form> => {
    const ahead = await source.readPacked?.(hash, encoding);
    if (ahead) return { body: ahead, encoding, etag: `"${hash}-${encoding}-ahead"` };
    const form = await pack(body, encoding, `"${hash}-${encoding}"`);
    if (encoding === "br") detach(Promise.try(shrink), onFault);
    return form;
  };
  return {
    shrink,
    async find(encoding) {
      const whole = await plain();
      const { body, etag } = whole;
      if (encoding === null || isSmall(whole)) return { body, etag, encoding: null };
      const entry = remaining.get(encoding);
      if (entry) return await entry;
      // The next request tries again.
      const form = unlessFailed(toPacked(whole, encoding), () => remaining.delete(encoding));
      remaining.set(encoding, form);
      return await form;
    },
  };
}

function isSmall({ body }: Plain): boolean {
  return body.length < LIMITS.compress_from_bytes;
}

/** Made at the first call; what has failed is made again by the next one. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= unlessFailed(make(), () => (made = null)));
}

function toPlain(body: Buffer): Plain {
  const hash = hashOf(body);
  return { body, hash, etag: `"${hash}"` };
}

async function pack(plain: Buffer, encoding: Encoding, etag: string): Promise<Form> {
  const br = encoding === "br";
  const body = br ? await toBrotli(plain, strength(WELL, plain)) : await toGzip(plain);
  return { body, encoding, etag };
}

function strength(level: number, body: Buffer) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
}
