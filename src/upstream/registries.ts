/**
 * Registries: read whole, once a day, in the background (architecture, Feeds). A new set
 * replaces the old one when all of its documents were read; what fails leaves the old one in use. A
 * register of one document is asked for only if it has changed since (RFC 9110 13.1).
 */
import { guard, type NoteFault } from "#kit/guard.ts";
import { isOk, type Failure } from "#kit/outcome.ts";
import { type DocumentStore, MAX_KEPT_BYTES } from "#core/kept-documents.ts";
import type { Trail } from "#kit/trail.ts";
import type { Clock, Random } from "#ports.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { toOrigin } from "#upstream/catalogue-reader.ts";
import { findLink } from "#upstream/link.ts";
import type { ReadInThread } from "#upstream/register-thread.ts";
import { type SetBuilder, type SetCounts, SetReading } from "#upstream/registry-set.ts";
import type { RunRequest } from "#upstream/run.ts";
import { toLookupFailure } from "#upstream/symptoms.ts";

export type RegistryHealth = {
  status: "ok" | Failure["status"];
  reason: string | null;
  last_success_at_ms: number | null;
  count: number | null;
};

export type RegistryEvent = {
  registry: string;
  outcome: RegistryHealth["status"];
  reason: string | null;
  accepted: number;
  dropped: number;
  /** Why, with a few examples each. */
  reasons?: Trail["dropped"];
  /** What was put right, and why. */
  repaired?: Trail["repaired"];
  /** What was kept before the restart is in use. */
  kept?: true;
};

export type RegistryRuntime = {
  /** Resolves when it has been tried once. */
  start(): Promise<void>;
  health(): RegistryHealth;
  close(): void;
};

type Deps = {
  run: RunRequest;
  clock: Clock;
  random: Random;
  build: () => SetBuilder;
  /** The set in use is what the source has now, too. */
  renew: (confirmed_at_ms: number) => void;
  /** How long a set is good. */
  renew_ms: number;
  /** Where the documents are kept for the next start; null: nowhere. */
  documents: DocumentStore | null;
  /** Lets others have the thread. */
  pause: () => Promise<void>;
  /** For documents too large to be read here; undefined: all are read here. */
  readInThread?: ReadInThread;
  onEvent: (event: RegistryEvent) => void;
  /** Receives what a reader throws: its document has failed with the reason `defect`. */
  onFault: NoteFault;
};

const RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;
const JITTER = 0.1;
/** Of one register. */
const MAX_PAGES = 2_000;
const MAX_BYTES = 512 * 1024 ** 2;
export class WatchedRegistry<S extends LookupSettings> implements RegistryRuntime {
  readonly #registry: Registry<S>;
  readonly #settings: S;
  readonly #deps: Deps;
  readonly #origin: string;
  readonly #closing = new AbortController();
  #health: RegistryHealth = {
    status: "unavailable",
    reason: "not_loaded",
    last_success_at_ms: null,
    count: null,
  };
  #failures = 0;
  #known: Validators = NONE;
  #cancel = (): void => {};

  constructor(registry: Registry<S>, settings: S, deps: Deps) {
    this.#registry = registry;
    this.#settings = settings;
    this.#deps = deps;
    const requests = registry.requests(settings);
    this.#origin = toOrigin(requests.map(({ url }) => url).join(" "));
  }

  async start(): Promise<void> {
    if (this.#deps.documents) await guard(() => this.#recall(), this.#onFault);
    await this.#once();
  }

  health(): RegistryHealth {
    return this.#health;
  }

  close(): void {
    this.#cancel();
    this.#closing.abort();
  }

  readonly #onFault = (error: unknown): void =>
    this.#deps.onFault(`register ${this.#registry.id}`, error);

  /** What is thrown on the way costs this reading, and not the next ones. */
  async #once(): Promise<void> {
    const { clock, random } = this.#deps;
    const wait_ms = await guard(
      () => this.#renew(),
      (error) => {
        this.#onFault(error);
        return toRetry_ms(++this.#failures);
      },
    );
    if (this.#closing.signal.aborted) return;
    const at_ms = clock.now() + wait_ms * (1 + JITTER * random());
    this.#cancel = clock.schedule(at_ms, () => this.#once());
  }

  /** Resolves with how long the set is good, or until it is tried again, ms. */
  async #renew(): Promise<number> {
    const { clock, documents, renew_ms, onEvent } = this.#deps;
    const { id } = this.#registry;
    const read = await this.#readAll();
    if (this.#closing.signal.aborted) return 0;
    const { failure } = read;
    this.#failures = failure === null ? 0 : this.#failures + 1;
    const count = read.unchanged ? this.#health.count : read.accepted;
    this.#health =
      failure === null
        ? { status: "ok", reason: null, last_success_at_ms: clock.now(), count }
        : { ...this.#health, status: failure.status, reason: failure.reason };
    onEvent(toEvent(id, this.#health, read));
    if (failure !== null) return toRetry_ms(this.#failures);
    this.#known = read.validators;
    const stored = { id, origin: this.#origin, now_ms: clock.now() };
    if (documents) await keep(documents, read, stored);
    return renew_ms;
  }

  /** Uses the set that was kept of the same addresses, if there is one. */
  async #recall(): Promise<void> {
    const { id } = this.#registry;
    const documents = await this.#deps.documents?.read(id);
    if (!documents || documents.origin !== this.#origin) return;
    const reading = this.#beginSet();
    for (const body of documents.bodies) {
      const reason = await reading.read(body);
      if (reason !== null || this.#closing.signal.aborted || reading.isFull) return;
    }
    const { read_at_ms } = documents;
    const { accepted, dropped, reasons, repaired } = reading.finish(read_at_ms);
    this.#known = documents;
    this.#health = { status: "ok", reason: null, last_success_at_ms: read_at_ms, count: accepted };
    this.#deps.onEvent({
      ...{ registry: id, outcome: "ok", reason: null },
      ...{ accepted, dropped, reasons, repaired, kept: true },
    });
  }

  #beginSet(): SetReading<S> {
    const deps = { ...this.#deps, onFault: this.#onFault, signal: this.#closing.signal };
    return new SetReading(this.#registry, this.#settings, deps);
  }

  async #readAll(): Promise<ReadAll> {
    const { clock, documents, run, renew } = this.#deps;
    const { signal } = this.#closing;
    const reading = this.#beginSet();
    let bytes = 0;
    let validators = NONE;
    const bodies = new KeptBodies(documents === null ? 0 : MAX_KEPT_BYTES);
    const toResult = (failure: Failure | null, unchanged = false): ReadAll => {
      return { ...reading.counts(), failure, bodies: bodies.list(), unchanged, validators };
    };
    const fail = (reason: string): ReadAll => toResult({ status: "error", reason });
    const queue: SourceRequest[] = this.#registry.requests(this.#settings);
    // A page or a document alone may be as it was while another has changed.
    const alone = queue.length === 1;
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
      bytes += value.body.byteLength;
      if (bytes > MAX_BYTES) return fail("too_large");
      bodies.add(value.body);
      const reason = await reading.read(value.body);
      if (signal.aborted) return toResult(CLOSED);
      if (reason !== null) return fail(reason);
      if (reading.isFull) return fail("too_many_places");
      const next = nextPage(value.link, request.url);
      if (next !== null) queue.unshift({ ...request, ...NONE, url: next });
      else if (alone && pages === 0) {
        const { etag, last_modified } = value;
        validators = { etag, last_modified };
      }
    }
    reading.finish(clock.now());
    return toResult(null);
  }
}

function toRetry_ms(failures: number): number {
  return Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
}

function toEvent(registry: string, health: RegistryHealth, read: ReadAll): RegistryEvent {
  const { accepted, dropped, reasons, repaired } = read;
  return {
    registry,
    outcome: health.status,
    accepted,
    dropped,
    reason: read.unchanged ? "not_modified" : health.reason,
    ...(reasons.length > 0 ? { reasons } : {}),
    ...(repaired.length > 0 ? { repaired } : {}),
  };
}

async function keep(
  documents: DocumentStore,
  { bodies, validators, unchanged }: ReadAll,
  { id, origin, now_ms }: { id: string; origin: string; now_ms: number },
): Promise<void> {
  if (unchanged) await documents.confirm(id, now_ms);
  else if (bodies !== null)
    await documents.write(id, { origin, read_at_ms: now_ms, ...validators, bodies });
}

const CLOSED: Failure = { status: "timeout", reason: "aborted" };

/** Of the last good answer: what asks whether there is a newer one. */
type Validators = { etag: string | null; last_modified: string | null };
const NONE: Validators = { etag: null, last_modified: null };

type ReadAll = SetCounts & {
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
}

function isConditional({ etag, last_modified }: SourceRequest): boolean {
  return Boolean(etag) || Boolean(last_modified);
}

/** RFC 8288: only a page of the same site is one of the same document. */
function nextPage(link: string | null, base: string): string | null {
  const target = link === null ? null : findLink(link, "next");
  const url = target === null ? null : URL.parse(target, base);
  return url && url.origin === new URL(base).origin ? url.href : null;
}
