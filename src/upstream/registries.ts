/**
 * Registries: read whole, once a day, in the background (architecture, Feeds). A new set
 * replaces the old one when all of its documents were read; what fails leaves the old one in use. A
 * register of one document is asked for only if it has changed since (RFC 9110 13.1).
 */
import { guard, type NoteFault } from "#kit/guard.ts";
import { DEFECT, isOk, type Failure } from "#kit/outcome.ts";
import { CROWDED } from "#core/places/crowd.ts";
import type { Place } from "#core/places/place.ts";
import { type DocumentStore, type KeptDocuments, MAX_KEPT_BYTES } from "#core/kept-documents.ts";
import { createTrail, droppedCount, mergeTrails, type Trail } from "#kit/trail.ts";
import type { Clock, Random } from "#ports.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { toOrigin } from "#upstream/catalogue.ts";
import { findLink } from "#upstream/link.ts";
import type { DocumentRead, ReadInThread } from "#upstream/register-thread.ts";
import type { RunRequest } from "#upstream/run.ts";
import { toLookupFailure } from "#upstream/symptoms.ts";

/**
 * Takes places one by one; false: too many lie at its point already, and it is left out. `finish` puts
 * the set in the place of the last one.
 */
type SetBuilder = { add(place: Place): boolean; finish(fetched_at_ms: number): void };

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
/** Of one register; the largest have a few hundred thousand places. */
const MAX_PAGES = 2_000;
const MAX_PLACES = 1_000_000;
const MAX_BYTES = 512 * 1024 ** 2;
/** Parsed in some milliseconds. */
const HERE_BELOW_BYTES = 256 * 1024;
/** Places between two looks at the clock, and for how long one goes on without a pause. */
const LOOK_EVERY = 32;
const SLICE_MS = 4;

export function createRegistry<S extends LookupSettings>(
  registry: Registry<S>,
  settings: S,
  deps: Deps,
): RegistryRuntime {
  const { clock, random } = deps;
  let health: RegistryHealth = {
    status: "unavailable",
    reason: "not_loaded",
    last_success_at_ms: null,
    count: null,
  };
  let failures = 0;
  let known: Validators = NONE;
  let cancel = (): void => {};
  const controller = new AbortController();

  const requests = registry.requests(settings);
  const origin = toOrigin(requests.map(({ url }) => url).join(" "));

  const onFault = (error: unknown): void => deps.onFault(`register ${registry.id}`, error);

  async function recall(): Promise<void> {
    const kept = await recallSet(
      registry,
      settings,
      { ...deps, origin, onFault },
      controller.signal,
    );
    if (!kept) return;
    const { documents, count, dropped } = kept;
    known = documents;
    health = { status: "ok", reason: null, last_success_at_ms: documents.read_at_ms, count };
    deps.onEvent({
      registry: registry.id,
      outcome: "ok",
      reason: null,
      accepted: count,
      dropped,
      kept: true,
    });
  }

  /** Resolves with how long the set is good, or until it is tried again, ms. */
  async function renew(): Promise<number> {
    const read = await readAll(registry, settings, { ...deps, known, onFault }, controller.signal);
    if (controller.signal.aborted) return 0;
    const ok = read.failure === null;
    failures = ok ? 0 : failures + 1;
    if (ok) known = read.validators;
    const count = read.unchanged ? health.count : read.accepted;
    health = ok
      ? { status: "ok", reason: null, last_success_at_ms: clock.now(), count }
      : { ...health, status: read.failure!.status, reason: read.failure!.reason };
    deps.onEvent(toEvent(registry.id, health, read));
    if (ok && deps.documents)
      await keep(deps.documents, read, { id: registry.id, origin, now_ms: clock.now() });
    return ok ? deps.renew_ms : toRetry_ms(failures);
  }

  /** What is thrown on the way costs this reading, and not the next ones. */
  async function once(): Promise<void> {
    const wait_ms = await guard(renew, (error) => {
      onFault(error);
      return toRetry_ms(++failures);
    });
    if (controller.signal.aborted) return;
    cancel = clock.schedule(clock.now() + wait_ms * (1 + JITTER * random()), once);
  }
  return {
    async start() {
      if (deps.documents) await guard(recall, onFault);
      await once();
    },
    health: () => health,
    close() {
      cancel();
      controller.abort();
    },
  };
}

function toRetry_ms(failures: number): number {
  return Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
}

function toEvent(registry: string, health: RegistryHealth, read: ReadAll): RegistryEvent {
  const { accepted, dropped, reasons } = read;
  return {
    registry,
    outcome: health.status,
    accepted,
    dropped,
    reason: read.unchanged ? "not_modified" : health.reason,
    ...(reasons.length > 0 ? { reasons } : {}),
  };
}

type ReadDeps = Omit<Deps, "onFault"> & { onFault: (error: unknown) => void };

