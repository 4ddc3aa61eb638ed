/**
 * Who flies when: demand keeps a system awake, due times drive its polls, and there is one flight
 * per system at a time (architecture, Feeds).
 */
import type { RefreshResult } from "#ports.ts";
import type { Mission } from "#upstream/feeds/fleet.ts";
import { backingOff, type Errand, findEnough, fly, nextDue_ms } from "#upstream/feeds/flight.ts";
import { guard } from "#upstream/feeds/guard.ts";
import { tell } from "#upstream/feeds/snapshot.ts";
import type { Context, Flight, SystemState } from "#upstream/feeds/state.ts";

const INTERNAL = { status: "error", reason: "internal" } as const;
const FAULT_PAUSE_MS = 60_000;
const CLOSED = { status: "unavailable", reason: "shutting_down" } as const;

/** Called by every question: nothing but a number while the system is awake. */
export function wake(ctx: Context, state: SystemState): void {
  state.asked_at_ms = ctx.clock.now();
  if (state.awake) return;
  state.awake = true;
  arm(ctx, state);
}

export async function refresh(
  ctx: Context,
  state: SystemState,
  { begun_after_ms }: { begun_after_ms: number },
): Promise<RefreshResult> {
  const { flight: running } = state;
  if (running) {
    running.hurry.abort();
    const joinable = running.full && running.begun_at_ms >= begun_after_ms;
    return joinable ? running.result : enqueue(ctx, state, begun_after_ms);
  }
  if (ctx.signal.aborted) return CLOSED;
  const errand = { full: true, since_ms: begun_after_ms };
  const failed = backingOff(state, ctx.clock.now());
  if (failed) return failed;
  const { hurry, result } = takeOff(ctx, state, errand);
  hurry.abort();
  return result;
}

/** All who cannot join the running flight share the next one. */
function enqueue(ctx: Context, state: SystemState, since_ms: number): Promise<RefreshResult> {
  if (state.queued) {
    state.queued.since_ms = Math.max(state.queued.since_ms, since_ms);
    return state.queued.result;
  }
  const result = state.flight!.over.then(() => {
    // Alone, whatever flies from now on was begun late enough; another replica's flight may not be.
    const begun_after_ms = ctx.fleet ? state.queued!.since_ms : -Infinity;
    state.queued = null;
    return refresh(ctx, state, { begun_after_ms });
  });
  state.queued = { since_ms, result };
  return result;
}

/** Runs another mission in the system's slot, after the flight that is in the air. */
export async function occupy(ctx: Context, state: SystemState, mission: Mission): Promise<void> {
  while (state.flight) await state.flight.over;
  await launch(ctx, state, { full: false, begun_at_ms: ctx.clock.now(), mission }).over;
}

function takeOff(ctx: Context, state: SystemState, errand: Errand): Flight {
  const before = state.shard;
  const mission: Mission = {
    enough: () => findEnough(state, before, { ...errand, now_ms: ctx.clock.now() }),
    async fly() {
      const begun_at_ms = ctx.clock.now();
      state.last_attempt_at_ms = begun_at_ms;
      if (state.flight) state.flight.begun_at_ms = begun_at_ms;
      const result = await fly(ctx, state, errand);
      const elapsed_ms = ctx.clock.now() - begun_at_ms;
      tell(ctx, state, { kind: "flight", elapsed_ms, result });
      return result;
    },
  };
  // A first load asks for everything, whoever has begun it.
  const full = errand.full || !state.shard;
  // Of a fleet another's flight may be enough, as long as it is as young as is asked for.
  const begun_at_ms = ctx.fleet ? errand.since_ms : ctx.clock.now();
  return launch(ctx, state, { full, begun_at_ms, mission });
}

function launch(
  ctx: Context,
  state: SystemState,
  { full, begun_at_ms, mission }: { full: boolean; begun_at_ms: number; mission: Mission },
): Flight {
  const { fleet } = ctx;
  const fault = (error: unknown): RefreshResult => {
    // Nothing was marked, so that everything is still due: without a pause it would spin.
    state.paused_until_ms = ctx.clock.now() + FAULT_PAUSE_MS;
    tell(ctx, state, { kind: "fault", elapsed_ms: 0, result: INTERNAL, error });
    return INTERNAL;
  };
  const hurry = new AbortController();
  const run = (): Promise<RefreshResult> =>
    fleet ? fleet.run(state, mission, hurry.signal) : mission.fly();
  const flown = guard(run, fault);
  const free = (): void => {
    ctx.air.delete(over);
    state.flight = null;
    fleet?.look(state);
    arm(ctx, state);
  };
  // Who waits need not wait until it is handed over.
  const result = fleet
    ? flown
    : flown.then((landed) => {
        free();
        return landed;
      });
  const over = fleet ? flown.then(() => fleet.land(state)).then(free) : result;
  state.flight = { begun_at_ms, full, hurry, result, over };
  ctx.air.add(over);
  return state.flight;
}

/** One timer per system that is awake, at what is due next; none for those asleep. */
export function arm(ctx: Context, state: SystemState): void {
  state.cancel_timer?.();
  state.cancel_timer = null;
  if (!state.awake || state.flight || ctx.signal.aborted) return;
  const now_ms = ctx.clock.now();
  const due_ms = Math.max(nextDue_ms(state), state.paused_until_ms, now_ms);
  if (due_ms === Infinity) return;
  const at_ms = due_ms > now_ms && ctx.fleet ? due_ms + ctx.fleet.lag_ms(state) : due_ms;
  state.cancel_timer = ctx.clock.schedule(at_ms, () => poll(ctx, state));
}

/** The clock waits for it, so that a moved clock finds due polls done. */
async function poll(ctx: Context, state: SystemState): Promise<void> {
  state.cancel_timer = null;
  if (ctx.signal.aborted) return;
  const idle = ctx.clock.now() - state.asked_at_ms > ctx.idle_s * 1000;
  if (state.flight) await state.flight.over;
  else if (!idle) await takeOff(ctx, state, { full: false, since_ms: -Infinity }).result;
  else state.awake = false;
}
