/**
 * The live half of a register, polled while callers ask near its places (docs/registers.md): one
 * request at a time for all of them, only if it has changed, later after failures, and not at all
 * five minutes after the last question. A reading that fails leaves the last states until each is
 * older than the bound of the register.
 */
import { type DatedState, type FindState, withLiveState } from "#core/places/live-facts.ts";
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { type Box, boxTouchesCircle, reachOf } from "#kit/geo.ts";
import { detach, guard, type NoteFault } from "#kit/guard.ts";
import { DEFECT, type Failure } from "#kit/outcome.ts";
import type { Clock, Random } from "#ports.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { onAbort } from "#upstream/deadline.ts";
import { backoff_ms, jittered } from "#upstream/feeds/backoff.ts";
import { LiveStates } from "#upstream/registers/live-states.ts";
import { toEvent, type RegistryEvent } from "#upstream/registries.ts";
import type { ReadingTurn, ReadingTurns, TurnState } from "#upstream/registers/reading-turns.ts";
import { mostBytes, type ReadAll, RegistryDocuments } from "#upstream/registry-documents.ts";
import type { ReadDeps } from "#upstream/registry-set.ts";
import type { RunRequest } from "#upstream/run.ts";

type Circle = { lat: number; lon: number; radius_m: number };

export type LiveHealth = {
  status: "ok" | Failure["status"];
  reason: string | null;
  /** No caller has asked for five minutes, and nothing is polled. */
  resting: boolean;
  last_success_at_ms: number | null;
  /** States of sites that the static half has, and of others; null: it was never read. */
  states: number | null;
  unknown_sites: number | null;
};

type Deps = Pick<ReadDeps<LiveState>, "pause" | "readInThread"> & {
  turns: ReadingTurns;
  run: RunRequest;
  clock: Clock;
  random: Random;
  onEvent: (event: RegistryEvent) => void;
  onFault: NoteFault;
  /** Where the places of the static half lie; null: it has none yet. */
  box: () => Box | null;
  /** Whether a place of the static half looks for this id. */
  isSite: (id: string) => boolean;
};

type Intervals = { refresh_ms: number; max_age_ms: number };

/** As long as this after the last question it is polled. */
const WANTED_MS = 300_000;
/** Waits of the first question for the first reading; the rest of its time is for its answer. */
const FIRST_WAIT_MS = 800;
const MAX_RETRY_MS = 900_000;

export class LiveRegister<S extends LookupSettings> {
  readonly #id: string;
  readonly #deps: Deps;
  readonly #intervals: Intervals;
  readonly #documents: RegistryDocuments<S, LiveState>;
  readonly #turn: ReadingTurn;
  readonly #closing = new AbortController();
  #states: LiveStates | null = null;
  #status: Pick<LiveHealth, "status" | "reason"> = { status: "unavailable", reason: "not_loaded" };
  #failures = 0;
  #asked_at_ms = Number.NEGATIVE_INFINITY;
  #due_ms = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | null = null;
  #cancel = (): void => {};

