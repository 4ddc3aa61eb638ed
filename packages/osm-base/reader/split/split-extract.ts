/**
 * An extract of any size as runs of features for the pages of its base, in bounded memory:
 *
 *   1 relations: which ways they need · 2 references of ways and relations, by ranges of ids ·
 *   3 nodes: positions of a range at a time; those with tags wait · cells are cut ·
 *   4 ways · 5 relations · 6 the nodes that waited
 *
 * A file whose nodes fit in memory needs no ranges, and its ways are read once. Each pass reads blobs in
 * the order of the file, so that references are met in the same order again.
 */
import type { BlobFile } from "../extract-file.ts";
import { cutLayout } from "./cut-layout.ts";
import { Router } from "./router.ts";
import { RunFiles } from "./run-files.ts";
import { routeNodes, routeRelations, routeWays } from "./route-features.ts";
import { findRelations, findTail, readNodes, readRefs, weighWays } from "./split-passes.ts";
import { createState, type SplitState, summaryOf } from "./split-state.ts";
import type { Split, SplitOptions } from "./split-types.ts";

/** Throws a `problem` for what the file may hold, and closes what it opened. */
export async function splitExtract(file: BlobFile, options: SplitOptions): Promise<Split> {
  const state = createState(file, options);
  try {
    return await run(state);
  } finally {
    for (const each of state.open) each.close();
  }
}

async function run(state: SplitState): Promise<Split> {
  const { options, file } = state;
  await findTail(state);
  await findRelations(state);
  if (state.refs !== null || file.header.located) await readRefs(state);
  await readNodes(state);
  if (state.refs === null && !file.header.located) await weighWays(state);
  const { page_bytes } = options;
  const layout = cutLayout(state.sums.pyramid(), { page_bytes, spend: state.spend });
  const files = new RunFiles(layout, state);
  state.open.push(files);
  const router = new Router(layout, options.sections, state);
  await routeWays(state, router, files);
  await routeRelations(state, router, files);
  state.members.remove();
  state.refs?.remove();
  await routeNodes(state, router, files);
  const map = router.isMapped ? state.survey.finish() : null;
  return { ...files.finish(map), map, summary: summaryOf(state) };
}
