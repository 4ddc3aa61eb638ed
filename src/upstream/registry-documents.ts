/**
 * The documents of a register as they are asked for and read, one after the other: its pages are
 * followed (RFC 8288, or as the body names them), and a register of one document is requested only if
 * it has changed since (RFC 9110 13.1). The caller decides when.
 */
import { Readable } from "node:stream";
import { guard } from "#kit/guard.ts";
import { isOk, type Failure } from "#kit/outcome.ts";
import type { KeptDocuments, Validators } from "#core/kept-documents.ts";
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
  /** Of what the set in use was read from. */
  #known: Known = UNKNOWN;
  #isForgotten = false;

  constructor(registry: Registry<S, R>, settings: S, deps: Deps<R>) {
    this.#registry = registry;
    this.#settings = settings;
    this.#deps = deps;
  }

  /** Reads what was kept before the restart; null: it cannot be used. */
  async recall(documents: KeptDocuments): Promise<SetCounts | null> {
    const reading = this.#beginSet();
    const { bodies, companions, read_at_ms } = documents;
    const { turn, signal } = this.#deps;
    for (const body of companions?.bodies ?? []) reading.addCompanion(body);
    const readAll = async (): Promise<boolean> => {
      for (const body of bodies) {
        const { reason } = await reading.read(body);
        if (reason !== null || signal.aborted || reading.isFull) return false;
      }
      return true;
    };
    const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if ((await turn.hold(bytes + reading.companion_bytes, readAll, signal)) !== true) return null;
    this.#known = { own: toValidators(documents), companions: toValidators(companions ?? NONE) };
    return reading.finish(read_at_ms);
  }

  /** The next reading is a whole one, whether or not the documents have changed. */
  forget(): void {
    this.#known = UNKNOWN;
    this.#isForgotten = true;
  }

  /** Asks for all documents, and reads them into a new set. */
  async read(): Promise<ReadAll> {
    const { clock, keep_bytes, run, renew, signal, turn } = this.#deps;
    const reading = this.#beginSet();
    const kept = new KeptBodies(keep_bytes);
    this.#isForgotten = false;
    const last = this.#known;
    let next = UNKNOWN;
    const toResult = (failure: Failure | null, unchanged = false): ReadAll => {
      if (failure === null) this.#known = this.#isForgotten ? UNKNOWN : next;
      return { ...reading.counts(), failure, kept: kept.list(next), unchanged };
    };
    const fail = (reason: string): ReadAll => toResult({ status: "error", reason });
    const queue: SourceRequest[] = this.#registry.requests(this.#settings);
    // A page alone may be as it was while another has changed.
    const alone = queue.length === 1;
    const into = { reading, kept };
    const has_companions = this.#listCompanions().length > 0;
    let companions: Validators | typeof UNCHANGED = UNCHANGED;
    if (has_companions)
      companions = await this.#readCompanions(alone ? last.companions : NONE, into);
    if (alone && companions === UNCHANGED) queue[0] = { ...queue[0]!, ...last.own };
    let bytes = 0;
    for (let pages = 0; queue.length > 0; pages++) {
      const request = queue.shift()!;
      if (pages === MAX_PAGES) return fail("too_many_pages");
      const outcome = await run(request, { signal });
      if (!isOk(outcome)) return toResult(toLookupFailure(outcome));
      const { value } = outcome;
      if (value.kind === "not_modified" && isConditional(request)) {
        next = last;
        renew(clock.now());
        return toResult(null, true);
      }
      if (value.kind !== "body") return fail("unexpected");
      const body = await unpackBody(value.body, request.max_bytes ?? MAX_BYTES);
      if (typeof body === "string") return fail(body);
      bytes += body.byteLength;
      if (bytes > MAX_BYTES) return fail("too_large");
      // They are as they were, and needed to read what is not.
      if (has_companions && companions === UNCHANGED)
        companions = await this.#readCompanions(NONE, into);
      kept.add(body);
      const taken_bytes = reading.companion_bytes + kept.bytes + body.byteLength;
      const read = await turn.hold(taken_bytes, () => reading.read(body), signal);
      if (signal.aborted || read === null) return toResult(CLOSED);
      const { reason, next: stated } = read;
      if (reason !== null) return fail(reason);
      if (reading.isFull) return fail("too_many_places");
      const url = nextPage(value.link, stated, request.url);
      if (url === null && stated !== null) reading.leaveOutPage();
      if (url !== null) queue.unshift({ ...request, ...NONE, url });
      else if (alone && pages === 0)
        next = {
          own: toValidators(value),
          companions: companions === UNCHANGED ? NONE : companions,
        };
    }
    reading.finish(clock.now());
    return toResult(null);
  }

  /**
   * Reads what the documents are read with. What cannot be had of it costs what it would have added, and
   * no more. UNCHANGED: it is as it was.
   */
  async #readCompanions(
    known: Validators,
    { reading, kept }: { reading: SetReading<S, R>; kept: KeptBodies },
  ): Promise<Validators | typeof UNCHANGED> {
    const { run, signal } = this.#deps;
    const queue = this.#listCompanions();
    const alone = queue.length === 1;
    if (alone) queue[0] = { ...queue[0]!, ...known };
    let validators = NONE;
    let bytes = 0;
    for (let pages = 0; queue.length > 0 && !signal.aborted; pages++) {
      const request = queue.shift()!;
      const outcome = await run(request, { signal });
      const value = isOk(outcome) ? outcome.value : null;
      if (value?.kind === "not_modified" && isConditional(request)) return UNCHANGED;
      const answer = value?.kind === "body" ? value : null;
      const body = answer && (await unpackBody(answer.body, request.max_bytes ?? MAX_BYTES));
      bytes += typeof body === "string" ? 0 : (body?.byteLength ?? 0);
      const isBeyond = bytes > MAX_COMPANION_BYTES || pages === MAX_PAGES;
      if (!answer || !body || typeof body === "string" || isBeyond) {
        reading.addCompanion(null);
        return NONE;
      }
      kept.addCompanion(body);
      reading.addCompanion(body);
      const url = nextPage(answer.link, null, request.url);
      if (url !== null) queue.unshift({ ...request, ...NONE, url });
      else if (alone && pages === 0) validators = toValidators(answer);
    }
    return validators;
  }

  #listCompanions(): SourceRequest[] {
    return this.#registry.companions?.(this.#settings) ?? [];
  }

  #beginSet(): SetReading<S, R> {
    return new SetReading(this.#registry, this.#settings, this.#deps);
  }
}

