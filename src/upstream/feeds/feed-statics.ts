/**
 * The static files, read together: at first load, and again at their own pace. Live packs are laid
 * out against the static pack, so a new one is published only with its live packs rebuilt.
 */
import type { Failure } from "#kit/outcome.ts";
import { type FeedFile, type IngestResult, LIVE_FILES, STATIC_FILES } from "#stations/feed.ts";
import { feedFailure, type Feed, type Got } from "#upstream/feeds/feed-runtime.ts";
import {
  alertsOf,
  type Body,
  jobOf,
  type Parts,
  partsOf,
  staticsOf,
  withStatics,
} from "#upstream/feeds/feed-packs.ts";
import type { ReadFile } from "#upstream/feeds/feed-state.ts";
import {
  type FeedView,
  offeredOf,
  type PartFile,
  partOf,
  staticsKeyOf,
} from "#upstream/feeds/feed-view.ts";
import { measured } from "#upstream/feeds/work.ts";

type Bodies = Partial<Record<FeedFile, Body>>;
type GotFile<F extends FeedFile = FeedFile> = { file: F; got: Got };

/** Without the types modes would be guessed, without the stations they would be missing. */
const NEEDED: ReadonlySet<FeedFile> = new Set(["vehicle_types", "station_information"]);

/**
 * First load: the static pack, and what came for the parts that are not in it yet; null: it failed.
 * The station pack waits for the status, which may hold coordinates (violation 14).
 */
export async function loadSystem(feed: Feed): Promise<GotFile<PartFile>[] | null> {
  const { view } = feed.state;
  const get = <F extends FeedFile>(file: F): Promise<GotFile<F>> => getFile(feed, file, false);
  const first = offeredOf(view, [...STATIC_FILES, "station_status"] as const).map(get);
  const vehicles = offeredOf(view, ["vehicle_status"] as const).map(get);
  const alerts = offeredOf(view, ["system_alerts"] as const).map(get);
  const common: GotFile[] = await Promise.all(first);
  // A guessed vehicle file must have been found before it counts as a vehicle feed (R3).
  if (view.discovery?.guessed_for) await Promise.all(vehicles);
  // A system may publish its vehicles and nothing else.
  const alone = Object.keys(bodiesOf(common)).length === 0;
  const got = alone ? [...common, ...(await Promise.all(vehicles))] : common;
  const is_loaded = await loadStatics(feed, got);
  const rest = await Promise.all([...vehicles, ...alerts]);
  return is_loaded ? rest.filter((each) => !got.includes(each)) : null;
}

async function loadStatics(feed: Feed, got: readonly GotFile[]): Promise<boolean> {
  const { state } = feed;
  if (got.some(({ file, got: came }) => NEEDED.has(file) && came.kind === "failed")) return false;
  const bodies = bodiesOf(got);
  if (Object.keys(bodies).length === 0) {
    state.foundNothing();
    return false;
  }
  const { statics_key, result, unread } = await read(feed, bodies);
  if (result.statics) return takeOver(feed, { bodies, result, statics_key });
  if (unread.length === 0) state.failed("discovery", { status: "error", reason: "no_files" });
  return false;
}

/** Looks whether the static files have changed; rebuilds the packs when they have. */
export async function renewStatics(feed: Feed): Promise<void> {
  const { state } = feed;
  const { view } = state;
  const conditional = view.statics_key === staticsKeyOf(view);
  const got = await Promise.all(
    offeredOf(view, STATIC_FILES).map((file) => getFile(feed, file, conditional)),
  );
  if (conditional && !got.some(({ got: came }) => came.kind === "new")) {
    for (const { file, got: came } of got)
      if (came.kind === "same") state.confirmed(file, came.at_ms);
    return;
  }
  const whole: GotFile[] = await Promise.all([
    ...got.map((each) => withBody(feed, each)),
    ...offeredOf(view, LIVE_FILES).map((file) => getFile(feed, file, false)),
  ]);
  if (whole.some(({ file, got: came }) => came.kind === "failed" && isHeld(view, file)))
    return state.postponedStatics();
  const bodies = bodiesOf(whole);
  const { statics_key, result } = await read(feed, bodies);
  const files = Object.keys(bodies) as FeedFile[];
  const lost = files.some((file) => feedFailure(result.files[file]) && isHeld(view, file));
  if (!result.statics || lost || !(await takeOver(feed, { bodies, result, statics_key })))
    state.postponedStatics();
}

