/**
 * The stream in the simplest way: everything is looked at again for every subscriber. A judge of the
 * schedules' own judge: what it says passes, and with a fault planted in it, fails.
 */
import type { LiveItemValue, LiveSnapshotValue, LeftReason } from "#api/live.ts";
import type {
  LiveScope,
  LiveStream,
  LiveStreams,
  StreamRequest,
  SnapshotJson,
} from "#app/live/live-types.ts";
import { modeMask } from "#stations/shards.ts";
import type { Truth } from "./live-truth.ts";

/** What a fault does: the number of the event, and what would be sent; null: nothing is sent. */
export type Plant = (delta: Delta, number: number) => Delta | null;

type Delta = {
  entered: LiveItemValue[];
  changed: LiveItemValue[];
  left: { id: string; reason: LeftReason }[];
};

type Known = ReadonlyMap<string, Truth>;
type Deps = {
  now: () => number;
  /** What is shown now. */
  truth: () => Known;
  /** Why something that was shown is not in the box any more. */
  reasonOf: (before: Truth, known: Known, scope: LiveScope) => LeftReason;
  plant?: Plant | undefined;
};

const JOURNAL_MS = 60_000;

export class NaiveStreams implements LiveStreams {
  readonly #deps: Deps;
  readonly #open = new Set<NaiveStream>();
  /** What was shown at each generation, oldest first. */
  #journal: { generation: number; at_ms: number; known: Known }[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.note();
  }

  /** Looks at the world again; everything that is to be said is said. */
  note(): void {
    const { now, truth } = this.#deps;
    const last = this.#journal.at(-1);
    const generation = (last?.generation ?? 0) + 1;
    this.#journal.push({ generation, at_ms: now(), known: truth() });
    this.#journal = this.#journal.filter(({ at_ms }) => now() - at_ms <= JOURNAL_MS);
    for (const stream of this.#open) stream.advance();
  }

  get latest(): { generation: number; known: Known } {
    return this.#journal.at(-1)!;
  }

  find(generation: number): Known | null {
    return this.#journal.find((each) => each.generation === generation)?.known ?? null;
  }

  open(request: StreamRequest): LiveStream {
    const stream = new NaiveStream(this, this.#deps, request);
    this.#open.add(stream);
    stream.begin();
    return {
      resume: () => stream.resume(),
      leave: () => void this.#open.delete(stream),
      end: () => void this.#open.delete(stream),
    };
  }

  read(scope: LiveScope): Promise<SnapshotJson> {
    const snapshot = snapshotOf(scope, this.latest.known, this.#deps.now());
    return Promise.resolve({ json: JSON.stringify(snapshot) });
  }
}

class NaiveStream {
  readonly #all: NaiveStreams;
  readonly #deps: Deps;
  readonly #request: StreamRequest;
  #generation = 0;
  #takes = true;
  #sent = 0;

  constructor(all: NaiveStreams, deps: Deps, request: StreamRequest) {
    this.#all = all;
    this.#deps = deps;
    this.#request = request;
  }

  begin(): void {
    const { last_event_id, scope, sink } = this.#request;
    const [instance, digest, generation] = (last_event_id ?? "").split(".");
    const known = instance === "naive" && digest === digestOf(scope);
    if (known && this.#all.find(Number(generation))) {
      this.#generation = Number(generation);
      this.advance();
      return;
    }
    const { known: shown, generation: latest } = this.#all.latest;
    this.#generation = latest;
    const body = JSON.stringify(snapshotOf(scope, shown, this.#deps.now()));
    this.#takes = sink.write(`retry: 2000\n\n${frame("snapshot", this.#id(), body)}`);
  }

  resume(): void {
    this.#takes = true;
    this.advance();
  }

  advance(): void {
    if (!this.#takes) return;
    const { scope, sink } = this.#request;
    const before = this.#all.find(this.#generation);
    if (before === null) {
      const bye = { reason: "slow", message: "too slow", retry_after_s: 0 };
      sink.write(frame("bye", null, JSON.stringify(bye)));
      sink.end("slow");
      this.#takes = false;
      return;
    }
    const { known, generation } = this.#all.latest;
    const whole = this.#diff(before, known, scope);
    const { plant } = this.#deps;
    const delta = plant ? plant(whole, this.#sent) : whole;
    this.#generation = generation;
    if (delta === null) return;
    const { entered, changed, left } = delta;
    if (entered.length + changed.length + left.length === 0) return;
    this.#sent++;
    const at = new Date(this.#deps.now()).toISOString();
    this.#takes = sink.write(frame("delta", this.#id(), JSON.stringify({ at, ...delta })));
  }

  #id(): string {
    return `naive.${digestOf(this.#request.scope)}.${this.#generation}`;
  }

  #diff(before: Known, known: Known, scope: LiveScope): Delta {
    const delta: Delta = { entered: [], changed: [], left: [] };
    for (const [id, { item }] of known) {
      if (!isIn(scope, item)) continue;
      const old = before.get(id)?.item;
      if (!old || !isIn(scope, old)) delta.entered.push(item);
      else if (JSON.stringify(old) !== JSON.stringify(item)) delta.changed.push(item);
    }
    for (const [id, truth] of before) {
      if (!isIn(scope, truth.item)) continue;
      const now = known.get(id);
      if (now && isIn(scope, now.item)) continue;
      delta.left.push({ id, reason: this.#deps.reasonOf(truth, known, scope) });
    }
    return delta;
  }
}

function snapshotOf(scope: LiveScope, known: Known, now_ms: number): LiveSnapshotValue {
  const { west, south, east, north } = scope.box;
  const items = [...known.values()].map(({ item }) => item).filter((item) => isIn(scope, item));
  items.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    at: new Date(now_ms).toISOString(),
    bbox: [west, south, east, north],
    items,
    sources: [],
  };
}

/** Whether a subscriber of this scope sees the item. */
export function isIn(scope: LiveScope, { kind, location, modes }: LiveItemValue): boolean {
  if (kind === "station" ? !scope.stations : !scope.vehicles) return false;
  return isInBox(scope, location) && (modeMask(modes) & scope.modes) !== 0;
}

/** Edges belong to the box. */
export function isInBox(
  { box }: Pick<LiveScope, "box">,
  { lat, lon }: LiveItemValue["location"],
): boolean {
  if (lat < box.south || lat > box.north) return false;
  return box.west <= box.east
    ? lon >= box.west && lon <= box.east
    : lon >= box.west || lon <= box.east;
}

function digestOf(scope: LiveScope): string {
  return Buffer.from(JSON.stringify(scope)).toString("base64url");
}

function frame(event: string, id: string | null, data: string): string {
  return `event: ${event}\n${id === null ? "" : `id: ${id}\n`}data: ${data}\n\n`;
}
