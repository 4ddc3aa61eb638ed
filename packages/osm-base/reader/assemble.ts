/**
 * The passes over an extract. Relations say which ways they need; these ways are kept; positions of
 * all nodes are kept; then relations and ways are put together and handed to the sections:
 *
 *   1 relations · 2 ways of relations · 3 nodes · 4 relations · 5 ways
 *
 * Passes 1 and 2 read a sorted file from its end, so that each block of nodes is read once only.
 */
import type { BaseSection } from "../base/base-features.ts";
import { createCoverage, type CellCoverage } from "../base/cover-cells.ts";
import { createKeyMatcher, MAX_SECTIONS } from "../base/base-keys.ts";
import type { BaseCounts } from "../base/base-layout.ts";
import { NodePositions } from "../base/positions.ts";
import { problem } from "#kit/problem.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import { BlockReader, type BlockSink, HAS_NODES, HAS_RELATIONS, HAS_WAYS } from "../pbf/block.ts";
import { MAX_REFS } from "../pbf/views.ts";
import type { AssembleJob, BuildSections, Pass } from "./build-base.ts";
import type { BlobFile } from "./extract-file.ts";
import { toRelation } from "./relations.ts";
import { toWay } from "./ways.ts";
import { IdList, MemberWays } from "./member-ways.ts";

export type Summary = {
  counts: BaseCounts;
  /** In ten-millionths of a degree. */
  box: ReturnType<CellCoverage["box"]>;
  cells: Uint32Array;
  data_at_s: number | null;
  trail: TrailRecorder;
};

/** Nodes that a file of any size may have, and bytes of it for each one beyond. */
const FREE_NODES = 8_000_000;
const LEAST_BYTES_PER_NODE = 2;
/** The same of ways in relations, and of the bytes that these ways take. */
const FREE_WAYS = 1_000_000;
const LEAST_BYTES_PER_WAY = 8;
export const FREE_WAY_BYTES = 64 * 1024 * 1024;
/** Nodes that all relations together may go through, and pairs of rings. */
const FREE_WORK = 2e10;
const WORK_PER_BYTE = 20;
/** The open map began in 2004; what is older is a placeholder. */
const LEAST_TIME_S = Date.UTC(2005, 0) / 1000;

/** Reads the file and hands its features to the sections. */
export async function assemble(
  file: BlobFile,
  sections: readonly BaseSection[],
  job: AssembleJob,
): Promise<Summary> {
  if (sections.length > MAX_SECTIONS) throw new RangeError("more sections than bits");
  const build: BuildSections = {
    file,
    sections,
    wanted: {
      node: createKeyMatcher(sections, "node"),
      way: createKeyMatcher(sections, "way"),
      relation: createKeyMatcher(sections, "relation"),
    },
    reader: new BlockReader(),
    kinds: new Uint8Array(file.count),
    counts: { nodes: 0, ways: 0, relations: 0 },
    coverage: createCoverage(),
    positions: new NodePositions(),
    ways: new MemberWays(new Float64Array(0)),
    trail: createTrail(),
    spend: createBudget(file.size),
    job,
  };
  await findMembers(build);
  await keepMembers(build);
  await readNodes(build);
  await handRelations(build);
  // No relation is left that needs them.
  build.ways = new MemberWays(new Float64Array(0));
  await handWays(build);
  const { counts, coverage, trail } = build;
  return {
    counts,
    box: coverage.box(),
    cells: coverage.cells(),
    data_at_s: file.header.data_at_s ?? newestSeconds(build.reader),
    trail,
  };
}

async function findMembers(build: BuildSections): Promise<void> {
  const { counts, wanted, file } = build;
  const ids = new IdList(mostWaysOf(file.size));
  await readTail(build, HAS_RELATIONS, "relations", {
    relation(relation) {
      counts.relations += 1;
      if (relation.mostMembers > MAX_REFS || relation.maskOf(wanted.relation) === 0) return;
      relation.wayMembers((id) => ids.add(id));
    },
  });
  build.ways = new MemberWays(ids.toSorted(), FREE_WAY_BYTES + file.size);
}

async function keepMembers(build: BuildSections): Promise<void> {
  const { counts, coverage, ways, file } = build;
  const { located } = file.header;
  await readTail(build, HAS_WAYS, "member_ways", {
    way(way, scale) {
      counts.ways += 1;
      const isMember = ways.wants(way.id);
      if ((!isMember && !located) || way.mostRefs > MAX_REFS) return;
      const points = located ? way.points(way.refs().length, scale) : null;
      if (points) coverage.addPoints(points);
      if (isMember) ways.add(way.id, way.packedRefs(), points);
    },
  });
}