/** Whether its last good data would be lost if the packs were built without it. */
function isHeld(view: FeedView, file: FeedFile): boolean {
  if (file === "station_status" || file === "vehicle_status")
    return partOf(view.shard, file)?.data != null;
  return NEEDED.has(file) || (file === "system_information" && view.info !== null);
}

/** A file that is unchanged is requested once more, whole. */
async function withBody(feed: Feed, { file, got }: GotFile): Promise<GotFile> {
  const bare = got.kind === "same" && !got.body;
  return bare ? getFile(feed, file, false) : { file, got };
}

async function getFile<F extends FeedFile>(
  feed: Feed,
  file: F,
  conditional: boolean,
): Promise<GotFile<F>> {
  const { failure, retry_at_ms } = feed.state.view.files[file];
  // Backing off (Retry-After above all): it fails without being requested.
  if (failure && retry_at_ms > feed.now()) return { file, got: { kind: "failed", failure } };
  return { file, got: await feed.fetchFile(file, { conditional }) };
}

function bodiesOf(files: readonly GotFile[]): Bodies {
  const bodies: Bodies = {};
  for (const { file, got } of files)
    if ((got.kind === "new" || got.kind === "same") && got.body) bodies[file] = got.body;
  return bodies;
}

type Read = { bodies: Bodies; result: IngestResult; statics_key: string };

/** `unread`: files that were there and could not be read; they have failed. */
async function read(feed: Feed, bodies: Bodies): Promise<Read & { unread: FeedFile[] }> {
  const { state, ctx } = feed;
  const files = Object.keys(bodies) as FeedFile[];
  const result = await ctx.ingest(jobOf(state.view, bodies, feed.now()));
  const unread = files.filter((file) => {
    const report = result.files[file];
    const failure = report && feedFailure(report);
    if (failure) state.failed(file, failure);
    return Boolean(failure);
  });
  return { bodies, result, statics_key: staticsKeyOf(state.view, new Set(files)), unread };
}

/** Shows the new static pack; false: it is beyond a bound, and all stays as it was. */
async function takeOver(feed: Feed, { bodies, result, statics_key }: Read): Promise<boolean> {
  const { state, ctx, events } = feed;
  const { view } = state;
  const files = readFiles(bodies, result);
  const parts: Partial<Parts> = {};
  for (const file of ["station_status", "vehicle_status"] as const)
    if (files[file]) Object.assign(parts, partsOf(file, result, files[file]));
  const statics = staticsOf(view, result.statics!);
  if (statics !== view.shard?.statics) Object.assign(parts, alertsOf(view, result));
  const shard = withStatics(view, statics, parts);
  const refused = await measured(ctx.onWork, "publish", () => ctx.sink.put(shard));
  if (refused) {
    const failure: Failure = { status: "error", reason: refused };
    state.failed("station_information", failure);
    return false;
  }
  state.loaded({ shard, info: result.system, statics_key, files });
  for (const [file, { report }] of Object.entries(files))
    events.read(file as FeedFile, { report, statics, now_ms: feed.now() });
  return true;
}

function readFiles(bodies: Bodies, result: IngestResult): Partial<Record<FeedFile, ReadFile>> {
  const files: Partial<Record<FeedFile, ReadFile>> = {};
  for (const file of [...STATIC_FILES, ...LIVE_FILES]) {
    const [body, report] = [bodies[file], result.files[file]];
    if (body && report?.ok) files[file] = { body, report };
  }
  return files;
}
