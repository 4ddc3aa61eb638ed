/**
 * The documents of a register, read into a set: small ones here, in slices of some milliseconds, and
 * large ones in a thread.
 */
import { CROWDED } from "#core/places/crowd.ts";
import type { Place } from "#core/places/place.ts";
import { guard } from "#kit/guard.ts";
import { DEFECT } from "#kit/outcome.ts";
import { createTrail, droppedCount, mergeTrails, type Trail } from "#kit/trail.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import type { DocumentRead, ReadInThread } from "#upstream/register-thread.ts";

/**
 * Takes places one by one; false: too many lie at its point already, and it is left out. `finish` puts
 * the set in the place of the last one.
 */
export type SetBuilder = { add(place: Place): boolean; finish(fetched_at_ms: number): void };

type ReadDeps = {
  build: () => SetBuilder;
  /** Lets others have the thread. */
  pause: () => Promise<void>;
  /** For documents too large to be read here; undefined: all are read here. */
  readInThread?: ReadInThread;
  onFault: (error: unknown) => void;
  signal: AbortSignal;
};

/** Of one register; the largest have a few hundred thousand places. */
const MAX_PLACES = 1_000_000;
/** Parsed in some milliseconds. */
const HERE_BELOW_BYTES = 256 * 1024;
/** Places between two looks at the clock, and for how long one goes on without a pause. */
const LOOK_EVERY = 32;
const SLICE_MS = 4;

export type SetCounts = {
  accepted: number;
  dropped: number;
  reasons: Trail["dropped"];
  repaired: Trail["repaired"];
};

/** A set while it is read: its places, and why others were left out. */
export class SetReading<S extends LookupSettings> {
  readonly #registry: Registry<S>;
  readonly #settings: S;
  readonly #deps: ReadDeps;
  readonly #builder: SetBuilder;
  readonly #trails: Trail[] = [];
  readonly #crowded = createTrail();
  #accepted = 0;

  constructor(registry: Registry<S>, settings: S, deps: ReadDeps) {
    this.#registry = registry;
    this.#settings = settings;
    this.#deps = deps;
    this.#builder = deps.build();
  }

  /** It has more places than a register may have. */
  get isFull(): boolean {
    return this.#accepted > MAX_PLACES;
  }

  /** Reads a document; null: to its end. */
  async read(body: Uint8Array): Promise<string | null> {
    const document = { registry: this.#registry, settings: this.#settings, body };
    const add = (place: Place): void => this.#add(place);
    const { reason, trail } = await readDocument(document, { ...this.#deps, add });
    this.#trails.push(trail);
    return reason;
  }

  counts(): SetCounts {
    const trail = mergeTrails([...this.#trails, this.#crowded.toTrail()]);
    const { dropped: reasons, repaired } = trail;
    return { accepted: this.#accepted, dropped: droppedCount(trail), reasons, repaired };
  }

  /** Puts the set in the place of the last one. */
  finish(fetched_at_ms: number): ReturnType<SetReading<S>["counts"]> {
    this.#builder.finish(fetched_at_ms);
    return this.counts();
  }

  #add(place: Place): void {
    if (this.isFull) return;
    if (this.#builder.add(place)) this.#accepted++;
    else this.#crowded.drop(CROWDED, place.external_id);
  }
}

type Reading = Omit<ReadDeps, "build"> & { add: (place: Place) => void };

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
