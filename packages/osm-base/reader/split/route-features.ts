/** The passes of a split that make features, each written for the pages that need it. */
import { type BlockSink, HAS_WAYS } from "../../pbf/block.ts";
import { MAX_REFS } from "../../pbf/views.ts";
import { toRelation } from "../relations.ts";
import { toLocatedWay } from "../ways.ts";
import { ENTRY_HEAD } from "./entry-writer.ts";
import { EntryReader } from "./entry-reader.ts";
import type { Router } from "./router.ts";
import type { MemberLines } from "./member-lines.ts";
import type { RunFiles } from "./run-files.ts";
import { createOrderCheck, isRead, nodeMembersOf } from "./split-passes.ts";
import { listBlobs, readBlobs, type SplitState } from "./split-state.ts";

export async function routeWays(state: SplitState, router: Router, files: RunFiles): Promise<void> {
  const { wanted, members, trail, writer, counts, tail } = state;
  const positions = state.refs ?? state.table;
  const sink: Partial<BlockSink> = {
    way(way, scale) {
      counts.ways += 1;
      const mask = way.maskOf(wanted.way);
      const isMember = members.wants(way.id);
      if (mask === 0 && !isMember) return;
      if (way.mostRefs > MAX_REFS) {
        if (mask !== 0) trail.drop("way_with_too_many_nodes", `W${way.id}`);
        return;
      }
      const refs = way.refs();
      const input = way.points(refs.length, scale) ?? positions.pointsOf(refs);
      if (isMember) members.addLine(way.id, refs, input);
      const feature = mask === 0 ? null : toLocatedWay(way, { refs, input }, trail);
      if (feature === null) return;
      router.way(feature, mask, isMember);
      if (router.targets.count === 0) return;
      writer.begin();
      writer.way(feature);
      files.add("ways", writer.end(), router.targets);
    },
  };
  await readBlobs(state, listBlobs(state, HAS_WAYS, tail), sink, createOrderCheck(state));
}

export async function routeRelations(
  state: SplitState,
  router: Router,
  files: RunFiles,
): Promise<void> {
  for await (const { blobs, lines } of state.members.list(state.turn))
    await readBlobs(state, blobs, relationSink(state, { router, files, lines }));
}

function relationSink(
  state: SplitState,
  { router, files, lines }: { router: Router; files: RunFiles; lines: MemberLines },
): Partial<BlockSink> {
  const { wanted, trail, writer, spend } = state;
  const positions = state.refs ?? state.table;
  return {
    relation(relation) {
      const mask = relation.maskOf(wanted.relation);
      if (mask === 0) return;
      const points = isRead(relation)
        ? positions.pointsOf(nodeMembersOf(relation))
        : new Int32Array(0);
      const parts = { positions: { pointsOf: () => points }, ways: lines, trail, spend };
      const feature = toRelation(relation, parts);
      const sections = feature === null ? 0 : router.wanted(feature.tags, mask);
      if (feature === null || sections === 0) return;
      router.relation(feature, sections, points);
      if (router.targets.count === 0) return;
      writer.begin();
      writer.relation(feature);
      files.add("relations", writer.end(), router.targets);
    },
  };
}

/** Nodes that waited, now that it is known which areas are drawn around them. */
export async function routeNodes(
  state: SplitState,
  router: Router,
  files: RunFiles,
): Promise<void> {
  const { waiting, texts, turn } = state;
  const reader = new EntryReader(texts.list());
  const [parts] = waiting.listParts();
  for (let i = 0; i < parts!.length; i += 2) {
    const bytes = waiting.read(parts![i]!, parts![i + 1]!);
    reader.begin(bytes);
    while (reader.hasMore) {
      const from = reader.at;
      const { sections, length } = reader.head();
      router.node(reader.node(), sections);
      const entry = bytes.subarray(from, from + ENTRY_HEAD + length);
      files.add("nodes", entry, router.targets);
    }
    await turn();
  }
  waiting.remove();
}
