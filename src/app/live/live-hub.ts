/**
 * The live hub (docs/live-map.md): what is published is read once for all subscribers, compared with
 * what was shown, and sent to those whose box it touches. One loop does all of it, a slice at a time:
 * read, commit one generation, deliver; so a caller that takes part between two slices sees one generation.
 */
import { attempt, detach, guard } from "#kit/guard.ts";
import type { Clock, Random } from "#ports.ts";
import type { LiveRow } from "#world/live/live-rows.ts";
import { FIRST_LINE, toInstance } from "./live-frames.ts";
import { Journal, JOURNAL_MS } from "./live-journal.ts";
import { LIVE_BOUNDS, type LiveBounds, LivePlaces } from "./live-places.ts";
import { Scope } from "./live-scope.ts";
import { LiveScopes } from "./live-scopes.ts";
import { Subscriber, type SubscriberHost } from "./live-subscriber.ts";
import { LiveSystems, type LiveSystem, type ReadRows } from "./live-systems.ts";
import {
  type LiveScope,
  type LiveStream,
  type LiveStreams,
  SCOPE_ITEMS_MAX,
  type SnapshotJson,
  type StreamRequest,
} from "./live-types.ts";
import { Teller } from "./live-teller.ts";
import type { LiveWorld } from "./live-world.ts";
import { ShownRows } from "./shown-rows.ts";

/** What is published within it is one generation. */
const FLUSH_MS = 25;
const TICK_MS = 1_000;
/** A subscriber receives something within 15 s: the tick comes a second later at most. */
const QUIET_MS = 14_000;
/** Of one stream, at most; up to a tenth less, so that those that began together do not end together. */
const STREAM_MS = 30 * 60_000;
/** Writes to subscribers without looking at the time. */
const WRITES = 8;
const NO_ROWS: ReadonlyMap<string, LiveRow> = new Map();

export type LiveHubDeps = {
  clock: Pick<Clock, "now" | "schedule">;
  random: Random;
  world: LiveWorld;
  /** Lets others have the thread when it is time. */
  turn(): Promise<void> | undefined;
  bounds?: LiveBounds;
  journal_bytes?: number;
  /** Receives what one subscriber or one system throws; the others go on. */
  onFault: (error: unknown) => void;
};

export class LiveHub implements LiveStreams {
  readonly #deps: LiveHubDeps;
  readonly #systems: LiveSystems;
  readonly #scopes = new LiveScopes();
  readonly #rows = new ShownRows<LiveSystem>();
  readonly #journal: Journal;
  readonly #places: LivePlaces;
  readonly #teller: Teller;
  readonly #host: SubscriberHost<Scope>;
  #events = 0;
  /** Boxes by source, as scopes were last searched for them. */
  readonly #boxes = new Map<string, string>();
  /** Those that have had no event yet, with the id that they came with. */
  readonly #starting = new Map<Subscriber<Scope>, string | null>();
  /** Scopes to which something of this generation is to be reported. */
  readonly #affected = new Set<Scope>();
  /** Who waits until all that was published is committed. */
  #waiters: (() => void)[] = [];
  #is_stale = false;
  #has_ticked = false;
  #flush_at_ms = -Infinity;
  #is_running = false;
  #is_closed = false;
  #cancelTick: (() => void) | null = null;
  #cancelFlush: (() => void) | null = null;

  constructor(deps: LiveHubDeps) {
    const { clock, world, turn, onFault, random, bounds = LIVE_BOUNDS } = deps;
    this.#deps = deps;
    this.#systems = new LiveSystems({ world, turn, onFault, now: clock.now });
    this.#journal = new Journal(deps.journal_bytes);
    this.#places = new LivePlaces(bounds);
    const of = { journal: this.#journal, rows: this.#rows, now_ms: clock.now() };
    this.#teller = new Teller(toInstance(random), of);
    this.#host = {
      now: clock.now,
      onFault,
      release: (subscriber) => this.#release(subscriber),
      catchUp: (subscriber) => this.#catchUp(subscriber),
      onEvent: () => void this.#events++,
    };
  }

