/**
 * The documents of a register as they are asked for and read, one after the other: its pages are
 * followed (RFC 8288, or as the body names them), and a register of one document is requested only if
 * it has changed since (RFC 9110 13.1). The caller decides when.
 */
import { Readable } from "node:stream";
import { guard } from "#kit/guard.ts";
import { isOk, type Failure } from "#kit/outcome.ts";
import type { KeptDocuments } from "#core/kept-documents.ts";
import type { Clock } from "#ports.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { readDecoded } from "#upstream/decode.ts";
import { findLink } from "#upstream/link.ts";
import {
  type ReadDeps,
  type RegisterRow,
  type SetCounts,
  SetReading,
} from "#upstream/registry-set.ts";
import type { ReadingTurn } from "#upstream/registers/reading-turns.ts";
import type { RunRequest } from "#upstream/run.ts";
import { fromError, toLookupFailure } from "#upstream/symptoms.ts";

type Deps<R> = ReadDeps<R> & {
  run: RunRequest;
  clock: Pick<Clock, "now">;
  /** The set in use is what the source has now, too. */
  renew: (confirmed_at_ms: number) => void;
  /** Bodies up to this size together, in bytes, are handed back, to be kept. */
  keep_bytes: number;
  /** The turn in which it is read. */
  turn: Pick<ReadingTurn, "hold">;
};

/** What a document may have at most as long as none was read: of the turn it is read in. */
export function mostBytes(requests: readonly SourceRequest[]): number {
  return Math.max(...requests.map(({ max_bytes = MAX_BYTES }) => max_bytes));
}

/** Of one register. */
const MAX_PAGES = 2_000;
const MAX_BYTES = 512 * 1024 ** 2;
/** Together; they are read again with each document. */
const MAX_COMPANION_BYTES = 32 * 1024 ** 2;

export class RegistryDocuments<S extends LookupSettings, R extends RegisterRow> {
  readonly #registry: Registry<S, R>;
  readonly #settings: S;
  readonly #deps: Deps<R>;
  #known: Validators = NONE;

  constructor(registry: Registry<S, R>, settings: S, deps: Deps<R>) {
    this.#registry = registry;
    this.#settings = settings;
    this.#deps = deps;
  }

  /** Reads what was kept before the restart; null: it cannot be used. */
  async recall(documents: KeptDocuments): Promise<SetCounts | null> {
    const reading = this.#beginSet();
    const { turn, signal } = this.#deps;
    const readAll = async (): Promise<boolean> => {
      for (const body of documents.bodies) {
        const { reason } = await reading.read(body);
        if (reason !== null || signal.aborted || reading.isFull) return false;
      }
      return true;
    };
    const bytes = documents.bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if ((await turn.hold(bytes, readAll, signal)) !== true) return null;
    const { etag, last_modified, read_at_ms } = documents;
    this.#known = { etag, last_modified };
    return reading.finish(read_at_ms);
  }

