/**
 * The documents of a register, read into a set: small ones here, in slices of some milliseconds, and
 * large ones in a thread.
 */
import { CROWDED } from "#core/places/crowd.ts";
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { guard } from "#kit/guard.ts";
import { DEFECT } from "#kit/outcome.ts";
import { createTrail, droppedCount, mergeTrails, type Trail } from "#kit/trail.ts";
import type { Companions, LookupSettings, Registry } from "#providers/lookup.ts";
import type { ReaderKey } from "#providers/register-protocol.ts";
import type { DocumentRead, ReadInThread } from "#upstream/register-thread.ts";

/** What a register has in a row. */
export type RegisterRow = Place | LiveState;

/**
 * Takes rows one by one; false: too many lie at its point already, and it is left out; a text: it is
 * left out for another reason. `finish` puts the set in the place of the last one.
 */
export type SetBuilder<R = Place> = {
  add(row: R): boolean | string;
  finish(fetched_at_ms: number): void;
};

export type ReadDeps<R> = {
  build: () => SetBuilder<R>;
  /** Lets others have the thread. */
  pause: () => Promise<void>;
  /** For documents too large to be read here; undefined: all are read here. */
  readInThread?: ReadInThread;
  onFault: (error: unknown) => void;
  signal: AbortSignal;
};

/** Of one register; the largest have a few hundred thousand rows. */
const MAX_ROWS = 1_000_000;
/** Parsed in some milliseconds. */
const HERE_BELOW_BYTES = 256 * 1024;
/** Rows between two looks at the clock, and for how long one goes on without a pause. */
const LOOK_EVERY = 32;
const SLICE_MS = 4;

export type SetCounts = {
  accepted: number;
  dropped: number;
  reasons: Trail["dropped"];
  repaired: Trail["repaired"];
};

/** A set while it is read: its rows, and why others were left out. */
export class SetReading<S extends LookupSettings, R extends RegisterRow = Place> {
  readonly #registry: Registry<S, R>;
  readonly #settings: S;
  readonly #deps: ReadDeps<R>;
  readonly #builder: SetBuilder<R>;
  readonly #companions = { bodies: [] as Uint8Array[] };
  readonly #trails: Trail[] = [];
  readonly #left_out = createTrail();
  #accepted = 0;

  constructor(registry: Registry<S, R>, settings: S, deps: ReadDeps<R>) {
    this.#registry = registry;
    this.#settings = settings;
    this.#deps = deps;
    this.#builder = deps.build();
  }

  /** It has more rows than a register may have. */
  get isFull(): boolean {
    return this.#accepted > MAX_ROWS;
  }

  /** Of all documents that others are read with. */
  get companion_bytes(): number {
    return this.#companions.bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Reads a document; `reason` null: to its end. */
  async read(body: Uint8Array): Promise<Pick<DocumentRead, "reason" | "next">> {
    const [registry, settings] = [this.#registry, this.#settings];
    const document = { registry, settings, body, companions: this.#companions };
    const add = (row: R): void => this.#add(row);
    const { reason, trail, next } = await readDocument(document, { ...this.#deps, add });
    this.#trails.push(trail);
    return { reason, next };
  }

  /** Takes a document that all that follow are read with; null: it cannot be had. */
  addCompanion(body: Uint8Array | null): void {
    if (body) this.#companions.bodies.push(body);
    else this.#left_out.repair("companion_not_read", this.#registry.id);
  }

  /** Notes that a page is named that is none of the same document. */
  leaveOutPage(): void {
    this.#left_out.drop("next_page_not_read", this.#registry.id);
  }

  counts(): SetCounts {
    const trail = mergeTrails([...this.#trails, this.#left_out.toTrail()]);
    const { dropped: reasons, repaired } = trail;
    return { accepted: this.#accepted, dropped: droppedCount(trail), reasons, repaired };
  }

  /** Puts the set in the place of the last one. */
  finish(fetched_at_ms: number): SetCounts {
    this.#builder.finish(fetched_at_ms);
    return this.counts();
  }

  #add(row: R): void {
    if (this.isFull) return;
    const taken = this.#builder.add(row);
    if (taken === true) this.#accepted++;
    else this.#left_out.drop(taken || CROWDED, "external_id" in row ? row.external_id : row.id);
  }
}

type Reading<R> = Omit<ReadDeps<R>, "build"> & { add: (row: R) => void };
type Document<S, R> = {
  registry: Registry<S, R>;
  settings: S;
  body: Uint8Array;
  companions: Companions;
};

function readDocument<S extends LookupSettings, R extends RegisterRow>(
  document: Document<S, R>,
  reading: Reading<R>,
): Promise<DocumentRead> {
  const { registry, settings, body, companions } = document;
  const { readInThread, signal } = reading;
  if (readInThread && body.byteLength >= HERE_BELOW_BYTES)
    return readInThread(
      { ...keyOf(registry), settings, body, companions: { bodies: companions.bodies } },
      // The thread has it from the same reader.
      { take: (rows) => addAll(rows as readonly R[], reading), signal },
    );
  return guard(
    () => readHere(document, reading),
    (error) => {
      reading.onFault(error);
      return { reason: DEFECT.reason, trail: NOTHING, next: null };
    },
  );
}

const NOTHING: Trail = { dropped: [], repaired: [] };

function keyOf<S, R>({ id, reader }: Registry<S, R>): ReaderKey {
  return reader ? { id, reader } : { id };
}

async function readHere<S, R>(
  { registry, settings, body, companions }: Document<S, R>,
  reading: Reading<R>,
): Promise<DocumentRead> {
  const trail = createTrail();
  const rows = registry.open(body, { settings, trail, companions });
  if (rows !== null) await addAll(rows, reading);
  if (rows === null) return { reason: "wrong_shape", trail: trail.toTrail(), next: null };
  return { reason: null, trail: trail.toTrail(), next: registry.nextPage?.(body) ?? null };
}

async function addAll<R>(
  rows: Iterable<R | null>,
  { add, pause, signal }: Reading<R>,
): Promise<void> {
  let seen = 0;
  let begun_ms = performance.now();
  for (const row of rows) {
    if (row !== null) add(row);
    if (++seen % LOOK_EVERY !== 0 || performance.now() - begun_ms < SLICE_MS) continue;
    await pause();
    if (signal.aborted) break;
    begun_ms = performance.now();
  }
}
