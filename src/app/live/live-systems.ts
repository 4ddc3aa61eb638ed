/**
 * The systems that a caller watches: which of them are to be read again, and their reading, a slice at
 * a time. All that is read together is of one moment: what is replaced meanwhile is read once more.
 */
import type { LiveSourceValue } from "#api/live.ts";
import type { Box } from "#kit/geo.ts";
import { attempt, detach, guard } from "#kit/guard.ts";
import type { LiveRow } from "#world/live/live-rows.ts";
import type { LiveWorld, Makings } from "./live-world.ts";

export type LiveSystem = {
  readonly source_id: string;
  readonly rows: Map<string, LiveRow>;
  has_been_read: boolean;
  /** What its rows were made of; null: it is being read for the first time. */
  makings: Makings | null;
  neighbours: ReadonlySet<string>;
  /** Epoch ms. */
  read_ms: number;
  /** Its last reading has failed by a defect of ours. */
  is_faulty: boolean;
  source: KnownSource;
  /** How many scopes it may have things in. */
  scopes: number;
  woken_ms: number;
  /** When a poll wanted it last, epoch ms. */
  polled_ms: number;
};

/** A source as subscribers know it. */
export type KnownSource = {
  text: string;
  /** Its text without its time, which alone is no news. */
  news: string;
  /** The last generation in which it changed. */
  generation: number;
};

/** Rows that were read, of one moment, by system. */
export type ReadRows = ReadonlyMap<LiveSystem, ReadonlyMap<string, LiveRow>>;

/** State changes with time alone: hours close, vehicles are gone. */
const READ_AGAIN_MS = 15_000;
/** Where nothing is known that could change: stations fall silent, a day after they spoke. */
const READ_ANYHOW_MS = 60_000;
const WAKE_MS = 60_000;
/** How long rows are kept for the next poll. */
const POLLED_MS = 60_000;
/** Rows that are read without looking at the time. */
const STEP_ROWS = 256;
/** Readings of one moment: what was replaced meanwhile is read again twice at most. */
const ROUNDS = 3;
const NO_NEIGHBOURS: ReadonlySet<string> = new Set();
const UNKNOWN_SOURCE: KnownSource = { text: "", news: "", generation: 0 };

type WokenScope = {
  readonly wish: { box: Box };
  readonly systems: Iterable<LiveSystem>;
  /** Epoch ms. */
  prioritised_ms: number;
};

export type LiveSystemsDeps = {
  world: LiveWorld;
  now(): number;
  /** Lets others have the thread when it is time. */
  turn(): Promise<void> | undefined;
  onFault(error: unknown): void;
};

export class LiveSystems {
  readonly #deps: LiveSystemsDeps;
  readonly #systems = new Map<string, LiveSystem>();
  readonly #due = new Set<LiveSystem>();
  /** Whose source may have changed. */
  readonly #looks = new Set<LiveSystem>();

  constructor(deps: LiveSystemsDeps) {
    this.#deps = deps;
  }

  get count(): number {
    return this.#systems.size;
  }

  /** Reports whether some system waits to be read for the first time, or for a poll. */
  get is_due(): boolean {
    return this.#due.size > 0;
  }

  list(): Iterable<LiveSystem> {
    return this.#systems.values();
  }

  find(source_id: string): LiveSystem | undefined {
    return this.#systems.get(source_id);
  }

  /** Returns a system for a scope; its first snapshot waits until it is read as it is now. */
  watch(source_id: string): LiveSystem {
    const system = this.#take(source_id);
    if (system.scopes > 0) return system;
    system.has_been_read = false;
    this.#due.add(system);
    return system;
  }