  get count() {
    return {
      subscribers: this.#places.count,
      scopes: this.#scopes.count,
      systems: this.#systems.count,
      rows: this.#rows.count,
      journal_bytes: this.#journal.bytes,
    };
  }

  /** Since the start. */
  get totals() {
    const { cuts } = this.#journal;
    return { events: this.#events, generations: this.#teller.generation, journal_cuts: cuts };
  }

  open({ scope: wish, owner, last_event_id, sink }: StreamRequest) {
    if (this.#is_closed) return "closed";
    const refusal = this.#places.refusalOf(owner);
    if (refusal !== null) return refusal;
    const { clock, random } = this.#deps;
    const now_ms = clock.now();
    const scope = this.#scopes.take(wish, () => this.#watchIn(wish));
    if (scope.since !== null && scope.count > SCOPE_ITEMS_MAX) return "large";
    const ends_at_ms = now_ms + STREAM_MS * (1 - random() / 10);
    const subscriber = new Subscriber(this.#host, { scope, owner, sink, ends_at_ms });
    this.#places.take(subscriber);
    scope.subscribers.add(subscriber);
    this.#scopes.noteSeen(scope, now_ms);
    this.#systems.wakeIn(scope, now_ms);
    this.#starting.set(subscriber, last_event_id);
    this.#cancelTick ??= this.#scheduleTick();
    this.#kick();
    return subscriber satisfies LiveStream;
  }

  async read(wish: LiveScope, deadline_ms: number): Promise<SnapshotJson | "large"> {
    const { world, clock } = this.#deps;
    const ids = world.listIn(wish.box);
    for (const id of ids) world.wake(id);
    detach(world.prioritise(wish.box), this.#deps.onFault);
    await world.bring(ids, { wants: wish, deadline_ms });
    const systems = world.listIn(wish.box).map((id) => this.#systems.poll(id, clock.now()));
    this.#cancelTick ??= this.#scheduleTick();
    await this.flush();
    const known = this.#scopes.find(wish);
    const scope = known ?? new Scope(wish);
    if (!known) for (const system of systems) scope.systems.add(system);
    // Those who see it know of its sources what this answer says.
    else this.#reportSources(known);
    const rows = this.#teller.listRows(scope);
    if (rows.length > SCOPE_ITEMS_MAX) return "large";
    return { json: this.#teller.snapshotOf(scope, rows) };
  }

  /** Resolves when all that has been published by now is read and committed. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#kick();
    });
  }

  /** To be called when what is shown of a source has changed, or where it is. */
  noteShown(source_id: string): void {
    this.#noteBox(source_id);
    if (this.#systems.noteShown(source_id)) this.#noteStale();
  }

  /** Ends every stream; none begins any more. */
  close(): void {
    this.#is_closed = true;
    for (const scope of this.#scopes.list())
      for (const subscriber of scope.subscribers) subscriber.end("shutting_down");
    this.#cancelTick?.();
    this.#cancelTick = null;
  }

  #watchIn({ box }: LiveScope): LiveSystem[] {
    return this.#deps.world.listIn(box).map((id) => this.#systems.watch(id));
  }

  #noteBox(source_id: string): void {
    const box = this.#deps.world.boxOf(source_id);
    const text = JSON.stringify(box);
    if (!box || this.#scopes.count === 0 || this.#boxes.get(source_id) === text) return;
    this.#boxes.set(source_id, text);
    const joined = this.#scopes.join(box, () => this.#systems.watch(source_id));
    if (joined.length === 0) return;
    this.#systems.reportAgain(this.#systems.watch(source_id));
    this.#noteStale();
  }

  #release(subscriber: Subscriber<Scope>): void {
    const { scope } = subscriber;
    this.#starting.delete(subscriber);
    this.#places.leave(subscriber);
    scope.subscribers.delete(subscriber);
    if (scope.subscribers.size === 0) this.#scopes.noteSeen(scope, this.#deps.clock.now());
  }

  #catchUp(subscriber: Subscriber<Scope>): void {
    const { scope, had } = subscriber;
    // Its first event comes as it would have.
    if (had === null) return;
    if (!this.#teller.reaches(scope, had)) {
      subscriber.end("slow");
      return;
    }
    const missed = this.#teller.missedSince(scope, had);
    if (missed !== null) subscriber.send(missed, this.#teller.generation);
  }

  #noteStale(): void {
    this.#is_stale = true;
    const { clock } = this.#deps;
    if (this.#is_running || this.#cancelFlush) return;
    this.#cancelFlush = clock.schedule(Math.max(this.#flush_at_ms, clock.now()), () => {
      this.#cancelFlush = null;
      this.#kick();
    });
  }

  #kick(): void {
    if (this.#is_running) return;
    this.#is_running = true;
    detach(this.#run(), this.#deps.onFault);
  }

  async #run(): Promise<void> {
    // The first event of a stream comes later than the stream.
    await Promise.resolve();
    let is_well = true;
    while (is_well && this.#hasWork())
      is_well = await guard(
        async () => {
          await this.#pass();
          return true;
        },
        (error) => {
          this.#deps.onFault(error);
          this.#flush_at_ms = this.#deps.clock.now() + TICK_MS;
          return false;
        },
      );
    this.#is_running = false;
    if (this.#is_stale) this.#noteStale();
  }

  #hasWork(): boolean {
    if (this.#waiters.length > 0 || this.#starting.size > 0 || this.#has_ticked) return true;
    return this.#is_stale && this.#deps.clock.now() >= this.#flush_at_ms;
  }

  async #pass(): Promise<void> {
    const { clock } = this.#deps;
    const waiters = this.#waiters.splice(0);
    const isDue = this.#is_stale && clock.now() >= this.#flush_at_ms;
    const isFirst = this.#starting.size > 0 && this.#systems.is_due;
    try {
      if (isDue || isFirst || waiters.length > 0) await this.#readAndCommit();
    } finally {
      for (const resolve of waiters) resolve();
    }
    for (const scope of this.#affected) await this.#deliver(scope);
    await this.#beginStarting();
    if (!this.#has_ticked) return;
    this.#has_ticked = false;
    await this.#beat();
  }

  async #readAndCommit(): Promise<void> {
    this.#flush_at_ms = this.#deps.clock.now() + FLUSH_MS;
    this.#is_stale = false;
    this.#commit(await this.#systems.read());
    if (this.#systems.is_due) this.#is_stale = true;
  }

  /** Everything that has happened becomes one generation. */
  #commit(batch: ReadRows): void {
    const { clock, world, onFault } = this.#deps;
    const now_ms = clock.now();
    const generation = this.#teller.generation + 1;
    const changes = this.#rows.replace(batch, ({ source_id }, row) =>
      attempt(
        () => world.reasonOf(source_id, row, now_ms),
        (error) => {
          onFault(error);
          return "gone" as const;
        },
      ),
    );
    const sources = this.#systems.lookAtSources(now_ms, generation);
    if (changes.length === 0 && sources.size === 0) return;
    this.#teller.moveTo(generation, now_ms);
    for (const change of changes) {
      const dated = { ...change, generation, at_ms: now_ms };
      // What no caller saw, none misses.
      if (this.#scopes.report(dated, this.#affected)) this.#journal.push(dated);
    }
    for (const [system, { is_news }] of sources)
      if (is_news) for (const scope of this.#scopes.listOf(system)) this.#affected.add(scope);
  }

  async #deliver(scope: Scope): Promise<void> {
    this.#affected.delete(scope);
    const delta = scope.takeDelta();
    if (scope.since === null) return;
    if (scope.count > SCOPE_ITEMS_MAX) {
      for (const subscriber of scope.subscribers) subscriber.end("large");
      return;
    }
    const { generation } = this.#teller;
    let frame: string | null = null;
    let writes = 0;
    for (const subscriber of scope.subscribers) {
      if (!subscriber.lacks(generation)) continue;
      frame ??= this.#teller.newsOf(scope, delta);
      if (frame === null) return;
      subscriber.send(frame, generation);
      if (++writes % WRITES === 0) await this.#deps.turn();
    }
    await this.#deps.turn();
  }

  /** Reports subscribers what is new of the sources and waits for the next event. */
  #reportSources(scope: Scope): void {
    const { generation } = this.#teller;
    if (this.#affected.has(scope) || scope.since === null) return;
    const frame = this.#teller.newsOf(scope, null);
    if (frame === null) return;
    for (const subscriber of scope.subscribers)
      if (subscriber.lacks(generation)) subscriber.send(frame, generation);
  }

  async #beginStarting(): Promise<void> {
    for (const [subscriber, last_event_id] of this.#starting) {
      if (!subscriber.scope.is_read) continue;
      this.#starting.delete(subscriber);
      attempt(
        () => this.#begin(subscriber, last_event_id),
        (error) => {
          this.#deps.onFault(error);
          subscriber.end("failed");
        },
      );
      await this.#deps.turn();
    }
  }

  #begin(subscriber: Subscriber<Scope>, last_event_id: string | null): void {
    const { scope } = subscriber;
    const { generation } = this.#teller;
    const had = last_event_id === null ? null : this.#teller.resumeAt(scope, last_event_id);
    if (had !== null) {
      subscriber.send(FIRST_LINE + (this.#teller.missedSince(scope, had) ?? ""), generation);
      return;
    }
    const frame = this.#teller.firstOf(scope);
    if (scope.count > SCOPE_ITEMS_MAX) subscriber.end("large");
    else subscriber.send(FIRST_LINE + frame, generation);
  }

  #scheduleTick(): () => void {
    const { clock } = this.#deps;
    return clock.schedule(clock.now() + TICK_MS, () => this.#tick());
  }

  /** One timer for all, and none while there is no caller. */
  #tick(): void {
    const isIdle = this.#scopes.count === 0 && this.#systems.count === 0;
    this.#cancelTick = isIdle || this.#is_closed ? null : this.#scheduleTick();
    this.#systems.noteTime();
    this.#systems.noteAged(this.#deps.clock.now());
    this.#is_stale = true;
    this.#has_ticked = true;
    this.#kick();
  }

  /** What time brings: ends, heartbeats, and what is not needed any more. */
  async #beat(): Promise<void> {
    const { clock, turn } = this.#deps;
    const now_ms = clock.now();
    for (const scope of this.#scopes.list()) {
      scope.kept = null;
      if (scope.subscribers.size === 0) continue;
      this.#systems.wakeIn(scope, now_ms);
      if (now_ms - scope.known_ms >= QUIET_MS) this.#reportSources(scope);
      for (const subscriber of scope.subscribers) this.#beatOne(subscriber, now_ms);
      await turn();
    }
    this.#journal.prune(now_ms);
    this.#scopes.dropIdle(now_ms);
    this.#commit(new Map(this.#systems.dropIdle(now_ms).map((system) => [system, NO_ROWS])));
    for (const scope of this.#affected) await this.#deliver(scope);
  }

  #beatOne(subscriber: Subscriber<Scope>, now_ms: number): void {
    const { slow_since_ms, event_ms, ends_at_ms, had } = subscriber;
    if (now_ms >= ends_at_ms) subscriber.end("time");
    else if (slow_since_ms !== null) {
      if (now_ms - slow_since_ms > JOURNAL_MS) subscriber.end("slow");
    } else if (had !== null && now_ms - event_ms >= QUIET_MS)
      subscriber.beat(this.#teller.generation);
  }
}
