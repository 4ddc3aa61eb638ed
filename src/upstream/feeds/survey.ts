/**
 * The survey (decisions, Global nearby): where is each system? One pass over its static files in
 * the background, few at once and one per host, the countries of waiting callers first; renewed
 * daily, its answers kept in the store.
 */
import { detach, guard } from "#kit/guard.ts";
import type { RefreshResult } from "#ports.ts";
import { jittered } from "#upstream/feeds/backoff.ts";
import type { FeedContext } from "#upstream/feeds/feed-runtime.ts";
import { hostOf } from "#upstream/feeds/host-limits.ts";
import { survey } from "#upstream/feeds/locate.ts";
import type { Schedule } from "#upstream/feeds/schedule.ts";
import { SURVEY_LIFE_MS } from "#upstream/feeds/feed-state.ts";
import { createSuspicions } from "#upstream/feeds/suspect.ts";
import type { FirstCountries } from "#upstream/feeds/feed-types.ts";

const KNOWN = { status: "ok", cache: "revalidated" } as const;
const MATCHES = { status: "ok", cache: "miss" } as const;

type Entry = {
  schedule: Schedule;
  host: string;
  is_running: boolean;
  /** Part of the first pass, and not tried yet. */
  is_awaited: boolean;
};

export class Survey {
  readonly #ctx: FeedContext;
  /** Everything in flight, of the whole runtime. */
  readonly #inFlight: Set<Promise<unknown>>;
  readonly #entries = new Map<Schedule, Entry>();
  readonly #suspicions = createSuspicions();
  /** Countries, the latest first. */
  readonly #prioritised: string[] = [];
  /** Hosts that are being surveyed. */
  readonly #hosts = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #is_started = false;
  /** Countries whose systems alone are surveyed yet; null: all are. */
  #only: readonly string[] | null = null;
  #awaited = 0;
  #firstPass = Promise.withResolvers<void>();
  /** Those who wait for a part of the first pass. */
  readonly #waiting = new Set<{ countries: readonly string[]; resolve: () => void }>();
  #is_over = false;
  #cancelTimer: (() => void) | null = null;

  readonly #onFault = (error: unknown): void => this.#ctx.onFault("survey", error);

  constructor(ctx: FeedContext, inFlight: Set<Promise<unknown>>) {
    this.#ctx = ctx;
    this.#inFlight = inFlight;
  }

