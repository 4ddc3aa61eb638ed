/**
 * Drawn schedules of the stream: what happens to the world, to its subscribers and to their
 * connections, a step at a time, and what must hold after each.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { LeftReason } from "#api/live.ts";
import type { LiveScope, LiveStream, LiveStreams } from "#app/live/live-types.ts";
import { type Deployment, deploy } from "./answers.ts";
import { LiveReader, toText } from "./live-reader.ts";
import { poll } from "./live-hub.ts";
import { listTruth, type Truth } from "./live-truth.ts";
import { type Change, DrawnSystem, FAR, MIDDLE, SPOTS, SYSTEMS } from "./drawn-systems.ts";
import { createMemoryBridges } from "./memory.ts";
import { isIn, isInBox } from "./naive-live.ts";
import type { Shard } from "#stations/shards.ts";

/** What is judged, over the world of a deployment. */
type Subject = {
  streams: LiveStreams;
  /** Publishes what the feed runtime has read. */
  put(shard: Shard): unknown;
  /** Resolves when all that was published is said, as far as subscribers take it. */
  settle(): Promise<void>;
  close?(): void;
};
export type StartSubject = (
  deployment: Deployment,
  judge: { known(): ReadonlyMap<string, Truth>; reasonOf: ReasonOf },
) => Subject;
type ReasonOf = (before: Truth, known: ReadonlyMap<string, Truth>, scope: LiveScope) => LeftReason;

const ALL_MODES = 0b1111;
const scopeOf = (
  south_west: number,
  north_east: number,
  more: Partial<LiveScope> = {},
): LiveScope => {
  const [a, b] = [SPOTS[south_west]!, SPOTS[north_east]!];
  const box = {
    south: Math.min(a.lat, b.lat) - 0.0004,
    north: Math.max(a.lat, b.lat) + 0.0004,
    west: Math.min(a.lon, b.lon) - 0.0006,
    east: Math.max(a.lon, b.lon) + 0.0006,
  };
  return { box, modes: ALL_MODES, stations: true, vehicles: true, ...more };
};
/** The middle, parts of it, one spot, the place far away, and both. */
const AROUND = {
  south: MIDDLE.lat - 0.0035,
  north: MIDDLE.lat + 0.0035,
  west: MIDDLE.lon - 0.005,
  east: MIDDLE.lon + 0.005,
};
const SCOPES: readonly LiveScope[] = [
  { box: AROUND, modes: ALL_MODES, stations: true, vehicles: true },
  { box: AROUND, modes: 0b0010, stations: false, vehicles: true },
  scopeOf(0, 1),
  scopeOf(2, 4),
  scopeOf(0, 0),
  scopeOf(6, 7),
  scopeOf(2, 7),
  scopeOf(0, 3, { vehicles: false, modes: 0b0001 }),
  // An edge on the very point of a dock.
  { ...scopeOf(0, 1), box: { ...scopeOf(0, 1).box, south: SPOTS[0]!.lat } },
];

export type Step =
  | { do: "change"; system: number; change: Change }
  | { do: "pass"; seconds: number }
  | { do: "open"; scope: number }
  | { do: "leave"; client: number }
  /** What is sent from now on is lost, until it comes again. */
  | { do: "cut"; client: number }
  | { do: "again"; client: number; with: "last" | "none" | "foreign" | "other box" | "garbage" }
  /** Takes nothing, until it drains. */
  | { do: "slow"; client: number }
  | { do: "drain"; client: number };

const small = fc.nat({ max: 7 });
const aStationChange = fc.oneof(
  fc.constant(null),
  fc.record({ spot: small }),
  fc.record({ spot: small, name: small }),
  fc.record({ name: small }),
  fc.record({ installed: fc.boolean() }),
);
const aVehicleChange = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.record({ spot: small }) },
  { weight: 1, arbitrary: fc.record({ type: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ reserved: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ disabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ charge: fc.constantFrom(null, 0.31, 0.37, 0.6, 1) }) },
);
const aChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant("vehicle" as const), key: small, to: aVehicleChange }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant("station" as const), key: small, to: aStationChange }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("counts" as const),
      key: small,
      to: fc.record({
        vehicles: fc.nat({ max: 3 }),
        docks: fc.nat({ max: 3 }),
        renting: fc.boolean(),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("offer" as const),
      part: fc.constantFrom("status" as const, "vehicles" as const),
      is: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("all" as const), is: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("closure" as const),
      window: fc.option(
        fc.record({ in_s: fc.constantFrom(0, 15), for_s: fc.constantFrom(20, 500) }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ what: "again" as const }) },
);
const client = fc.nat({ max: 5 });
/** The one of all that is in the middle as often as all others. */
const aScope = fc.oneof(fc.constant(0), fc.nat({ max: SCOPES.length - 1 }));
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      system: fc.nat({ max: SYSTEMS - 1 }),
      change: aChange,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      seconds: fc.constantFrom(1, 7, 20, 50, 70, 320, 1_000, 3_700),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      scope: aScope,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), client }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cut" as const), client }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("again" as const),
      client,
      with: fc.constantFrom("last", "last", "last", "none", "foreign", "other box", "garbage"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("slow" as const), client }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("drain" as const), client }) },
);