  /** Returns a system for a poll, which reads it where it is not as it should be. */
  poll(source_id: string, now_ms: number): LiveSystem {
    const system = this.#take(source_id);
    system.polled_ms = now_ms;
    if (this.#isReplaced(system) || this.#isAged(system, now_ms)) this.#due.add(system);
    return system;
  }

  /** Has the systems of a scope polled, and those surveyed first that may be in it. */
  wakeIn(scope: WokenScope, now_ms: number): void {
    const { world, onFault } = this.#deps;
    for (const system of scope.systems) {
      if (now_ms - system.woken_ms < WAKE_MS) continue;
      system.woken_ms = now_ms;
      world.wake(system.source_id);
    }
    if (now_ms - scope.prioritised_ms < WAKE_MS) return;
    scope.prioritised_ms = now_ms;
    detach(world.prioritise(scope.wish.box), onFault);
  }

  /** Makes its source news: there are scopes that do not know it. */
  reportAgain(system: LiveSystem): void {
    system.source = UNKNOWN_SOURCE;
    this.#looks.add(system);
  }

  /** Notes which have not been looked at for long; true: some have. */
  noteAged(now_ms: number): boolean {
    for (const system of this.#systems.values())
      if (system.scopes > 0 && this.#isAged(system, now_ms)) this.#due.add(system);
    return this.is_due;
  }

  #isAged({ source_id, read_ms }: LiveSystem, now_ms: number): boolean {
    const age_ms = now_ms - read_ms;
    if (age_ms < READ_AGAIN_MS) return false;
    return age_ms >= READ_ANYHOW_MS || this.#deps.world.mayChangeByTime(source_id, read_ms, now_ms);
  }

  /** Forgets what no caller watches, and returns it: its rows are to be taken out. */
  dropIdle(now_ms: number): LiveSystem[] {
    const idle = [...this.#systems.values()].filter(
      ({ scopes, polled_ms }) => scopes === 0 && now_ms - polled_ms > POLLED_MS,
    );
    for (const system of idle) {
      this.#systems.delete(system.source_id);
      this.#due.delete(system);
    }
    return idle;
  }

  /** Reads what is due, and all that has been replaced. */
  async read(): Promise<ReadRows> {
    const batch = new Map<LiveSystem, ReadonlyMap<string, LiveRow>>();
    for (let round = 0; round < ROUNDS; round++) {
      this.#noteReplaced();
      const due = [...this.#due];
      if (due.length === 0) break;
      this.#due.clear();
      for (const system of due) {
        const rows = await guard(
          () => this.#readOne(system),
          (error) => {
            this.#deps.onFault(error);
            return null;
          },
        );
        system.is_faulty = rows === null;
        system.has_been_read = true;
        this.#looks.add(system);
        if (rows) batch.set(system, rows);
      }
    }
    // Those of the last round that were replaced again stay due.
    this.#noteReplaced();
    for (const system of batch.keys())
      if (this.#systems.get(system.source_id) !== system) batch.delete(system);
    return batch;
  }

  /** Notes that a source has published something; false: no caller watches it. */
  noteShown(source_id: string): boolean {
    const system = this.#systems.get(source_id);
    if (system) this.#looks.add(system);
    return system !== undefined && system.scopes > 0;
  }

  /** Notes that time has passed, which makes sources old. */
  noteTime(): void {
    for (const system of this.#systems.values()) this.#looks.add(system);
  }

  /** Looks at the sources that may have changed; returns those that have, and whether that is news. */
  lookAtSources(now_ms: number, generation: number): Map<LiveSystem, { is_news: boolean }> {
    const changed = new Map<LiveSystem, { is_news: boolean }>();
    const looks = [...this.#looks];
    this.#looks.clear();
    for (const system of looks) {
      const source = attempt(() => this.#look(system, now_ms), this.#deps.onFault);
      if (!source || source.text === system.source.text) continue;
      changed.set(system, { is_news: source.news !== system.source.news });
      system.source = { ...source, generation };
    }
    return changed;
  }

  #take(source_id: string): LiveSystem {
    let system = this.#systems.get(source_id);
    if (!system) {
      system = {
        ...{ source_id, rows: new Map(), has_been_read: false, makings: null, is_faulty: false },
        ...{ neighbours: NO_NEIGHBOURS, read_ms: 0, source: UNKNOWN_SOURCE, scopes: 0 },
        ...{ woken_ms: -Infinity, polled_ms: -Infinity },
      };
      this.#systems.set(source_id, system);
      this.#due.add(system);
    }
    return system;
  }

  #look(system: LiveSystem, now_ms: number): Pick<KnownSource, "text" | "news"> {
    const seen = this.#deps.world.sourceOf(system.source_id, now_ms);
    const source = system.is_faulty ? { ...seen, state: stateOfFaulty(system) } : seen;
    return { text: JSON.stringify(source), news: JSON.stringify({ ...source, as_of: null }) };
  }

  async #readOne(system: LiveSystem): Promise<ReadonlyMap<string, LiveRow>> {
    const { world, now, turn } = this.#deps;
    const { source_id } = system;
    system.read_ms = now();
    system.makings = world.makingsOf(source_id);
    system.neighbours = world.neighboursOf(source_id);
    const reading = world.begin(source_id, system.read_ms);
    while (!reading.step(STEP_ROWS)) await turn();
    await turn();
    return reading.result().rows;
  }

  /** With a system that was replaced those are due that show what it has, before it and after. */
  #noteReplaced(): void {
    const { world } = this.#deps;
    for (const system of this.#systems.values()) {
      if (system.scopes === 0 || !this.#isReplaced(system)) continue;
      this.#due.add(system);
      for (const ids of [system.neighbours, world.neighboursOf(system.source_id)])
        for (const id of ids) {
          const neighbour = this.#systems.get(id);
          if (neighbour) this.#due.add(neighbour);
        }
    }
  }

  #isReplaced({ source_id, makings }: LiveSystem): boolean {
    return makings === null || !this.#deps.world.isMadeOf(source_id, makings);
  }
}

/** What it had is shown on, as far as it had anything. */
function stateOfFaulty({ rows }: LiveSystem): LiveSourceValue["state"] {
  return rows.size > 0 ? "old" : "lost";
}
