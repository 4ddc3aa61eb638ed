/** One refresh of one system: discovery, then whatever is due or asked for. It never rejects. */
import type { Shard } from "#core/shard/shard.ts";
import type { RefreshResult } from "#ports.ts";
import { LIVE_FILES, STATIC_FILES } from "#providers/provider.ts";
import { ensureDiscovery } from "#upstream/feeds/discovery.ts";
import { type Came, updatePart, updateZones } from "#upstream/feeds/live.ts";
import { locationOf, remember } from "#upstream/feeds/locate.ts";
import { worstFailure } from "#upstream/feeds/marks.ts";
import { PART_FILES, type PartFile, partOf } from "#upstream/feeds/publish.ts";
import {
  type Context,
  offeredOf,
  offers,
  type SystemState,
  type Target,
} from "#upstream/feeds/state.ts";
import { hasOtherFiles, loadSystem, renewStatics } from "#upstream/feeds/statics.ts";

/**
 * `full`: somebody waits, so that the live files are asked for whether due or not, and nothing else
 * is: the static files are left to the next poll (decisions, Global nearby). Of a fleet
 * those are left out that another replica has asked for since `since_ms`, and that are still valid.
 */
export type Errand = { full: boolean; since_ms: number };

export async function fly(
  ctx: Context,
  state: SystemState,
  { full, since_ms }: Errand,
): Promise<RefreshResult> {
  const before = state.discovery;
  const failure = await ensureDiscovery(ctx, state);
  if (failure) return refused(state);
  if (!state.shard) return load(ctx, state);
  if (state.discovery !== before && hasOtherFiles(state))
    for (const file of STATIC_FILES) state.files[file].due_at_ms = 0;
  return full ? await flyFull(ctx, state, since_ms) : await flyDue(ctx, state);
}

async function load(ctx: Context, state: SystemState): Promise<RefreshResult> {
  if (await loadSystem(ctx, state)) return refused(state);
  if (!state.memo) remember(ctx, state, locationOf(state));
  return resultOf(state, ["new"]);
}

async function flyFull(ctx: Context, state: SystemState, since_ms: number): Promise<RefreshResult> {
  const now_ms = ctx.clock.now();
  const files = offeredOf(state, PART_FILES).filter(
    (file) =>
      state.files[file].gate_at_ms <= now_ms &&
      !(ctx.fleet && isYoung(state, file, { since_ms, now_ms })),
  );
  return resultOf(state, await updateParts(ctx, state, files));
}

/** Is it valid, and was asked for since? */
function isYoung(
  state: SystemState,
  file: PartFile,
  { since_ms, now_ms }: { since_ms: number; now_ms: number },
): boolean {
  const { failure, asked_at_ms } = state.files[file];
  const live = partOf(state.shard, file)?.live;
  if (failure || !live || asked_at_ms < since_ms) return false;
  return now_ms - live.validated_at_ms <= live.ttl_s * 1000;
}

/**
 * The result, when what a replica holds needs no flight (any more): another's flight may have brought
 * it, or failed. null: it does. `before`: what was held when the question came.
 */
export function findEnough(
  state: SystemState,
  before: Shard | null,
  { full, since_ms, now_ms }: Errand & { now_ms: number },
): RefreshResult | null {
  // A system that has moved is to be asked where it is, before anything of it can be due.
  if (state.shard && !state.discovery) return null;
  const young = full ? isAllYoung(state, { since_ms, now_ms }) : nextDue_ms(state) > now_ms;
  if (!young) return full ? backingOff(state, now_ms) : null;
  if (!state.shard) return refused(state);
  const is_new = PART_FILES.some((file) => dataOf(state.shard, file) !== dataOf(before, file));
  return resultOf(state, [is_new ? "new" : "same"]);
}

function isAllYoung(state: SystemState, at: { since_ms: number; now_ms: number }): boolean {
  return (
    state.shard !== null &&
    offeredOf(state, PART_FILES).every(
      (file) => state.files[file].gate_at_ms > at.now_ms || isYoung(state, file, at),
    )
  );
}

function dataOf(shard: Shard | null, file: PartFile): unknown {
  return partOf(shard, file)?.data ?? null;
}

async function flyDue(ctx: Context, state: SystemState): Promise<RefreshResult> {
  const now_ms = ctx.clock.now();
  const files = offeredOf(state, PART_FILES).filter(
    (file) => state.files[file].due_at_ms <= now_ms,
  );
  const zones = offers(state, "geofencing_zones") && isDue(state, "geofencing_zones", now_ms);
  const [came] = await Promise.all([
    updateParts(ctx, state, files),
    zones ? updateZones(ctx, state) : null,
  ]);
  const statics = offeredOf(state, STATIC_FILES).some((file) => isDue(state, file, now_ms));
  if (statics) await renewStatics(ctx, state);
  return resultOf(state, came);
}

function updateParts(
  ctx: Context,
  state: SystemState,
  files: readonly PartFile[],
): Promise<Came[]> {
  return Promise.all(files.map((file) => updatePart(ctx, state, file)));
}

function isDue(state: SystemState, target: Target, now_ms: number): boolean {
  return state.files[target].due_at_ms <= now_ms;
}

function refused(state: SystemState): RefreshResult {
  const { status, reason } = worstFailure(state)!;
  return { status, reason };
}

function resultOf(state: SystemState, came: readonly Came[]): RefreshResult {
  const failure = worstFailure(state, LIVE_FILES);
  if (failure) return { status: failure.status, reason: failure.reason };
  return { status: "ok", cache: came.includes("new") ? "miss" : "revalidated" };
}

/** When the next poll is due; Infinity: there is nothing to poll. */
export function nextDue_ms(state: SystemState): number {
  if (!state.shard) return Math.max(0, ...failingOf(state).map((file) => file.due_at_ms));
  const polled = offeredOf(state, [...PART_FILES, ...STATIC_FILES, "geofencing_zones"] as const);
  return Math.min(...polled.map((file) => state.files[file].due_at_ms));
}

/** The failure to answer with at once while a system is backing off; null: it may be asked. */
export function backingOff(state: SystemState, now_ms: number): RefreshResult | null {
  if (!state.shard)
    return failingOf(state).some((file) => file.gate_at_ms > now_ms) ? refused(state) : null;
  const live = offeredOf(state, LIVE_FILES);
  const closed = live.length > 0 && live.every((file) => state.files[file].gate_at_ms > now_ms);
  return closed ? resultOf(state, []) : null;
}

/** Of what a first load cannot do without. */
function failingOf(state: SystemState): SystemState["files"][Target][] {
  const targets: readonly Target[] = ["discovery", "vehicle_types", "station_information"];
  return targets.map((target) => state.files[target]).filter((file) => file.failure !== null);
}
