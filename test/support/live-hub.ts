/**
 * A live hub on a stopped clock, with callers that apply what they are sent. Its world is the real one
 * (`hubOver`) or one of rows that a test writes by hand (`SmallWorld`).
 */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type {
  ByeReason,
  LeftReason,
  LiveDeltaValue,
  LiveItemValue,
  LiveSnapshotValue,
} from "#api/live.ts";
import type { LiveByeValue, LiveSourceValue, LiveStatusValue } from "#api/live.ts";
import { LiveHub, type LiveHubDeps } from "#app/live/live-hub.ts";
import type { LiveScope, LiveStream, NoStream, LiveStreams } from "#app/live/live-types.ts";
import {
  createLiveWorld,
  type LiveWorld,
  type LiveWorldDeps,
  type SystemReading,
} from "#app/live/live-world.ts";
import { type Box, boxesTouch } from "#kit/geo.ts";
import { QUERY_MODES } from "#api/nearby-items.ts";
import { modeMask } from "#stations/shards.ts";
import type { ShardSink } from "#ports.ts";
import type { LiveRow } from "#world/live/live-rows.ts";
import { HERE, NOW_MS } from "./domain.ts";
import { noFault } from "./faults.ts";
import { createManualClock } from "./manual-clock.ts";

/** Around the place of the drawn systems: some 2 km. */
export const BOX: Box = {
  ...{ south: HERE.lat - 0.01, north: HERE.lat + 0.01 },
  ...{ west: HERE.lon - 0.01, east: HERE.lon + 0.01 },
};

export function scopeOf(change: Partial<LiveScope> = {}): LiveScope {
  return { box: BOX, modes: modeMask(QUERY_MODES), stations: true, vehicles: true, ...change };
}

type HubOptions = Partial<Omit<LiveHubDeps, "world" | "clock">>;

/** Everything but the world. `settle`: lets the hub do all that it can do now. */
export function createHub(
  world: LiveWorld,
  {
    clock = createManualClock(NOW_MS),
    ...rest
  }: HubOptions & { clock?: LiveHubDeps["clock"] } = {},
) {
  // The same numbers in every run.
  let drawn = 0;
  const hub = new LiveHub({
    ...{ clock, world },
    random: () => (drawn = (drawn + 0.381966) % 1),
    turn: () => Promise.resolve(),
    onFault: (error) => noFault("the live hub", error),
    ...rest,
  });
  const settle = async (): Promise<void> => {
    await setImmediate();
    await hub.flush();
    await setImmediate();
  };
  const open = (options: OpenOptions = {}): LiveCaller => new LiveCaller(hub, options);
  return { hub, settle, open };
}

/** No system of a test is unsurveyed, where it does not say so. */
export const nowhere: LiveWorldDeps["countries"] = () => Promise.resolve(() => []);

/** A hub over a world, and the sink that reports the hub what is put into the world. */
export function hubOver(
  {
    world,
    feeds,
    clock,
    countries = nowhere,
  }: Partial<Pick<LiveWorldDeps, "countries">> & Omit<LiveWorldDeps, "countries">,
  rest: HubOptions = {},
) {
  const made = createHub(createLiveWorld({ world, feeds, clock, countries }), { clock, ...rest });
  const put: ShardSink["put"] = async (shard) => {
    const refused = await world.put(shard);
    made.hub.noteShown(shard.source_id);
    return refused;
  };
  return { ...made, put };
}

type OpenOptions = {
  scope?: LiveScope;
  own?: string;
  block?: string | null;
  last_event_id?: string | null;
};