const CLOSED: Failure = { status: "timeout", reason: "aborted" };

const NONE: Validators = { etag: null, last_modified: null };
const UNCHANGED = "unchanged";

/** Of the last good answers. */
type Known = { own: Validators; companions: Validators };
const UNKNOWN: Known = { own: NONE, companions: NONE };

function toValidators({ etag, last_modified }: Validators): Validators {
  return { etag, last_modified };
}

export type ReadAll = SetCounts & {
  failure: Failure | null;
  /** As they came; null: together they are too long to be kept. */
  kept: Pick<KeptDocuments, "bodies" | "companions" | "etag" | "last_modified"> | null;
  /** Nothing was read, since nothing has changed. */
  unchanged: boolean;
};

/** Bodies to be kept, as long as they are not too long together: copies, where reading takes them. */
class KeptBodies {
  #left: number;
  readonly #bodies: Uint8Array[] = [];
  readonly #companions: Uint8Array[] = [];

  constructor(most_bytes: number) {
    this.#left = most_bytes;
  }

  /** Of all copies together. */
  get bytes(): number {
    return this.#bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  add(body: Uint8Array): void {
    if (this.#take(body)) this.#bodies.push(new Uint8Array(body));
    // One more than may be kept, and none is.
    else this.#bodies.length = 0;
  }

  addCompanion(body: Uint8Array): void {
    if (this.#take(body)) this.#companions.push(body);
  }

  list({ own, companions }: Known): ReadAll["kept"] {
    if (this.#left < 0) return null;
    const content = { ...own, bodies: this.#bodies };
    if (this.#companions.length === 0) return content;
    return { ...content, companions: { ...companions, bodies: this.#companions } };
  }

  #take({ length }: Uint8Array): boolean {
    this.#left -= length;
    return this.#left >= 0;
  }
}

function isConditional({ etag, last_modified }: Partial<Validators>): boolean {
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
