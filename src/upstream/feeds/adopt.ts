/** Taking over what another replica has read of a system, as if it had been read here. */
import { type Shard, shardBox } from "#core/shard/shard.ts";
import type { Handover } from "#upstream/feeds/handover.ts";
import { keepMemo } from "#upstream/feeds/locate.ts";
import { PART_FILES, PART_KEYS, partOf, type PartFile } from "#upstream/feeds/publish.ts";
import { type Context, type SystemState, TARGETS } from "#upstream/feeds/state.ts";

/** Resolves when it is shown; the pointers of the packs tell the sink what has changed. */
export async function adopt(ctx: Context, state: SystemState, handover: Handover): Promise<void> {
  const { facts, errors, discovery, shard } = handover;
  const { files, memo, ...rest } = facts;
  for (const target of TARGETS) Object.assign(state.files[target], files[target]);
  Object.assign(state, rest, { discovery });
  state.errors.restore(errors);
  if (memo && memo.surveyed_at_ms !== state.memo?.surveyed_at_ms) keepMemo(ctx, state, memo);
  // What was read here stays where nobody has read the system since.
  if (!shard) return;
  state.shard = shard;
  await ctx.sink.put(shard);
}

/**
 * For who has read something that is not published: the handover with those live files that were read
 * here later, as long as they lie against the same static pack. Of two packs the one made later holds,
 * with all that lies against it. `kept`: what there is of ours; handover null: all.
 */
export function mergeNewer(
  state: SystemState,
  handover: Handover,
): { handover: Handover | null; kept: boolean } {
  const { shard: own } = state;
  const { shard, facts } = handover;
  if (!shard || !own) return { handover, kept: own !== null };
  if (own.statics !== shard.statics) {
    const kept = state.loaded_at_ms > facts.loaded_at_ms;
    return { handover: kept ? null : handover, kept };
  }
  const later = PART_FILES.filter((file) => isLater(file, own, shard));
  const parts = later.map((file) => [PART_KEYS[file], own[PART_KEYS[file]]]);
  const marks = later.map((file) => [file, state.files[file]]);
  const newest: Shard = { ...shard, ...Object.fromEntries(parts) };
  const box = shardBox(newest.statics, newest.vehicles?.data ?? null);
  const merged = {
    ...handover,
    shard: { ...newest, box },
    facts: { ...facts, files: { ...facts.files, ...Object.fromEntries(marks) } },
  };
  return { handover: merged, kept: later.length > 0 };
}

function isLater(file: PartFile, own: Handover["shard"], other: Handover["shard"]): boolean {
  const [mine, theirs] = [own, other].map((shard) => partOf(shard, file)?.live?.validated_at_ms);
  return mine !== undefined && theirs !== undefined && mine > theirs;
}