  /** Asks for all documents, and reads them into a new set. */
  async read(): Promise<ReadAll> {
    const { clock, keep_bytes, run, renew, signal, turn } = this.#deps;
    const reading = this.#beginSet();
    let bytes = 0;
    let validators = NONE;
    const bodies = new KeptBodies(keep_bytes);
    const toResult = (failure: Failure | null, unchanged = false): ReadAll => {
      if (failure === null) this.#known = validators;
      return { ...reading.counts(), failure, bodies: bodies.list(), unchanged, validators };
    };
    const fail = (reason: string): ReadAll => toResult({ status: "error", reason });
    const queue: SourceRequest[] = this.#registry.requests(this.#settings);
    // A page or a document alone may be as it was while another has changed.
    const companions = this.#registry.companions?.(this.#settings) ?? [];
    const alone = queue.length === 1 && companions.length === 0;
    if (companions.length > 0) await this.#readCompanions(companions, reading);
    if (alone) queue[0] = { ...queue[0]!, ...this.#known };
    for (let pages = 0; queue.length > 0; pages++) {
      const request = queue.shift()!;
      if (pages === MAX_PAGES) return fail("too_many_pages");
      const outcome = await run(request, { signal });
      if (!isOk(outcome)) return toResult(toLookupFailure(outcome));
      const { value } = outcome;
      if (value.kind === "not_modified" && isConditional(request)) {
        validators = this.#known;
        renew(clock.now());
        return toResult(null, true);
      }
      if (value.kind !== "body") return fail("unexpected");
      const body = await unpackBody(value.body, request.max_bytes ?? MAX_BYTES);
      if (typeof body === "string") return fail(body);
      bytes += body.byteLength;
      if (bytes > MAX_BYTES) return fail("too_large");
      bodies.add(body);
      const taken_bytes = reading.companion_bytes + bodies.bytes + body.byteLength;
      const read = await turn.hold(taken_bytes, () => reading.read(body), signal);
      if (signal.aborted || read === null) return toResult(CLOSED);
      const { reason, next: stated } = read;
      if (reason !== null) return fail(reason);
      if (reading.isFull) return fail("too_many_places");
      const next = nextPage(value.link, stated, request.url);
      if (next === null && stated !== null) reading.leaveOutPage();
      if (next !== null) queue.unshift({ ...request, ...NONE, url: next });
      else if (alone && pages === 0) {
        const { etag, last_modified } = value;
        validators = { etag, last_modified };
      }
    }
    reading.finish(clock.now());
    return toResult(null);
  }

  /** What cannot be had of it costs what it would have added, and no more. */
  async #readCompanions(queue: SourceRequest[], reading: SetReading<S, R>): Promise<void> {
    const { run, signal } = this.#deps;
    let bytes = 0;
    for (let pages = 0; queue.length > 0 && !signal.aborted; pages++) {
      const request = queue.shift()!;
      const outcome = await run(request, { signal });
      const answer = isOk(outcome) && outcome.value.kind === "body" ? outcome.value : null;
      const body = answer && (await unpackBody(answer.body, request.max_bytes ?? MAX_BYTES));
      if (!answer || !body || typeof body === "string") return reading.addCompanion(null);
      bytes += body.byteLength;
      if (bytes > MAX_COMPANION_BYTES || pages === MAX_PAGES) return reading.addCompanion(null);
      reading.addCompanion(body);
      const next = nextPage(answer.link, null, request.url);
      if (next !== null) queue.unshift({ ...request, url: next });
    }
  }

  #beginSet(): SetReading<S, R> {
    return new SetReading(this.#registry, this.#settings, this.#deps);
  }
}

const CLOSED: Failure = { status: "timeout", reason: "aborted" };

/** Of the last good answer: what asks whether there is a newer one. */
type Validators = { etag: string | null; last_modified: string | null };
const NONE: Validators = { etag: null, last_modified: null };

export type ReadAll = SetCounts & {
  failure: Failure | null;
  /** As they came; null: together they are too long to be kept. */
  bodies: Uint8Array[] | null;
  /** Nothing was read, since nothing has changed. */
  unchanged: boolean;
  validators: Validators;
};

/** Copies of bodies to be kept (reading takes the bodies), as long as they are not too long together. */
class KeptBodies {
  #left: number;
  #bodies: Uint8Array[] | null = [];

  constructor(most_bytes: number) {
    this.#left = most_bytes;
  }

  add(body: Uint8Array): void {
    this.#left -= body.length;
    if (this.#left < 0) this.#bodies = null;
    else this.#bodies?.push(new Uint8Array(body));
  }

  list(): Uint8Array[] | null {
    return this.#bodies;
  }

  /** Of all copies together. */
  get bytes(): number {
    return this.#bodies?.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? 0;
  }
}

function isConditional({ etag, last_modified }: SourceRequest): boolean {
  return Boolean(etag) || Boolean(last_modified);
}

/**
 * Inflates a file that is served packed as its own body (`.json.gz`); another body is left as it is. A
 * text: why it cannot be used.
 */
async function unpackBody(body: Uint8Array, max_bytes: number): Promise<Uint8Array | string> {
  if (body[0] !== GZIP[0] || body[1] !== GZIP[1]) return body;
  return guard<Uint8Array, string>(
    () => readDecoded(Readable.from([body]), { content_encoding: "gzip", max_bytes }),
    (error) => {
      const { reason } = fromError(error);
      return BEYOND.has(reason) ? "too_large" : reason;
    },
  );
}
const GZIP = [0x1f, 0x8b] as const;
const BEYOND = new Set(["body_too_large", "decompression_bomb"]);

/** `stated`: as its body names it. Only a page of the same site is one of the same document. */
function nextPage(link: string | null, stated: string | null, base: string): string | null {
  const target = (link === null ? null : findLink(link, "next")) ?? stated;
  const url = target === null ? null : URL.parse(target, base);
  return url && url.origin === new URL(base).origin ? url.href : null;
}
