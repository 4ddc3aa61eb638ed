/**
 * Keeps what stations, chargers and car parks had free in the last 24 hours, as this process saw it: of
 * a system when one of its reports is published, of chargers and car parks when an answer shows them.
 */
import { CountHistory, type CountSample, SLOTS, STEP_MS } from "#core/history/count-history.ts";
import { findFreeCounts } from "#core/places/free-counts.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import { detach, guard } from "#kit/guard.ts";
import { runSteps, type Turn } from "#kit/run/turn.ts";
import { parseRfc3339 } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import { readStationCounts } from "#world/live/station-counts.ts";
import type { World } from "#world/world.ts";

export type CountRecorderDeps = {
  world: Pick<World, "find">;
  clock: Pick<Clock, "now">;
  /** Lets others have the thread when it is time. */
  turn: Turn;
  /** Megabytes of the counts of all; 0: nothing is kept. */
  max_mb: number;
  /** The maps provider, whose terms let nothing of it be kept. */
  maps_id: string;
  /** Receives what one system throws; the others go on. */
  onFault: (error: unknown) => void;
};

/** What of an item is read here. */
type Stating = Pick<OpenItem, "id" | "source_id" | "attributes">;

/** `since_ms`: since when this process has been recording; null: it records nothing. */
export type RecordedCounts = { since_ms: number | null; samples: CountSample[] | null };

const BYTES_PER_MB = 1_000_000;

export class CountRecorder {
  readonly #deps: CountRecorderDeps;
  readonly #history: CountHistory | null;
  readonly #since_ms: number;
  /** The ten minutes of the last report of each system that was read. */
  readonly #read = new Map<string, number>();
  readonly #due = new Set<string>();
  #is_running = false;

  constructor(deps: CountRecorderDeps) {
    this.#deps = deps;
    this.#history = deps.max_mb > 0 ? new CountHistory(deps.max_mb * BYTES_PER_MB) : null;
    this.#since_ms = deps.clock.now();
  }

  get size() {
    return this.#history?.size ?? { series: 0, bytes: 0 };
  }

  /** Notes that something else is shown of a source; its stations are read in slices, later. */
  noteShown(source_id: string): void {
    const doc_s = this.#deps.world.find(source_id)?.shard?.status?.live?.doc_s;
    if (this.#history === null || doc_s === undefined) return;
    const slot = Math.floor((doc_s * 1_000) / STEP_MS);
    if (slot <= (this.#read.get(source_id) ?? -Infinity)) return;
    this.#read.set(source_id, slot);
    this.#due.add(source_id);
    if (!this.#is_running) detach(this.#readDue(), this.#deps.onFault);
  }

  /** Notes the places of an answer that state how much is free, at the time that they state. */
  noteServices(items: readonly Stating[]): void {
    const history = this.#history;
    if (history === null) return;
    const { clock, maps_id } = this.#deps;
    const now_ms = clock.now();
    for (const item of items) {
      const free = toFree(item, maps_id);
      if (free !== null && free.at_ms <= now_ms && free.at_ms > now_ms - SLOTS * STEP_MS)
        history.add(item.id, free.at_ms, [free.count, free.of]);
    }
  }

  read(id: string): RecordedCounts {
    if (this.#history === null) return { since_ms: null, samples: null };
    return {
      since_ms: this.#since_ms,
      samples: this.#history.read(id, this.#deps.clock.now()),
    };
  }

  async #readDue(): Promise<void> {
    this.#is_running = true;
    for (const source_id of this.#due) {
      this.#due.delete(source_id);
      await guard(() => this.#readSystem(source_id), this.#deps.onFault);
    }
    this.#is_running = false;
  }

  async #readSystem(source_id: string): Promise<void> {
    const { world, clock, turn } = this.#deps;
    const entry = world.find(source_id);
    if (!entry) return;
    const now_ms = clock.now();
    await turn();
    const steps = readStationCounts(entry, now_ms, ({ id, at_ms, vehicles, docks }) =>
      this.#history!.add(id, Math.min(at_ms, now_ms), [vehicles, docks]),
    );
    await runSteps(steps, turn);
  }
}

/** How much is free, and when that was so; null: not stated, or of a source that may not be kept. */
function toFree({ attributes, source_id }: Stating, maps_id: string) {
  const stated = findFreeCounts(attributes);
  if (stated === null || [source_id, stated.source].includes(maps_id)) return null;
  const at_ms = stated.at === null ? null : parseRfc3339(stated.at);
  return at_ms === null ? null : { count: stated.free, of: stated.total, at_ms };
}