/** It begins with a read system or more, and a subscriber. */
export const aSchedule: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.subarray([0, 1, 2, 3, 4], { minLength: 3 }),
    fc.array(aScope, { minLength: 1, maxLength: 3 }),
    fc.array(aStep, { minLength: 8, maxLength: 40 }),
  )
  .map(([systems, scopes, steps]) => [
    ...systems.map((system): Step => ({ do: "change", system, change: { what: "again" } })),
    ...scopes.map((scope): Step => ({ do: "open", scope })),
    ...steps,
  ]);

/** How young the last event of a client is so that it goes on without a snapshot, ms. */
const RESUMES_MS = 55_000;
const CLIENTS_MAX = 6;
/** What changes with the time alone has been seen after so long. */
const SEEN_S = 15;
const MINUTES_10_MS = 600_000;

type Known = ReadonlyMap<string, Truth>;

/** Runs a schedule, and throws at the first step after which something does not hold. */
export async function runSchedule(steps: readonly Step[], start: StartSubject): Promise<void> {
  await new Run(start).run(steps);
}

class Run {
  readonly #deployment: Deployment;
  readonly #systems = Array.from({ length: SYSTEMS }, (_, plan) => new DrawnSystem(plan));
  readonly #clients: Client[] = [];
  readonly #subject: Subject;
  #known: Known = new Map();

