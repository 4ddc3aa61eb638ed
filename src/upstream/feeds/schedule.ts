/**
 * Who flies when: demand keeps a system awake, due times drive its polls, and there is one flight
 * per system at a time (architecture, Feeds and lookups).
 */
import type { RefreshResult } from "#ports.ts";
import { backingOff, fly, nextDue_ms } from "#upstream/feeds/flight.ts";
import { guard } from "#upstream/feeds/guard.ts";
import { tell } from "#upstream/feeds/snapshot.ts";
import type { Context, SystemState } from "#upstream/feeds/state.ts";

type Task = () => Promise<RefreshResult>;

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
  if (running?.full && running.begun_at_ms >= begun_after_ms) return running.result;
  if (running) return enqueue(ctx, state);
  if (ctx.signal.aborted) return CLOSED;
  return backingOff(state, ctx.clock.now()) ?? takeOff(ctx, state, { full: true });
}

/** All who cannot join the running flight share the next one. */
function enqueue(ctx: Context, state: SystemState): Promise<RefreshResult> {
  state.queued ??= state.flight!.result.then(() => {
    state.queued = null;
    return refresh(ctx, state, { begun_after_ms: -Infinity });
  });
  return state.queued;
}

/** Runs another task in the system's slot, after the flight that is in the air. */
export async function occupy(ctx: Context, state: SystemState, task: Task): Promise<RefreshResult> {
  while (state.flight) await state.flight.result;
  return launch(ctx, state, { full: false, task });
}

function takeOff(
  ctx: Context,
  state: SystemState,
  { full }: { full: boolean },
): Promise<RefreshResult> {
  const begun_at_ms = ctx.clock.now();
  state.last_attempt_at_ms = begun_at_ms;
  const task: Task = async () => {
    const result = await fly(ctx, state, { full });
    const elapsed_ms = ctx.clock.now() - begun_at_ms;
    tell(ctx, state, { kind: "flight", elapsed_ms, result });
    return result;
  };
  // A first load asks for everything, whoever has begun it.
  return launch(ctx, state, { full: full || !state.shard, task });
}

function launch(
  ctx: Context,
  state: SystemState,
  { full, task }: { full: boolean; task: Task },
): Promise<RefreshResult> {
  const begun_at_ms = ctx.clock.now();
  const fault = (error: unknown): RefreshResult => {
    // Nothing was marked, so that everything is still due: without a pause it would spin.
    state.paused_until_ms = ctx.clock.now() + FAULT_PAUSE_MS;
    tell(ctx, state, { kind: "fault", elapsed_ms: 0, result: INTERNAL, error });
    return INTERNAL;
  };
  const result = guard(task, fault).then((landed) => {
    ctx.air.delete(result);
    state.flight = null;
    arm(ctx, state);
    return landed;
  });
  state.flight = { begun_at_ms, full, result };
  ctx.air.add(result);
  return result;
}

/** One timer per system that is awake, at what is due next; none for those asleep. */
function arm(ctx: Context, state: SystemState): void {
  state.cancel_timer?.();
  state.cancel_timer = null;
  if (!state.awake || state.flight || ctx.signal.aborted) return;
  const at_ms = Math.max(nextDue_ms(state), state.paused_until_ms, ctx.clock.now());
  if (at_ms !== Infinity) state.cancel_timer = ctx.clock.schedule(at_ms, () => poll(ctx, state));
}

/** The clock waits for it, so that a moved clock finds due polls done. */
async function poll(ctx: Context, state: SystemState): Promise<void> {
  state.cancel_timer = null;
  if (ctx.signal.aborted) return;
  const idle = ctx.clock.now() - state.asked_at_ms > ctx.idle_s * 1000;
  if (state.flight) await state.flight.result;
  else if (!idle) await takeOff(ctx, state, { full: false });
  else state.awake = false;
}