/** A caller that keeps what it is shown, and refuses what would not fit. */
export class LiveCaller {
  readonly frames: string[] = [];
  readonly items = new Map<string, LiveItemValue>();
  readonly sources = new Map<string, LiveSourceValue>();
  /** Kinds of the events, in order; `beat`: a comment. */
  readonly events: string[] = [];
  readonly lefts: { id: string; reason: LeftReason }[] = [];
  readonly opened: LiveStream | NoStream;
  bye: LiveByeValue | null = null;
  last_event_id: string | null = null;
  is_over = false;
  /** What the face was reported at the end. */
  ended_by: ByeReason | null = null;
  /** Takes nothing until `drain`. */
  is_slow = false;

  constructor(hub: LiveHub, options: OpenOptions) {
    const { scope = scopeOf(), own = "ip 1", block = null, last_event_id = null } = options;
    this.opened = hub.open({
      ...{ scope, owner: { own, block }, last_event_id },
      sink: { write: (frame) => this.#take(frame), end: (reason) => this.#end(reason) },
    });
  }

  get stream(): LiveStream {
    assert.ok(typeof this.opened !== "string", "refused");
    return this.opened;
  }

  drain(): void {
    this.is_slow = false;
    this.stream.resume();
  }

  /** What it shows now, as a snapshot has it. */
  get shown(): Pick<LiveSnapshotValue, "items" | "sources"> {
    return {
      items: [...this.items.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      sources: [...this.sources.values()].toSorted((a, b) => (a.source_id < b.source_id ? -1 : 1)),
    };
  }

  #end(reason: ByeReason | null = null): void {
    assert.equal(this.is_over, false, "ended twice");
    this.is_over = true;
    this.ended_by = reason;
  }

  #take(frame: string): boolean {
    assert.equal(this.is_over, false, "an event after the end");
    assert.ok(frame.endsWith("\n\n"));
    this.frames.push(frame);
    for (const block of frame.split("\n\n").slice(0, -1)) this.#read(block);
    return !this.is_slow;
  }

  #read(block: string): void {
    if (block.startsWith("retry: ")) return;
    if (block.startsWith(":")) {
      this.events.push("beat");
      return;
    }
    const fields = new Map(
      block.split("\n").map((line) => {
        const at = line.indexOf(": ");
        return [line.slice(0, at), line.slice(at + 2)] as const;
      }),
    );
    const event = fields.get("event")!;
    this.events.push(event);
    this.last_event_id = fields.get("id") ?? this.last_event_id;
    this.#apply(event, JSON.parse(fields.get("data")!));
  }

  #apply(event: string, data: unknown): void {
    if (event === "snapshot") this.#reset(data as LiveSnapshotValue);
    else if (event === "delta") this.#change(data as LiveDeltaValue);
    else if (event === "status") this.#note((data as LiveStatusValue).sources);
    else if (event === "bye") this.bye = data as LiveByeValue;
    else assert.fail(`an event ${event}`);
  }

  #reset({ items, sources }: LiveSnapshotValue): void {
    this.items.clear();
    this.sources.clear();
    for (const item of items) this.items.set(item.id, item);
    this.#note(sources);
  }

  #change({ entered, changed, left, sources = [] }: LiveDeltaValue): void {
    for (const item of entered) {
      assert.ok(!this.items.has(item.id), `${item.id} entered twice`);
      this.items.set(item.id, item);
    }
    for (const item of changed) {
      assert.ok(this.items.has(item.id), `${item.id} changed and was not there`);
      this.items.set(item.id, item);
    }
    for (const each of left) {
      assert.ok(this.items.delete(each.id), `${each.id} left and was not there`);
      this.lefts.push(each);
    }
    this.#note(sources);
  }

  #note(sources: readonly LiveSourceValue[]): void {
    for (const source of sources) this.sources.set(source.source_id, source);
  }
}

type SmallSystem = {
  rows: Map<string, LiveRow>;
  box: Box | null;
  version: number;
  neighbours: Set<string>;
  source: LiveSourceValue;
  /** Thrown by the next readings. */
  error: Error | null;
};

