/**
 * The files that age: each is fetched, read and published on its own, so that a slow or failing
 * one never holds the others back.
 */
import type { Failure } from "#core/outcome.ts";
import type { FeedFile } from "#providers/provider.ts";
import {
  fetchFile,
  forgetBody,
  type Got,
  type NewBody,
  rememberBody,
} from "#upstream/feeds/fetch.ts";
import { failureOf, markFailed, markGood } from "#upstream/feeds/marks.ts";
import {
  jobOf,
  type PartFile,
  partOf,
  partsOf,
  publish,
  revalidated,
} from "#upstream/feeds/publish.ts";
import { tellDropped } from "#upstream/feeds/dropped.ts";
import { type Context, type SystemState } from "#upstream/feeds/state.ts";

/** What came of one file: `new` data, the `same`, or nothing. */
export type Came = "new" | "same" | "absent" | Failure;

export async function updatePart(ctx: Context, state: SystemState, file: PartFile): Promise<Came> {
  const conditional = partOf(state.shard, file)?.data != null;
  return takePart(ctx, state, { file, got: await fetchFile(ctx, state, file, { conditional }) });
}

/** The shard is there; `got` is what came for one of its parts. */
export async function takePart(
  ctx: Context,
  state: SystemState,
  { file, got }: { file: PartFile; got: Got },
): Promise<Came> {
  const held = partOf(state.shard, file)?.data != null;
  switch (got.kind) {
    case "failed":
      return got.failure;
    case "absent":
      forgetBody(state, file);
      publish(ctx, state, {});
      return "absent";
    case "same":
      if (!held && got.body) return readPart(ctx, state, { file, body: got.body });
      markGood(ctx, state, file, got.at_ms);
      publish(ctx, state, revalidated(state.shard!, file, got.at_ms));
      return "same";
    case "new":
      return readPart(ctx, state, { file, body: got.body });
  }
}

async function readPart(
  ctx: Context,
  state: SystemState,
  { file, body }: { file: PartFile; body: NewBody },
): Promise<Came> {
  const result = await ctx.ingest(jobOf(ctx, state, { [file]: body }));
  const report = result.files[file];
  const failure = failureOf(report);
  if (failure || !report) return markFailed(ctx, state, file, failure!);
  rememberBody(state, file, { body, report });
  tellDropped(ctx, state, file, report);
  markGood(ctx, state, file, body.at_ms);
  publish(ctx, state, partsOf(file, result, { body, report }));
  return "new";
}

/** Kept as bytes for later work; of static pace, and nothing waits for it. */
export async function updateZones(ctx: Context, state: SystemState): Promise<void> {
  const file: FeedFile = "geofencing_zones";
  const got = await fetchFile(ctx, state, file, { conditional: state.shard!.zones !== null });
  if (got.kind === "failed" || got.kind === "absent") return;
  if (got.kind === "same") return markGood(ctx, state, file, got.at_ms);
  const { body } = got;
  const result = await ctx.ingest(jobOf(ctx, state, { [file]: body }));
  const report = result.files[file];
  const failure = failureOf(report);
  if (failure || !report) return void markFailed(ctx, state, file, failure!);
  rememberBody(state, file, { body, report });
  tellDropped(ctx, state, file, report);
  markGood(ctx, state, file, body.at_ms);
  publish(ctx, state, { zones: result.zones });
}