  constructor(start: StartSubject) {
    this.#deployment = deploy({
      identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
      refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
    });
    this.#subject = start(this.#deployment, {
      known: () => this.#known,
      reasonOf: (before, known, scope) => this.#reasonsOf(before, known, scope)[0]!,
    });
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const [number, step] of steps.entries()) {
      try {
        await this.#take(step);
        await this.#judge();
      } catch (error) {
        (error as Error).message += `\n  at step ${number}: ${JSON.stringify(step)}`;
        throw error;
      }
    }
    this.#subject.close?.();
  }

  get #now_ms(): number {
    return this.#deployment.clock.now();
  }

  async #take(step: Step): Promise<void> {
    for (const one of this.#clients)
      if (one.reader.bye !== null) one.again(this.#subject.streams, one.reader.last_id);
    if (step.do === "change") await this.#publish(step.system, step.change);
    else if (step.do === "pass") await this.#pass(step.seconds);
    else if (step.do === "open") this.#open(step.scope);
    else {
      const one = this.#clients[step.client % Math.max(1, this.#clients.length)];
      if (one) this.#move(one, step);
    }
    await this.#look();
    await this.#subject.settle();
    if (step.do === "pass") await this.#rest();
  }

  async #look(): Promise<void> {
    this.#known = await listTruth(this.#deployment, [MIDDLE, FAR]);
  }

  /** What changes with the time alone follows later: goes on until nothing has for as long. */
  async #rest(): Promise<void> {
    const textOf = (known: Known): string =>
      toText(
        [...known.values()].map(({ item }) => item),
        [],
      );
    for (let tries = 0; tries < 10; tries++) {
      const before = textOf(this.#known);
      await this.#pass(SEEN_S);
      await this.#look();
      await this.#subject.settle();
      if (textOf(this.#known) === before) return;
    }
    assert.fail("it never rests");
  }

  async #publish(at: number, change: Change): Promise<void> {
    const system = this.#systems[at]!;
    this.#deployment.world.register({ source_id: system.id, country: "FR" });
    await this.#subject.put(system.change(change, this.#now_ms));
  }

  /** A little at a time, as it goes by. */
  async #pass(seconds: number): Promise<void> {
    const part_s = seconds > 100 ? 20 : 5;
    for (let left_s = seconds; left_s > 0; left_s -= part_s)
      await this.#deployment.clock.advance(Math.min(left_s, part_s) * 1_000);
  }

  #open(scope: number): void {
    if (this.#clients.length >= CLIENTS_MAX) return;
    const one = new Client(this.#clients.length, SCOPES[scope]!, () => this.#now_ms);
    this.#clients.push(one);
    one.connect(this.#subject.streams, null);
  }

  #move(one: Client, step: Exclude<Step, { do: "change" | "pass" | "open" }>): void {
    switch (step.do) {
      case "leave":
        one.leave();
        this.#clients.splice(this.#clients.indexOf(one), 1);
        return;
      case "cut":
        one.isCut = true;
        return;
      case "slow":
        one.isSlow = true;
        return;
      case "drain":
        one.drain();
        return;
      case "again":
        one.again(this.#subject.streams, this.#idOf(one, step.with));
    }
  }

  #idOf({ reader, scope }: Client, kind: Extract<Step, { do: "again" }>["with"]): string | null {
    if (kind === "last") return reader.last_id;
    if (kind === "none") return null;
    if (kind === "garbage") return "..-1.\u00e9 9e99";
    const other = this.#clients.find(
      (each) => each.scope !== scope && each.reader.last_id !== null,
    );
    if (kind === "other box") return other?.reader.last_id ?? null;
    return reader.last_id === null ? null : `x${reader.last_id}`;
  }

  async #judge(): Promise<void> {
    for (const one of this.#clients) {
      for (const [id, before] of one.base) {
        const now = this.#known.get(id);
        if (now && isIn(one.scope, now.item)) continue;
        const reasons = this.#reasonsOf(before, this.#known, one.scope);
        one.reasons.set(id, new Set([...(one.reasons.get(id) ?? []), ...reasons]));
      }
      if (one.isConnected && one.isUpToDate) await this.#judgeOne(one);
      else one.judgeBye();
    }
  }

  async #judgeOne(one: Client): Promise<void> {
    const { scope, reader } = one;
    const { streams } = this.#subject;
    const shown = [...this.#known].filter(([, { item }]) => isIn(scope, item));
    const items = shown.map(([, { item }]) => item);
    assert.equal(
      toText([...reader.items.values()], []),
      toText(items, []),
      "the items are what GET /v1/nearby answers",
    );
    const fresh = new LiveReader();
    const request = { scope, owner: { own: "probe", block: null }, last_event_id: null };
    const sink = { write: (text: string) => (fresh.take(text), true), end: () => undefined };
    const probe = streams.open({ ...request, sink });
    assert.ok(typeof probe !== "string", "a new subscriber is not let in");
    // The age of a source alone is no event: it comes with the next one, or with a poll.
    const polled = await poll(streams, scope, this.#now_ms);
    await this.#subject.settle();
    probe.leave();
    assert.ok(polled !== "large", "the box is not too large");
    assert.equal(fresh.kinds[0], "snapshot", "a new subscriber gets a snapshot first");
    assert.equal(reader.text(), fresh.text(), "the state is that of a new subscriber");
    assert.equal(toText(polled.items, polled.sources), fresh.text(), "a poll says the same");
    one.judgeDepartures();
    one.judgeStart();
    one.base = new Map(shown);
  }

  /** Why it is not in the box any more: what is true of it, of which anything may be said. */
  #reasonsOf(before: Truth, known: Known, scope: LiveScope): LeftReason[] {
    const now = known.get(before.item.id);
    if (now) return isInBox(scope, now.item.location) ? ["gone", "moved"] : ["moved"];
    const reasons: LeftReason[] = [];
    const elsewhere = [...known.values()].find(({ of }) => of.some((id) => before.of.includes(id)));
    if (elsewhere) reasons.push("merged");
    // The same dock under another id: the old one has gone back to a dock that is shown no more.
    if (elsewhere?.of.join() === before.of.join()) reasons.push("gone");
    for (const source_id of before.of) {
      const system = this.#systems.find(({ id }) => source_id.startsWith(`${id}:`))!;
      if (before.item.kind === "vehicle" && !system.showsVehicles(this.#now_ms))
        reasons.push("source_lost");
      else if (!system.has(source_id)) reasons.push("gone");
    }
    // Of a dock of several sources that is not installed, `merged` is said too, though none shows it.
    if (before.item.kind === "station" && !elsewhere) reasons.push("gone", "merged");
    return reasons.length === 0 ? ["gone"] : reasons;
  }
}

class Client {
  readonly reader = new LiveReader();
  readonly scope: LiveScope;
  readonly #number: number;
  readonly #now: () => number;
  /** What it showed when it was judged last; and why any of it may have left since. */
  base: Known = new Map();
  reasons = new Map<string, Set<LeftReason>>();
  isCut = false;
  isSlow = false;
  #stream: LiveStream | null = null;
  /** Sent, and not taken yet. */
  #waiting: { text: string; at_ms: number }[] = [];
  #refused_ms: number | null = null;
  #opened_ms = 0;
  #last_ms = 0;
  #first: "delta" | "snapshot" | null = null;
  #isOver = false;

  constructor(number: number, scope: LiveScope, now: () => number) {
    this.#number = number;
    this.scope = scope;
    this.#now = now;
  }

  get isConnected(): boolean {
    return this.#stream !== null && !this.#isOver;
  }

  get isUpToDate(): boolean {
    return !this.isCut && !this.isSlow && this.reader.bye === null;
  }

  connect(streams: LiveStreams, last_event_id: string | null): void {
    const { reader } = this;
    const now_ms = this.#now();
    const isOwn = last_event_id !== null && last_event_id === reader.last_id;
    const isYoung = now_ms - this.#last_ms <= RESUMES_MS;
    this.#first = isOwn ? (isYoung ? "delta" : null) : "snapshot";
    Object.assign(this, { isCut: false, isSlow: false });
    this.#waiting = [];
    this.#refused_ms = null;
    this.#isOver = false;
    this.#opened_ms = now_ms;
    reader.reconnect();
    const connection = {};
    this.#connection = connection;
    const opened = streams.open({
      scope: this.scope,
      owner: { own: `client ${this.#number}`, block: null },
      last_event_id,
      sink: {
        write: (text) => {
          assert.equal(this.#connection, connection, "written to a client that has left");
          return this.#take(text);
        },
        end: () => {
          if (this.#connection === connection) this.#isOver = true;
        },
      },
    });
    assert.ok(typeof opened !== "string", "a subscriber is not let in");
    this.#stream = opened;
  }
  #connection: object | null = null;

  #take(text: string): boolean {
    assert.equal(this.#isOver, false, "written after its end");
    const isRefused = this.#refused_ms !== null;
    // Its last event is written all the same.
    if (isRefused) assert.match(text, /^event: bye\n/, "written to a client that takes nothing");
    if (this.isSlow || isRefused) {
      this.#waiting.push({ text, at_ms: this.#now() });
      this.#refused_ms ??= this.#now();
      return false;
    }
    if (!this.isCut) this.#apply(text, this.#now());
    return true;
  }

  /** `at_ms`: when it was sent. */
  #apply(text: string, at_ms: number): void {
    const before = this.reader.last_id;
    this.reader.take(text);
    if (this.reader.last_id !== before) this.#last_ms = at_ms;
  }

  drain(): void {
    if (!this.isSlow) return;
    this.isSlow = false;
    const waiting = this.#waiting.splice(0);
    if (!this.isCut) for (const { text, at_ms } of waiting) this.#apply(text, at_ms);
    const wasRefused = this.#refused_ms !== null;
    this.#refused_ms = null;
    if (wasRefused && !this.#isOver) this.#stream?.resume();
  }

  again(streams: LiveStreams, last_event_id: string | null): void {
    this.leave();
    this.connect(streams, last_event_id);
  }

  leave(): void {
    this.#connection = null;
    this.#stream?.leave();
    this.#stream = null;
  }

  /** It ends for a reason that holds. */
  judgeBye(): void {
    const { bye } = this.reader;
    if (bye === null) return;
    const open_ms = this.#now() - this.#opened_ms;
    if (bye.reason === "slow") assert.ok(open_ms >= RESUMES_MS, "slow so soon");
    else if (bye.reason === "time") assert.ok(open_ms >= MINUTES_10_MS - 1_000, "over so soon");
    else assert.fail(`bye ${bye.reason}`);
    assert.ok(this.#isOver, "bye is the end");
  }

  judgeDepartures(): void {
    for (const { id, reason } of this.reader.departures.splice(0)) {
      const reasons = this.reasons.get(id);
      if (reasons === undefined && !this.base.has(id)) continue;
      assert.ok(reasons?.has(reason), `${id} left: ${reason}, not ${[...(reasons ?? [])].join()}`);
    }
    this.reasons.clear();
  }

  judgeStart(): void {
    const first = this.reader.kinds.find((kind) => kind !== "status");
    if (this.#first === "snapshot") assert.equal(first, "snapshot", "its id says nothing here");
    if (this.#first === "delta") assert.notEqual(first, "snapshot", "it goes on where it was");
  }
}
