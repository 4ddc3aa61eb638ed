/**
 * The static files, read together: at first load, and again at their own pace. Live packs are laid
 * out against the static pack, so a new one is published only with its live packs made anew.
 */
import type { Failure } from "#core/outcome.ts";
import { openAlerts } from "#core/shard/alerts.ts";
import type { Shard } from "#core/shard/shard.ts";
import { openStatics, type Statics } from "#core/shard/statics.ts";
import { type FeedFile, type IngestResult, LIVE_FILES, STATIC_FILES } from "#providers/provider.ts";
import {
  fetchFile,
  forgetBody,
  type Got,
  type NewBody,
  rememberBody,
} from "#upstream/feeds/fetch.ts";
import { takePart } from "#upstream/feeds/live.ts";
import { failureOf, markFailed, markGood } from "#upstream/feeds/marks.ts";
import { jobOf, partOf, partsOf, publishStatics } from "#upstream/feeds/publish.ts";
import { tellDropped } from "#upstream/feeds/dropped.ts";
import {
  type Context,
  offeredOf,
  offers,
  type SystemState,
  protocolOf,
} from "#upstream/feeds/state.ts";

type Bodies = Partial<Record<FeedFile, NewBody>>;
type GotFile = { file: FeedFile; got: Got };

/** Without the types modes would be guessed, without the stations they would be missing. */
const NEEDED: ReadonlySet<FeedFile> = new Set(["vehicle_types", "station_information"]);

/** First load. The station pack waits for the status, which may hold coordinates (violation 14). */
export async function loadSystem(ctx: Context, state: SystemState): Promise<Failure | null> {
  const get = (file: FeedFile): Promise<GotFile> => getFile(ctx, state, file, false);
  const first = offeredOf(state, [...STATIC_FILES, "station_status"] as const).map(get);
  const vehicles = offeredOf(state, ["vehicle_status"] as const).map(get);
  const alerts = offeredOf(state, ["system_alerts"] as const).map(get);
  const common = await Promise.all(first);
  // A guessed vehicle file must have been found before it counts as a vehicle feed (R3).
  if (state.discovery?.guessed_for) await Promise.all(vehicles);
  // A system may publish its vehicles and nothing else.
  const alone = Object.keys(bodiesOf(common)).length === 0;
  const got = alone ? [...common, ...(await Promise.all(vehicles))] : common;
  const failure = await loadStatics(ctx, state, got);
  const rest = (await Promise.all([...vehicles, ...alerts])).filter((each) => !got.includes(each));
  if (failure) return failure;
  await Promise.all(
    rest.map(({ file, got: came }) =>
      takePart(ctx, state, { file: file as "vehicle_status" | "system_alerts", got: came }),
    ),
  );
  return null;
}

async function loadStatics(
  ctx: Context,
  state: SystemState,
  got: readonly GotFile[],
): Promise<Failure | null> {
  const failed = got.find(({ file, got: came }) => NEEDED.has(file) && came.kind === "failed");
  if (failed?.got.kind === "failed") return failed.got.failure;
  const bodies = bodiesOf(got);
  if (Object.keys(bodies).length === 0) return nothingThere(ctx, state);
  const key = keyOf(state, bodies);
  const result = await ctx.ingest(jobOf(ctx, state, bodies));
  const unread = markUnread(ctx, state, bodies, result);
  if (result.statics) return adopt(ctx, state, { bodies, result, key });
  return unread ?? markFailed(ctx, state, "discovery", { status: "error", reason: "no_files" });
}

/** Neither where the discovery says nor where files usually are: the discovery's own failure. */
function nothingThere(ctx: Context, state: SystemState): Failure {
  const failure = state.discovery?.guessed_for ?? { status: "error" as const, reason: "no_files" };
  state.discovery = null;
  return markFailed(ctx, state, "discovery", failure);
}

/** Looks whether the static files have changed; makes the packs anew when they have. */
export async function renewStatics(ctx: Context, state: SystemState): Promise<void> {
  const offered = offeredOf(state, STATIC_FILES);
  const conditional = state.statics_key === keyOf(state);
  const got = await Promise.all(offered.map((file) => getFile(ctx, state, file, conditional)));
  if (conditional && !got.some(({ got: came }) => came.kind === "new")) {
    for (const { file, got: came } of got)
      if (came.kind === "same") markGood(ctx, state, file, came.at_ms);
    return;
  }
  const whole = await Promise.all([
    ...got.map(({ file, got: came }) => withBody(ctx, state, { file, got: came })),
    ...offeredOf(state, LIVE_FILES).map((file) => getFile(ctx, state, file, false)),
  ]);
  if (whole.some(({ file, got: came }) => came.kind === "failed" && isHeld(state, file)))
    return holdBack(ctx, state);
  const bodies = bodiesOf(whole);
  const key = keyOf(state, bodies);
  const result = await ctx.ingest(jobOf(ctx, state, bodies));
  markUnread(ctx, state, bodies, result);
  const lost = (Object.keys(bodies) as FeedFile[]).some(
    (file) => failureOf(result.files[file]) && isHeld(state, file),
  );
  if (!result.statics || lost) return holdBack(ctx, state);
  if (await adopt(ctx, state, { bodies, result, key })) holdBack(ctx, state);
}