async function readNodes(build: BuildSections): Promise<void> {
  const { file, kinds, counts, coverage, positions, sections, trail } = build;
  const most = mostNodesOf(file.size);
  const sink: Partial<BlockSink> = {
    node: ({ mask, id, lat7, lon7, tags }) => {
      for (let i = 0; mask >> i !== 0; i++)
        if ((mask >> i) & 1) sections[i]!.node({ type: "node", id, lat7, lon7, tags });
    },
    nodes(batch) {
      counts.nodes += batch.count;
      if (counts.nodes > most) throw problem("extract: more nodes than a map of this size has");
      coverage.add(batch.lat7, batch.lon7, batch.count);
      positions.add(batch);
    },
    nodeOutside: (id) => trail.drop("node_outside_the_globe", `N${id}`),
  };
  const indexes = [...kinds.keys()].filter((i) => kinds[i] === 0 || kinds[i]! & HAS_NODES);
  await readBlobs(build, { indexes, pass: "nodes", sink }, (index, match) => {
    if (kinds[index] === 0 && (match & (HAS_WAYS | HAS_RELATIONS)) !== 0)
      throw problem("extract: not in the order that its header promises (Sort.Type_then_ID)");
    return true;
  });
  positions.seal();
}

async function handRelations(build: BuildSections): Promise<void> {
  const { sections, wanted } = build;
  await readKnown(build, HAS_RELATIONS, {
    relation(relation) {
      const mask = relation.maskOf(wanted.relation);
      const feature = mask === 0 ? null : toRelation(relation, build);
      if (feature === null) return;
      for (let i = 0; mask >> i !== 0; i++) if ((mask >> i) & 1) sections[i]!.relation(feature);
    },
  });
}

async function handWays(build: BuildSections): Promise<void> {
  const { sections, wanted } = build;
  await readKnown(build, HAS_WAYS, {
    way(way, scale) {
      const mask = way.maskOf(wanted.way);
      const feature = mask === 0 ? null : toWay(way, scale, build);
      if (feature === null) return;
      for (let i = 0; mask >> i !== 0; i++) if ((mask >> i) & 1) sections[i]!.way(feature);
    },
  });
}

/** Blobs with a kind of object: of a sorted file from its end, as far as there are any. */
async function readTail(
  build: BuildSections,
  kind: number,
  pass: Pass,
  sink: Partial<BlockSink>,
): Promise<void> {
  const { file, kinds } = build;
  const maybe = [...kinds.keys()].filter((i) => kinds[i] === 0 || kinds[i]! & kind);
  const { sorted } = file.header;
  const indexes = sorted ? maybe.toReversed() : maybe;
  await readBlobs(build, { indexes, pass, sink }, (index, match) => {
    kinds[index] = match;
    return !sorted || match === 0 || (match & kind) !== 0;
  });
}

function readKnown(build: BuildSections, kind: number, sink: Partial<BlockSink>): Promise<void> {
  const indexes = [...build.kinds.keys()].filter((i) => build.kinds[i]! & kind);
  return readBlobs(build, { indexes, pass: "features", sink }, () => true);
}

async function readBlobs(
  { file, reader, wanted, counts, job }: BuildSections,
  { indexes, pass, sink }: { indexes: number[]; pass: Pass; sink: Partial<BlockSink> },
  /** False: no more blobs. */
  onKinds: (index: number, kinds: number) => boolean,
): Promise<void> {
  const all = { nodeKeys: wanted.node, times: file.header.data_at_s === null, ...sink };
  for await (const { index, bytes } of file.contents(indexes)) {
    const match = reader.read(bytes, all);
    file.at.byte = null;
    job.onBlob(pass, file.bytesOf(index), counts);
    await job.turn();
    if (!onKinds(index, match)) return;
  }
}

/** Nodes that a file of a size may have. */
export function mostNodesOf(size: number): number {
  return FREE_NODES + size / LEAST_BYTES_PER_NODE;
}

/** Ways that relations of a file of a size may have. */
export function mostWaysOf(size: number): number {
  return FREE_WAYS + size / LEAST_BYTES_PER_WAY;
}

/** Work that relations of a file of a size may take: more is a problem. */
export function createBudget(size: number): BuildSections["spend"] {
  const most = FREE_WORK + WORK_PER_BYTE * size;
  let spent = 0;
  return (work) => {
    spent += work;
    if (spent > most) throw problem("extract: relations that take more work than those of any map");
  };
}

/** Newest time of an object; null: none that the map can have. */
export function newestSeconds({ newest_ms }: BlockReader): number | null {
  const newest_s = Math.floor(newest_ms / 1000);
  return newest_s >= LEAST_TIME_S ? newest_s : null;
}