  add(schedules: readonly Schedule[]): void {
    const added = schedules.map((schedule): Entry => {
      const host = hostOf(schedule.feed.state.view.system.url);
      return { schedule, host, is_running: false, is_awaited: true };
    });
    for (const entry of added) this.#entries.set(entry.schedule, entry);
    this.#suspicions.add(schedules.map(({ feed }) => feed.state.view));
    if (this.#is_started) this.#begin(added);
  }

  start(first: FirstCountries | null): void {
    this.#is_started = true;
    this.#only = first && first.countries;
    if (first) detach(this.#surveyAllAfter(first.until), this.#onFault);
    this.#begin([...this.#entries.values()]);
  }

  async #surveyAllAfter(until: Promise<void>): Promise<void> {
    await until;
    this.#only = null;
    this.#pump();
  }

  /** What was known of this system's place is void. */
  repeat(schedule: Schedule): void {
    if (this.#entries.has(schedule)) schedule.feed.state.surveyDue(0);
    this.#pump();
  }

  /** Another replica has reported what a survey of it would. */
  learned(schedule: Schedule): void {
    const entry = this.#entries.get(schedule);
    if (!entry || entry.is_running || !this.#is_started) return;
    const { memo, survey: round } = schedule.feed.state.view;
    if (memo || round.failures > 0) this.#tried(entry);
  }

  /** Resolves when every system without a known place has been tried once; of all countries, or of these. */
  surveyed(countries?: readonly string[]): Promise<void> {
    if (!countries) return this.#firstPass.promise;
    if (!this.#isAwaited(countries)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ countries, resolve }));
  }

  #isAwaited(countries: readonly string[]): boolean {
    return (
      !this.#is_over &&
      this.#entries.values().some((entry) => entry.is_awaited && isIn(entry, countries))
    );
  }

  /** A caller waits: systems of this country come first, and those that failed are tried again soon. */
  prioritise(country: string): void {
    const late = [...this.#entries.values()].filter(
      (entry) => isIn(entry, [country]) && entry.schedule.feed.state.surveySoon(),
    );
    if (late.length > 0) this.#pump();
    const prioritised = this.#prioritised;
    if (prioritised[0] === country) return;
    const at = prioritised.indexOf(country);
    if (at > 0) prioritised.splice(at, 1);
    prioritised.unshift(country);
  }

  /** No further survey begins. */
  stop(): void {
    this.#cancelTimer?.();
    this.#end();
  }

  /** Entries join: those with a memo are placed, the others await their first pass. */
  #begin(entries: readonly Entry[]): void {
    for (const entry of entries) this.#place(entry);
    if (this.#ctx.survey.enabled) {
      const awaited = entries.filter((entry) => entry.is_awaited).length;
      if (this.#is_over && awaited > 0) {
        this.#is_over = false;
        this.#firstPass = Promise.withResolvers();
      }
      this.#awaited += awaited;
    }
    if (this.#awaited === 0) this.#end();
    this.#pump();
  }

  #end(): void {
    this.#is_over = true;
    // Systems that were surveyed later may suggest where a failed one is.
    for (const { schedule } of this.#entries.values()) this.#suspect(schedule);
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
    this.#firstPass.resolve();
  }

  /** A failed survey leaves a system where something suggests it is, or nowhere. */
  #suspect({ feed }: Schedule): void {
    const { view } = feed.state;
    if (view.memo || view.shard || view.system.near || view.survey.failures === 0) return;
    const whereabouts = this.#suspicions.whereabouts(view);
    feed.state.lost(whereabouts === "nowhere");
    this.#ctx.sink.suspect(view.system.id, whereabouts);
  }

  /** A restart knows where every system is. */
  #place(entry: Entry): void {
    const { schedule } = entry;
    const { state } = schedule.feed;
    const { memo, system, survey: round } = state.view;
    if (!memo && system.near) {
      // Roughly where it is suffices to read it when a caller is there; reading it gives the rest.
      entry.is_awaited = false;
      state.surveyDue(Infinity);
      this.#ctx.sink.setBox(system.id, system.near);
    }
    // The fleet has tried it.
    if (round.failures > 0) {
      entry.is_awaited = false;
      this.#suspect(schedule);
    }
    if (!memo) return;
    entry.is_awaited = false;
    if (round.due_at_ms === 0) {
      // Later than now: it was written before the system clock was set back.
      const surveyed_at_ms = Math.min(memo.surveyed_at_ms, this.#ctx.clock.now());
      state.surveyDue(surveyed_at_ms + jittered(this.#ctx.random, SURVEY_LIFE_MS));
    }
    this.#ctx.sink.setBox(system.id, memo.box);
  }

  /** Begins whatever may begin, and sets the timer for what is due later. */
  #pump(): void {
    const { clock, signal, survey: options } = this.#ctx;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (signal.aborted || !options.enabled) return;
    while (this.#running.size < options.concurrency) {
      const next = this.#pick();
      if (!next) break;
      this.#survey(next);
    }
    let at_ms = Infinity;
    for (const { is_running, schedule } of this.#entries.values()) {
      const { due_at_ms } = schedule.feed.state.view.survey;
      if (!is_running && due_at_ms > clock.now()) at_ms = Math.min(at_ms, due_at_ms);
    }
    if (at_ms !== Infinity) this.#cancelTimer = clock.schedule(at_ms, () => this.#drain());
  }

  /** The clock waits for it: everything due has been surveyed. */
  async #drain(): Promise<void> {
    this.#pump();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Due, at a host of its own; prioritised countries first, then in order of configuration. */
  #pick(): Entry | null {
    const now_ms = this.#ctx.clock.now();
    let best: Entry | null = null;
    let best_rank = Infinity;
    for (const entry of this.#entries.values()) {
      const { due_at_ms } = entry.schedule.feed.state.view.survey;
      if (entry.is_running || due_at_ms > now_ms || this.#hosts.has(entry.host)) continue;
      if (this.#only && !isIn(entry, this.#only)) continue;
      const rank = rankOf(entry, this.#prioritised);
      if (rank >= best_rank) continue;
      best = entry;
      best_rank = rank;
    }
    return best;
  }

  #survey(entry: Entry): void {
    const { schedule, host } = entry;
    entry.is_running = true;
    this.#hosts.add(host);
    const task = {
      findRetained: () => {
        const { due_at_ms } = schedule.feed.state.view.survey;
        return due_at_ms > this.#ctx.clock.now() ? KNOWN : null;
      },
      run: () => surveyOne(schedule),
    };
    // Whatever it throws, the next one is surveyed, and this one has been tried.
    const occupied = guard(() => schedule.occupy(task), this.#onFault);
    const pass = occupied.then(() => {
      entry.is_running = false;
      this.#hosts.delete(host);
      this.#running.delete(pass);
      this.#inFlight.delete(pass);
      this.#tried(entry);
      return this.#pump();
    });
    this.#running.add(pass);
    this.#inFlight.add(pass);
  }

  #tried(entry: Entry): void {
    this.#suspect(entry.schedule);
    const was_awaited = entry.is_awaited;
    entry.is_awaited = false;
    if (was_awaited && --this.#awaited === 0) return this.#end();
    for (const waiting of this.#waiting) {
      if (this.#isAwaited(waiting.countries)) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}

/** One of no stated country may be in any. */
function isIn({ schedule }: Entry, countries: readonly string[]): boolean {
  const { country } = schedule.feed.state.view.system;
  return country === null || countries.includes(country);
}

/** More than any rank of a country. */
const LATE = 1_000_000;

function rankOf({ schedule }: Entry, prioritised: readonly string[]): number {
  const { memo, system } = schedule.feed.state.view;
  // A system of no stated country may be in the one that is waited for.
  const at = system.country === null ? 0 : prioritised.indexOf(system.country);
  // Unknown places keep answers partial, renewals do not.
  return (memo ? LATE : 0) + (at === -1 ? prioritised.length : at);
}

async function surveyOne({ feed }: Schedule): Promise<RefreshResult> {
  const begun_at_ms = feed.now();
  feed.state.surveyBegun();
  const failure = await survey(feed);
  const result: RefreshResult = failure
    ? { status: failure.status, reason: failure.reason }
    : MATCHES;
  feed.events.ended("survey", result, feed.now() - begun_at_ms);
  feed.state.surveyEnded(failure);
  return result;
}