/** A world whose rows a test writes by hand; it knows nothing of shards. */
export class SmallWorld implements LiveWorld {
  readonly #systems = new Map<string, SmallSystem>();
  readonly woken: string[] = [];
  readonly prioritised: Box[] = [];
  readonly read: string[] = [];
  /** Called when a reading of this system is half done. */
  onStep: ((source_id: string) => void) | null = null;
  reason: LeftReason = "gone";
  /** What the wait for sources does. */
  onBring: (source_ids: readonly string[]) => void | Promise<void> = () => undefined;

  /** Adds a system, or shows other rows of one. */
  show(source_id: string, rows: readonly LiveRow[], change: Partial<SmallSystem> = {}): void {
    const before = this.#systems.get(source_id);
    this.#systems.set(source_id, {
      ...{ box: BOX, neighbours: new Set<string>(), error: null },
      source: aSource(source_id),
      ...before,
      version: (before?.version ?? 0) + 1,
      rows: new Map(rows.map((row) => [row.id, row])),
      ...change,
    });
  }

  set(source_id: string, change: Partial<SmallSystem>): void {
    Object.assign(this.#find(source_id), change);
  }

  listIn(box: Box): string[] {
    return [...this.#systems].flatMap(([id, { box: own }]) =>
      own && boxesTouch(own, box, 0) ? [id] : [],
    );
  }

  boxOf(source_id: string): Box | null {
    return this.#find(source_id).box;
  }

  makingsOf(source_id: string): { version: number } {
    return { version: this.#find(source_id).version };
  }

  isMadeOf(source_id: string, makings: object): boolean {
    return this.makingsOf(source_id).version === (makings as { version: number }).version;
  }

  neighboursOf(source_id: string): ReadonlySet<string> {
    return this.#find(source_id).neighbours;
  }

  begin(source_id: string): SystemReading {
    const { rows, error } = this.#find(source_id);
    this.read.push(source_id);
    if (error) throw error;
    let steps = 0;
    return {
      step: () => {
        if (steps === 0) this.onStep?.(source_id);
        return ++steps === 2;
      },
      result: () => ({ rows: new Map(rows), lost: false }),
    };
  }

  reasonOf(): LeftReason {
    return this.reason;
  }

  /** Whatever a test makes of its rows may depend on the time. */
  mayChangeByTime(): boolean {
    return true;
  }

  sourceOf(source_id: string): LiveSourceValue {
    return this.#find(source_id).source;
  }

  wake(source_id: string): void {
    this.woken.push(source_id);
  }

  async prioritise(box: Box): Promise<void> {
    this.prioritised.push(box);
    await Promise.resolve();
  }

  async bring(source_ids: readonly string[]): Promise<void> {
    await this.onBring(source_ids);
  }

  #find(source_id: string): SmallSystem {
    return this.#systems.get(source_id)!;
  }
}

export function aSource(source_id: string, change: Partial<LiveSourceValue> = {}): LiveSourceValue {
  const network = { id: source_id, name: source_id };
  const as_of = "2026-09-21T13:46:00Z";
  return { source_id, network, color: null, state: "fresh", as_of, ...change };
}

/** A row some metres around the middle of `BOX`; `says` makes its text another one. */
export function aRow(id: string, says = 1, change: Partial<Omit<LiveRow, "text">> = {}): LiveRow {
  const row = { id, lat: HERE.lat, lon: HERE.lon, modes: 1, vehicle: true, ...change };
  const location = { lat: row.lat, lon: row.lon };
  return { ...row, text: JSON.stringify({ id, location, vehicles: says }) };
}

/** What a poll of a scope gets, read as its caller reads it. */
export async function poll(
  streams: Pick<LiveStreams, "read">,
  scope: LiveScope,
  deadline_ms: number,
): Promise<LiveSnapshotValue | "large"> {
  const reply = await streams.read(scope, deadline_ms);
  return reply === "large" ? reply : (JSON.parse(reply.json) as LiveSnapshotValue);
}
