/**
 * A base that lies behind a web address as ranges of bytes: an object of a store that speaks S3, whose
 * requests are signed, or a file of any server that answers ranges (RFC 9110 14). The object is that
 * which was described: of one that was replaced meanwhile nothing is read.
 */
import { AwsV4Signer } from "aws4fetch";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { problem } from "#kit/problem.ts";
import { createShared } from "#kit/shared-bytes.ts";
import type { Clock } from "#ports.ts";
import { sayRefusal } from "#core/failure-words.ts";
import type { Fetched, RunRequest } from "#upstream/run.ts";

/** Place of an object, and the key that requests are signed with; without one they are not signed. */
export type ObjectPlace = {
  url: string;
  region: string;
  access_key_id: string | null;
  secret_access_key: string | null;
};

/** What is known of an object without reading it. */
export type ObjectFacts = { bytes: number; version: string };

type Deps = { run: RunRequest; clock: Pick<Clock, "now"> };

/** Of one request: a store gives several at once, and each is as fast as one alone. */
const PART_BYTES = 8 * 1024 ** 2;
/** Of one request, from its beginning to the last byte. */
const TIMEOUT_MS = 20_000;
/** Enough to learn how large it is. */
const FIRST_BYTES = 32;

/** Reads the size and the version. Rejects with a `problem` in words for an operator. */
export async function describeObject(
  place: ObjectPlace,
  deps: Deps,
  signal?: AbortSignal,
): Promise<ObjectFacts> {
  const answer = await fetchPart(place, { at: 0, length: FIRST_BYTES }, deps, signal);
  return { bytes: answer.total_bytes, version: versionOf(answer) };
}

export class ObjectRanges implements ByteRanges {
  readonly bytes: number;
  readonly version: string;
  readonly #place: ObjectPlace;
  readonly #deps: Deps;

  constructor(place: ObjectPlace, { bytes, version }: ObjectFacts, deps: Deps) {
    this.bytes = bytes;
    this.version = version;
    this.#place = place;
    this.#deps = deps;
  }

  async read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    signal?.throwIfAborted();
    if (at + length > this.bytes)
      throw problem(`bytes ${at} to ${at + length}: the object has ${this.bytes}`);
    const bytes = createShared(length);
    // What one part lacks the others need not bring.
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const parts = Array.from({ length: Math.ceil(length / PART_BYTES) }, (_, i) => i * PART_BYTES);
    try {
      await Promise.all(
        parts.map(async (from) => {
          const wanted = Math.min(PART_BYTES, length - from);
          bytes.set(await this.#readPart(at + from, wanted, either), from);
        }),
      );
    } finally {
      stop.abort();
    }
    return bytes;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #readPart(at: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await fetchPart(this.#place, { at, length }, this.#deps, signal);
    if (answer.total_bytes !== this.bytes || versionOf(answer) !== this.version)
      throw problem(`byte ${at}: the object was replaced`);
    if (answer.body.length !== length)
      throw problem(`byte ${at}: ${answer.body.length} bytes came, and ${length} were requested`);
    return answer.body;
  }
}

type Part = { body: Uint8Array; total_bytes: number } & Pick<Body, "etag" | "last_modified">;
type Body = Extract<Fetched, { kind: "body" }>;

async function fetchPart(
  place: ObjectPlace,
  { at, length }: { at: number; length: number },
  { run, clock }: Deps,
  signal?: AbortSignal,
): Promise<Part> {
  const range = { range: `bytes=${at}-${at + length - 1}`, "accept-encoding": "identity" };
  const headers = { ...(await sign(place, clock.now())), ...range };
  const request = { url: place.url, headers, max_bytes: length, timeout_ms: TIMEOUT_MS };
  const outcome = await run(request, { signal });
  if (outcome.status !== "ok") {
    signal?.throwIfAborted();
    throw problem(`byte ${at}: ${sayRefusal("the object store", outcome)}`);
  }
  const { value } = outcome;
  if (value.kind !== "body" || !value.part) throw problem("the server answers no ranges of it");
  const { body, part, etag, last_modified } = value;
  if (part.at !== at) throw problem(`byte ${at}: bytes from ${part.at} on came`);
  return { body, total_bytes: part.total_bytes, etag, last_modified };
}

/** Headers of AWS Signature Version 4; none where the object is public. */
async function sign(
  { url, region, access_key_id, secret_access_key }: ObjectPlace,
  now_ms: number,
): Promise<Record<string, string>> {
  if (access_key_id === null || secret_access_key === null) return {};
  const signer = new AwsV4Signer({
    ...{ url, region, service: "s3", method: "GET" },
    ...{ accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    datetime: new Date(now_ms).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries([...headers].filter(([name]) => name !== "host"));
}

/** Of an object that has neither, any write that keeps its size goes unnoticed but for the checksums of pages. */
function versionOf({ etag, last_modified, total_bytes }: Part): string {
  return etag ?? `${last_modified ?? ""} ${total_bytes}`;
}
