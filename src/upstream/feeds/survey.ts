/**
 * The survey (decisions, Global nearby): where is each system? One pass over its static files in
 * the background, few at once and one per host, the countries of waiting questions first; renewed
 * daily, its answers kept in the store.
 */
import type { Failure } from "#core/outcome.ts";
import type { RefreshResult } from "#ports.ts";
import { hostOf } from "#upstream/feeds/host-limit.ts";
import { locate, remember } from "#upstream/feeds/locate.ts";
import { backoff_ms, jittered } from "#upstream/feeds/marks.ts";
import { occupy } from "#upstream/feeds/schedule.ts";
import { createSuspicions, type Suspicions } from "#upstream/feeds/suspect.ts";
import { tell } from "#upstream/feeds/snapshot.ts";
import type { Context, SystemState } from "#upstream/feeds/state.ts";

export type Survey = {
  add(states: readonly SystemState[]): void;
  start(): void;
  /** What was known of this system's place is void. */
  repeat(state: SystemState): void;
  /** Another replica has told of it what a survey would. */
  learn(state: SystemState): void;
  surveyed(): Promise<void>;
  hasten(country: string): void;
  /** No further survey begins. */
  stop(): void;
};

const RENEW_MS = 86_400_000;
const BACKOFF_MS = { first: 30_000, max: 3_600_000 } as const;

type Entry = {
  state: SystemState;
  host: string;
  running: boolean;
  /** Part of the first pass, and not tried yet. */
  awaited: boolean;
};

type Board = {
  entries: Entry[];
  places: Map<SystemState, Entry>;
  suspicions: Suspicions;
  /** Countries, the latest first. */
  hastened: string[];
  hosts: Set<string>;
  running: Set<Promise<void>>;
  awaited: number;
  /** The first pass is over. */
  first: PromiseWithResolvers<void>;
  over: boolean;
  cancel_timer: (() => void) | null;
};

export function createSurvey(ctx: Context): Survey {
  let started = false;
  const board: Board = {
    entries: [],
    places: new Map(),
    suspicions: createSuspicions(),
    hastened: [],
    hosts: new Set(),
    running: new Set(),
    awaited: 0,
    first: Promise.withResolvers(),
    over: false,
    cancel_timer: null,
  };
  return {
    add(states) {
      const added = states.map(toEntry);
      board.entries.push(...added);
      board.suspicions.add(states);
      for (const entry of added) board.places.set(entry.state, entry);
      if (started) begin(ctx, board, added);
    },
    start() {
      started = true;
      begin(ctx, board, board.entries);
    },
    repeat(state) {
      const entry = board.places.get(state);
      if (entry) entry.state.survey.due_at_ms = 0;
      pump(ctx, board);
    },
    learn(state) {
      const entry = board.places.get(state);
      if (!entry || entry.running) return;
      if (started && (state.memo || state.survey.failures > 0)) tried(ctx, board, entry);
    },
    surveyed: () => board.first.promise,
    hasten(country) {
      const { hastened } = board;
      bringForward(ctx, board, country);
      if (hastened[0] === country) return;
      const at = hastened.indexOf(country);
      if (at > 0) hastened.splice(at, 1);
      hastened.unshift(country);
    },
    stop() {
      board.cancel_timer?.();
      end(ctx, board);
    },
  };
}

/** Somebody waits: a system that failed is tried again soon, however long its back-off has grown. */
function bringForward(ctx: Context, board: Board, country: string): void {
  const soon_ms = ctx.clock.now() + BACKOFF_MS.first;
  const late = board.entries.filter(
    ({ state }) =>
      state.survey.failures > 0 &&
      state.survey.due_at_ms > soon_ms &&
      (state.system.country === null || state.system.country === country),
  );
  for (const { state } of late) state.survey.due_at_ms = soon_ms;
  if (late.length > 0) pump(ctx, board);
}

function toEntry(state: SystemState): Entry {
  const host = hostOf(state.system.url);
  return { state, host, running: false, awaited: true };
}

/** Entries join: those with a memo are placed, the others await their first pass. */
function begin(ctx: Context, board: Board, entries: readonly Entry[]): void {
  for (const entry of entries) place(ctx, board, entry);
  if (ctx.survey.enabled) {
    const awaited = entries.filter((entry) => entry.awaited).length;
    if (board.over && awaited > 0)
      Object.assign(board, { over: false, first: Promise.withResolvers() });
    board.awaited += awaited;
  }
  if (board.awaited === 0) end(ctx, board);
  pump(ctx, board);
}

function end(ctx: Context, board: Board): void {
  board.over = true;
  // Where a system may be, those tell that were surveyed after it.
  for (const { state } of board.entries) suspect(ctx, board, state);
  board.first.resolve();
}

/** A failed survey leaves a system where something suggests it is, or nowhere. */
function suspect(ctx: Context, board: Board, state: SystemState): void {
  if (state.memo || state.shard || state.system.near || state.survey.failures === 0) return;
  const whereabouts = board.suspicions.whereabouts(state);
  state.lost = whereabouts === "nowhere";
  ctx.sink.suspect(state.system.id, whereabouts);
}