  constructor(registry: Registry<S, LiveState>, settings: S, intervals: Intervals, deps: Deps) {
    this.#id = registry.id;
    this.#deps = deps;
    this.#intervals = intervals;
    this.#turn = deps.turns.open(mostBytes(registry.requests(settings)));
    this.#documents = new RegistryDocuments(registry, settings, {
      ...deps,
      turn: this.#turn,
      build: () => this.#build(),
      renew: (at_ms) => this.#states?.confirm(at_ms),
      onFault: this.#onFault,
      signal: this.#closing.signal,
      keep_bytes: 0,
    });
  }

  /** Notes that a caller asks for this circle: where it touches its places, it is polled from now on. */
  touch(circle: Circle): void {
    const { box, clock } = this.#deps;
    const own = box();
    if (own === null || this.#closing.signal.aborted) return;
    if (!boxTouchesCircle(own, circle, reachOf(circle.lat, circle.radius_m))) return;
    this.#asked_at_ms = clock.now();
    if (this.#polling === null && clock.now() >= this.#due_ms) this.#begin();
  }

  /**
   * Resolves when there are states that may be shown, or when the reading under way has ended, or
   * after a bounded wait, or when the caller is gone: then the answer goes without them.
   */
  async ready(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const { read_at_ms = Number.NEGATIVE_INFINITY } = this.#states ?? {};
    if (this.#polling === null || clock.now() - read_at_ms <= this.#intervals.max_age_ms) return;
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const cancel = clock.schedule(clock.now() + FIRST_WAIT_MS, resolve);
    try {
      using end = onAbort(signal);
      await Promise.race([this.#polling, waited, end.aborted]);
    } finally {
      cancel();
    }
  }

  /** Notes that the static half may have sites that it did not have: their states are in what was read. */
  meet(): void {
    if (this.#polling !== null || (this.#states?.unknown_sites ?? 0) > 0) this.#documents.forget();
  }

  /** The place with its states, as it may be shown. */
  apply(place: Place): Place {
    return withLiveState(place, this.#find);
  }

  /** Until when nothing newer is asked for, epoch ms; 0: it was never asked. */
  good_until_ms(): number {
    return Math.max(0, this.#due_ms);
  }

  health(): LiveHealth {
    const states = this.#states;
    return {
      ...this.#status,
      resting: this.#polling === null && !this.#isWanted(),
      last_success_at_ms: states?.read_at_ms ?? null,
      states: states?.count ?? null,
      unknown_sites: states?.unknown_sites ?? null,
    };
  }

  /** The reading that waits or goes on; null: none. */
  turn(): TurnState | null {
    return this.#turn.state();
  }

  /** A state that was observed longer ago is unknown. */
  get max_age_s(): number {
    return this.#intervals.max_age_ms / 1_000;
  }

  close(): void {
    this.#cancel();
    this.#closing.abort();
  }

  readonly #find: FindState = (id): DatedState | null =>
    this.#states?.find(id, this.#deps.clock.now(), this.#intervals.max_age_ms) ?? null;

  readonly #onFault = (error: unknown): void =>
    this.#deps.onFault(`live half of register ${this.#id}`, error);

  #isWanted(): boolean {
    return this.#deps.clock.now() - this.#asked_at_ms <= WANTED_MS;
  }

  #build(): ReturnType<LiveStates["builder"]> {
    const { clock, isSite } = this.#deps;
    const states = new LiveStates();
    const now_s = Math.floor(clock.now() / 1_000);
    return states.builder(now_s, isSite, () => void (this.#states = states));
  }

  #begin(): void {
    this.#cancel();
    const polling = this.#once();
    this.#polling = polling;
    detach(polling, this.#onFault);
  }

  /** What is thrown on the way costs this reading, and not the next ones. */
  async #once(): Promise<void> {
    const { clock, random } = this.#deps;
    const { refresh_ms } = this.#intervals;
    const failure = await guard(
      () => this.#turn.run(() => this.#poll(), this.#closing.signal),
      (error): Failure => {
        this.#onFault(error);
        return DEFECT;
      },
    );
    this.#polling = null;
    if (this.#closing.signal.aborted) return;
    const { status, reason } = failure ?? { status: "ok", reason: null };
    this.#status = { status, reason };
    this.#failures = failure === null ? 0 : this.#failures + 1;
    const wait_ms =
      failure === null
        ? jittered(random, refresh_ms)
        : backoff_ms(random, this.#failures, {
            first: refresh_ms,
            max: Math.max(refresh_ms, MAX_RETRY_MS),
          });
    const least_ms = Math.min(failure?.retry_at_ms ?? 0, clock.now() + MAX_RETRY_MS);
    this.#due_ms = Math.max(clock.now() + wait_ms, least_ms);
    this.#cancel = clock.schedule(this.#due_ms, () => {
      if (this.#isWanted()) this.#begin();
    });
  }

  async #poll(): Promise<Failure | null> {
    const read: ReadAll = await this.#documents.read();
    const { failure } = read;
    if (this.#closing.signal.aborted) return failure;
    const ended = failure ?? { status: "ok" as const, reason: null };
    this.#deps.onEvent({ ...toEvent(this.#id, ended, read), half: "live" });
    return failure;
  }
}
