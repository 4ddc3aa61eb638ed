/** Taking over what another replica has read of a system, as if it had been read here. */
import type { Handover } from "#upstream/feeds/handover.ts";
import { keepMemo } from "#upstream/feeds/locate.ts";
import { type Context, type SystemState, TARGETS } from "#upstream/feeds/state.ts";

/** The sink hears of it; the pointers of the packs tell it what has changed. */
export function adopt(ctx: Context, state: SystemState, handover: Handover): void {
  const { facts, errors, discovery, shard } = handover;
  const { files, memo, ...rest } = facts;
  for (const target of TARGETS) Object.assign(state.files[target], files[target]);
  Object.assign(state, rest, { discovery });
  state.errors.restore(errors);
  if (memo && memo.surveyed_at_ms !== state.memo?.surveyed_at_ms) keepMemo(ctx, state, memo);
  // What was read here stays where nobody has read the system since.
  if (!shard) return;
  state.shard = shard;
  ctx.sink.put(shard);
}