/** A restart knows where every system is. */
function place(ctx: Context, board: Board, entry: Entry): void {
  const { memo, system, survey: round } = entry.state;
  if (!memo && system.near) {
    // About where it is, is enough to ask it when somebody asks there; reading it tells the rest.
    entry.awaited = false;
    round.due_at_ms = Infinity;
    ctx.sink.setBox(system.id, system.near);
  }
  // The fleet has tried it.
  if (round.failures > 0) {
    entry.awaited = false;
    suspect(ctx, board, entry.state);
  }
  if (!memo) return;
  entry.awaited = false;
  if (round.due_at_ms === 0) {
    // Later than now: it was written before the system clock was set back.
    const surveyed_at_ms = Math.min(memo.surveyed_at_ms, ctx.clock.now());
    round.due_at_ms = surveyed_at_ms + jittered(ctx, RENEW_MS);
  }
  ctx.sink.setBox(system.id, memo.box);
}

/** Begins whatever may begin, and sets the timer for what is due later. */
function pump(ctx: Context, board: Board): void {
  board.cancel_timer?.();
  board.cancel_timer = null;
  if (ctx.signal.aborted || !ctx.survey.enabled) return;
  while (board.running.size < ctx.survey.concurrency) {
    const next = pick(board, ctx.clock.now());
    if (!next) break;
    survey(ctx, board, next);
  }
  let at_ms = Infinity;
  for (const { running, state } of board.entries) {
    const { due_at_ms } = state.survey;
    if (!running && due_at_ms > ctx.clock.now()) at_ms = Math.min(at_ms, due_at_ms);
  }
  if (at_ms !== Infinity) board.cancel_timer = ctx.clock.schedule(at_ms, () => drain(ctx, board));
}

/** What the clock waits for: everything due has been surveyed. */
async function drain(ctx: Context, board: Board): Promise<void> {
  pump(ctx, board);
  while (board.running.size > 0) await Promise.all(board.running);
}

/** Due, at a host of its own; hastened countries first, then in order of configuration. */
function pick({ entries, hosts, hastened }: Board, now_ms: number): Entry | null {
  let best: Entry | null = null;
  let best_rank = Infinity;
  for (const entry of entries) {
    const { due_at_ms } = entry.state.survey;
    if (entry.running || due_at_ms > now_ms || hosts.has(entry.host)) continue;
    const rank = rankOf(entry, hastened);
    if (rank >= best_rank) continue;
    best = entry;
    best_rank = rank;
  }
  return best;
}

/** More than any rank of a country. */
const LATE = 1_000_000;

function rankOf({ state }: Entry, hastened: readonly string[]): number {
  const { country } = state.system;
  // A system of no stated country may be in the one that is waited for.
  const at = country === null ? 0 : hastened.indexOf(country);
  // Unknown places keep answers partial, renewals do not.
  return (state.memo ? LATE : 0) + (at === -1 ? hastened.length : at);
}

function survey(ctx: Context, board: Board, entry: Entry): void {
  entry.running = true;
  board.hosts.add(entry.host);
  const pass = surveyOne(ctx, entry.state).then(() => {
    entry.running = false;
    board.hosts.delete(entry.host);
    board.running.delete(pass);
    ctx.air.delete(pass);
    tried(ctx, board, entry);
    return pump(ctx, board);
  });
  board.running.add(pass);
  ctx.air.add(pass);
}

function tried(ctx: Context, board: Board, entry: Entry): void {
  suspect(ctx, board, entry.state);
  if (entry.awaited && --board.awaited === 0) end(ctx, board);
  entry.awaited = false;
}

function surveyOne(ctx: Context, state: SystemState): Promise<void> {
  return occupy(ctx, state, {
    enough: () => (state.survey.due_at_ms > ctx.clock.now() ? KNOWN : null),
    async fly() {
      const begun_at_ms = ctx.clock.now();
      // A fault of ours counts as a failure.
      state.survey.failures++;
      state.survey.due_at_ms = begun_at_ms + backoff_ms(ctx, state.survey.failures, BACKOFF_MS);
      const { result, retry_at_ms } = await look(ctx, state);
      const elapsed_ms = ctx.clock.now() - begun_at_ms;
      tell(ctx, state, { kind: "survey", elapsed_ms, result });
      const failures = result.status === "ok" ? 0 : state.survey.failures;
      const wait_ms =
        failures === 0 ? jittered(ctx, RENEW_MS) : backoff_ms(ctx, failures, BACKOFF_MS);
      state.survey = { due_at_ms: Math.max(ctx.clock.now() + wait_ms, retry_at_ms), failures };
      return result;
    },
  });
}

const KNOWN = { status: "ok", cache: "revalidated" } as const;

async function look(
  ctx: Context,
  state: SystemState,
): Promise<{ result: RefreshResult; retry_at_ms: number }> {
  const located = await locate(ctx, state, RENEW_MS);
  if ("status" in located)
    return { result: toResult(located), retry_at_ms: located.retry_at_ms ?? 0 };
  remember(ctx, state, located);
  return { result: { status: "ok", cache: "miss" }, retry_at_ms: 0 };
}

function toResult({ status, reason }: Failure): RefreshResult {
  return { status, reason };
}