/** The set made of what was kept of the same addresses; null: nothing was. */
async function recallSet<S extends LookupSettings>(
  registry: Registry<S>,
  settings: S,
  deps: ReadDeps & { origin: string },
  signal: AbortSignal,
): Promise<{ documents: KeptDocuments; count: number; dropped: number } | null> {
  const documents = await deps.documents?.read(registry.id);
  if (!documents || documents.origin !== deps.origin) return null;
  const builder = deps.build();
  const trails: Trail[] = [];
  const crowded = createTrail();
  let count = 0;
  const add = (place: Place): void => {
    if (count > MAX_PLACES) return;
    if (builder.add(place)) count++;
    else crowded.drop(CROWDED, place.external_id);
  };
  for (const body of documents.bodies) {
    const read = await readDocument({ registry, settings, body }, { ...deps, add, signal });
    if (read.reason !== null || signal.aborted || count > MAX_PLACES) return null;
    trails.push(read.trail);
  }
  builder.finish(documents.read_at_ms);
  trails.push(crowded.toTrail());
  return { documents, count, dropped: droppedCount(mergeTrails(trails)) };
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

type ReadAll = {
  failure: Failure | null;
  accepted: number;
  dropped: number;
  reasons: Trail["dropped"];
  /** As they came; null: together they are too long to be kept. */
  bodies: Uint8Array[] | null;
  /** Nothing was read, since nothing has changed. */
  unchanged: boolean;
  validators: Validators;
};

async function readAll<S extends LookupSettings>(
  registry: Registry<S>,
  settings: S,
  deps: ReadDeps & { known: Validators },
  signal: AbortSignal,
): Promise<ReadAll> {
  const builder = deps.build();
  const trails: Trail[] = [];
  const crowded = createTrail();
  let accepted = 0;
  let bytes = 0;
  let validators = NONE;
  const kept = new KeptBodies(deps.documents === null ? 0 : MAX_KEPT_BYTES);
  const toResult = (failure: Failure | null, unchanged = false): ReadAll => {
    const { dropped: reasons } = mergeTrails([...trails, crowded.toTrail()]);
    const dropped = droppedCount({ dropped: reasons, repaired: [] });
    return { failure, accepted, dropped, reasons, bodies: kept.list(), unchanged, validators };
  };
  const queue: SourceRequest[] = registry.requests(settings);
  // A page or a document alone may be as it was while another has changed.
  const alone = queue.length === 1;
  if (alone) queue[0] = { ...queue[0]!, ...deps.known };
  for (let pages = 0; queue.length > 0; pages++) {
    const request = queue.shift()!;
    if (pages === MAX_PAGES) return toResult({ status: "error", reason: "too_many_pages" });
    const outcome = await deps.run(request, { signal });
    if (!isOk(outcome)) return toResult(toLookupFailure(outcome));
    const { value } = outcome;
    if (value.kind === "not_modified" && isConditional(request)) {
      validators = deps.known;
      deps.renew(deps.clock.now());
      return toResult(null, true);
    }
    if (value.kind !== "body") return toResult({ status: "error", reason: "unexpected" });
    bytes += value.body.byteLength;
    if (bytes > MAX_BYTES) return toResult({ status: "error", reason: "too_large" });
    kept.add(value.body);
    const add = (place: Place): void => {
      if (accepted > MAX_PLACES) return;
      if (builder.add(place)) accepted++;
      else crowded.drop(CROWDED, place.external_id);
    };
    const { reason, trail } = await readDocument(
      { registry, settings, body: value.body },
      { ...deps, add, signal },
    );
    trails.push(trail);
    if (signal.aborted) return toResult(CLOSED);
    if (reason !== null) return toResult({ status: "error", reason });
    if (accepted > MAX_PLACES) return toResult({ status: "error", reason: "too_many_places" });
    const next = nextPage(value.link, request.url);
    if (next !== null) queue.unshift({ ...request, ...NONE, url: next });
    else if (alone && pages === 0) {
      const { etag, last_modified } = value;
      validators = { etag, last_modified };
    }
  }
  builder.finish(deps.clock.now());
  return toResult(null);
}

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

type Reading = Pick<Deps, "pause" | "readInThread"> & {
  onFault: (error: unknown) => void;
  add: (place: Place) => void;
  signal: AbortSignal;
};

function readDocument<S extends LookupSettings>(
  { registry, settings, body }: { registry: Registry<S>; settings: S; body: Uint8Array },
  reading: Reading,
): Promise<DocumentRead> {
  const { readInThread, signal } = reading;
  if (readInThread && body.byteLength >= HERE_BELOW_BYTES)
    return readInThread(
      { id: registry.id, settings, body },
      { take: (places) => addAll(places, reading), signal },
    );
  return guard(
    () => readHere(registry.open, { settings, body }, reading),
    (error) => {
      reading.onFault(error);
      return { reason: DEFECT.reason, trail: NOTHING };
    },
  );
}

const NOTHING: Trail = { dropped: [], repaired: [] };

async function readHere<S>(
  open: Registry<S>["open"],
  { settings, body }: { settings: S; body: Uint8Array },
  reading: Reading,
): Promise<DocumentRead> {
  const trail = createTrail();
  const places = open(body, { settings, trail });
  if (places !== null) await addAll(places, reading);
  return { reason: places === null ? "wrong_shape" : null, trail: trail.toTrail() };
}

async function addAll(
  places: Iterable<Place | null>,
  { add, pause, signal }: Reading,
): Promise<void> {
  let seen = 0;
  let begun_ms = performance.now();
  for (const place of places) {
    if (place !== null) add(place);
    if (++seen % LOOK_EVERY !== 0 || performance.now() - begun_ms < SLICE_MS) continue;
    await pause();
    if (signal.aborted) break;
    begun_ms = performance.now();
  }
}

/** RFC 8288: only a page of the same site is one of the same document. */
function nextPage(link: string | null, base: string): string | null {
  const target = link === null ? null : findLink(link, "next");
  const url = target === null ? null : URL.parse(target, base);
  return url && url.origin === new URL(base).origin ? url.href : null;
}