/** Its last good data would be lost if the packs were made without it. */
function isHeld(state: SystemState, file: FeedFile): boolean {
  if (file === "station_status" || file === "vehicle_status")
    return partOf(state.shard, file)?.data != null;
  return NEEDED.has(file) || state.info !== null;
}

/** The old packs stay, with their age; the static files are looked at again later. */
function holdBack(ctx: Context, state: SystemState): void {
  const later_ms =
    ctx.clock.now() + protocolOf(ctx, state).nextPoll_s("station_information", 1) * 1000;
  for (const file of STATIC_FILES) {
    const mark = state.files[file];
    mark.due_at_ms = Math.max(mark.due_at_ms, later_ms);
  }
}

async function withBody(
  ctx: Context,
  state: SystemState,
  { file, got }: GotFile,
): Promise<GotFile> {
  const bare = got.kind === "same" && !got.body;
  return bare ? getFile(ctx, state, file, false) : { file, got };
}

async function getFile(
  ctx: Context,
  state: SystemState,
  file: FeedFile,
  conditional: boolean,
): Promise<GotFile> {
  const { failure, gate_at_ms } = state.files[file];
  // Backing off (Retry-After above all): it fails without being asked.
  if (failure && gate_at_ms > ctx.clock.now()) return { file, got: { kind: "failed", failure } };
  return { file, got: await fetchFile(ctx, state, file, { conditional }) };
}

function bodiesOf(files: readonly GotFile[]): Bodies {
  const bodies: Bodies = {};
  for (const { file, got } of files)
    if ((got.kind === "new" || got.kind === "same") && got.body) bodies[file] = got.body;
  return bodies;
}

/** Marks what could not be read, or was read by nobody; the first such failure. */
function markUnread(
  ctx: Context,
  state: SystemState,
  bodies: Bodies,
  result: IngestResult,
): Failure | null {
  let first: Failure | null = null;
  for (const file of Object.keys(bodies) as FeedFile[]) {
    const report = result.files[file];
    const failure = report && failureOf(report);
    if (!failure) continue;
    markFailed(ctx, state, file, failure);
    first ??= failure;
  }
  return first;
}

/** Must the packs be made of other files than they were? A new discovery may say so. */
export function hasOtherFiles(state: SystemState): boolean {
  return state.shard !== null && state.statics_key !== keyOf(state);
}

function keyOf(state: SystemState, bodies?: Bodies): string {
  const read = bodies
    ? STATIC_FILES.filter((file) => bodies[file])
    : offeredOf(state, STATIC_FILES);
  return [...read, offers(state, "vehicle_status")].join();
}

/** The failure, where the new static pack is beyond a bound: then all stays as it was. */
async function adopt(ctx: Context, state: SystemState, read: Read): Promise<Failure | null> {
  const { bodies, result, key } = read;
  const parts = {};
  for (const file of ["station_status", "vehicle_status"] as const) {
    const [body, report] = [bodies[file], result.files[file]];
    if (body && report?.ok) Object.assign(parts, partsOf(file, result, { body, report }));
  }
  const statics = sameOr(state, result.statics!);
  if (statics !== state.shard?.statics) Object.assign(parts, alertsOf(state, result));
  const refused = await publishStatics(ctx, state, { statics, parts });
  if (refused)
    return markFailed(ctx, state, "station_information", { status: "error", reason: refused });
  state.info = result.system;
  state.statics_key = key;
  state.loaded_at_ms = ctx.clock.now();
  for (const file of [...STATIC_FILES, ...LIVE_FILES]) markRead(ctx, state, file, read);
  return null;
}

type Read = { bodies: Bodies; result: IngestResult; key: string };

/** The alerts that are held, laid out against the new statics. */
function alertsOf(state: SystemState, { alerts }: IngestResult): Partial<Pick<Shard, "alerts">> {
  const held = state.shard?.alerts;
  return held && alerts ? { alerts: { ...held, data: openAlerts(alerts) } } : {};
}

function markRead(
  ctx: Context,
  state: SystemState,
  file: FeedFile,
  { bodies, result }: Read,
): void {
  const [body, report] = [bodies[file], result.files[file]];
  if (!body || !report?.ok) return forgetBody(state, file);
  rememberBody(state, file, { body, report });
  tellDropped(ctx, state, file, report);
  markGood(ctx, state, file, body.at_ms);
}

/** Publishers stamp unchanged files with a new time: equal packs keep the old pointer. */
function sameOr(state: SystemState, buffer: SharedArrayBuffer): Statics {
  const old = state.shard?.statics;
  if (old && Buffer.from(old.buffer).equals(Buffer.from(buffer))) return old;
  return openStatics(buffer);
}
