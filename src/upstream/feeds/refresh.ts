/** One refresh of one system: what plan.ts says, done step by step. It never rejects for a publisher. */
import { openZones } from "#stations/shard/shard-zones.ts";
import type { RefreshResult } from "#ports.ts";
import type { FeedFile } from "#stations/feed.ts";
import { discover } from "#upstream/feeds/feed-discovery.ts";
import { feedFailure, type Feed, type Got } from "#upstream/feeds/feed-runtime.ts";
import { locationOf, remember } from "#upstream/feeds/locate.ts";
import { type Body, jobOf, partsOf } from "#upstream/feeds/feed-packs.ts";
import {
  isDiscoveryDue,
  plan,
  feedRefusal,
  type RefreshRequest,
  resultOf,
} from "#upstream/feeds/feed-plan.ts";
import { loadSystem, renewStatics } from "#upstream/feeds/feed-statics.ts";
import { type PartFile, partOf } from "#upstream/feeds/feed-view.ts";

export async function refreshFeed(feed: Feed, request: RefreshRequest): Promise<RefreshResult> {
  const { view } = feed.state;
  if (isDiscoveryDue(view, feed.now()) && (await discover(feed))) return feedRefusal(view);
  let is_new = false;
  for (const step of plan(view, request, feed.now()))
    switch (step.do) {
      case "load":
        if (!(await load(feed))) return feedRefusal(view);
        is_new = true;
        break;
      case "update": {
        const came = await Promise.all(step.files.map((file) => update(feed, file)));
        is_new = came.includes("new");
        break;
      }
      case "renew_statics":
        await renewStatics(feed);
    }
  return resultOf(view, is_new);
}

/** true: the shard is there, with whatever could be read of its parts. */
async function load(feed: Feed): Promise<boolean> {
  const live = await loadSystem(feed);
  if (!live) return false;
  await Promise.all(live.map(({ file, got }) => takePart(feed, file, got)));
  if (!feed.state.view.memo) remember(feed, locationOf(feed.state.view));
  return true;
}

/** `new`: live data that were not held before. */
async function update(feed: Feed, file: PartFile | "geofencing_zones"): Promise<"new" | "same"> {
  if (file === "geofencing_zones") return updateZones(feed);
  const conditional = partOf(feed.state.view.shard, file)?.data != null;
  return takePart(feed, file, await feed.fetchFile(file, { conditional }));
}

/** The shard is there; `got` is what came for one of its parts. */
async function takePart(feed: Feed, file: PartFile, got: Got): Promise<"new" | "same"> {
  const { state } = feed;
  const isStored = partOf(state.view.shard, file)?.data != null;
  if (got.kind === "failed") return "same";
  if (got.kind === "absent") state.dropped(file);
  else if (got.kind === "same" && (isStored || !got.body)) state.confirmedPart(file, got.at_ms);
  else return (await readPart(feed, file, got.body!)) ? "new" : "same";
  await feed.show();
  return "same";
}

/** Of static pace, kept as bytes, and no answer waits for it. */
async function updateZones(feed: Feed): Promise<"same"> {
  const conditional = feed.state.view.shard!.zones !== null;
  const got = await feed.fetchFile("geofencing_zones", { conditional });
  if (got.kind === "same") feed.state.confirmed("geofencing_zones", got.at_ms);
  if (got.kind === "new") await readPart(feed, "geofencing_zones", got.body);
  return "same";
}

/** false: it could not be read. */
async function readPart(
  feed: Feed,
  file: PartFile | "geofencing_zones",
  body: Body,
): Promise<boolean> {
  const { state, events, ctx } = feed;
  const bodies: Partial<Record<FeedFile, Body>> = { [file]: body };
  const result = await ctx.ingest(jobOf(state.view, bodies, feed.now()));
  const report = result.files[file];
  const failure = feedFailure(report);
  if (failure || !report) {
    state.failed(file, failure!);
    return false;
  }
  const read = { body, report };
  events.read(file, { report, statics: state.view.shard?.statics, now_ms: feed.now() });
  const patch =
    file === "geofencing_zones"
      ? { zones: result.zones && openZones(result.zones) }
      : partsOf(file, result, read);
  state.readPart(file, read, patch);
  await feed.show();
  return true;
}
