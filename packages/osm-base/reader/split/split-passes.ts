/** The passes of a split that make no features of ways and relations yet. */
import type { RelationFeature } from "../../base/base-features.ts";
import { UNKNOWN7 } from "../../base/positions.ts";
import { type BlockSink, HAS_NODES, HAS_RELATIONS, HAS_WAYS } from "../../pbf/block.ts";
import { MAX_REFS, type RelationView } from "../../pbf/views.ts";
import { problem } from "#kit/problem.ts";
import { mostNodesOf, mostWaysOf } from "../assemble.ts";
import { IdList } from "../member-ways.ts";
import { setSections } from "./entry-writer.ts";
import type { SquareSums } from "./cut-cells.ts";
import { NODE_BYTES, TAGGED_BYTES, type WayWeight } from "./page-weights.ts";
import { bitOf } from "./router.ts";
import { listBlobs, readBlobs, type SplitState } from "./split-state.ts";

/** Finds where the ways of a sorted file begin, in a few blobs. */
export async function findTail(state: SplitState): Promise<void> {
  if (state.file.header.sorted) state.tail = await findFirst(state, HAS_WAYS | HAS_RELATIONS, 0);
}

/** The first blob of a sorted file that has objects of these kinds, which go on to its end. */
async function findFirst(state: SplitState, these: number, from: number): Promise<number> {
  const { file, kinds } = state;
  let low = from;
  let high = file.count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    let at = middle;
    if (kinds[at] === 0) await readBlobs(state, [at], {});
    // One of nothing says nothing: the next one does.
    while (kinds[at] === 0 && ++at < high) if (kinds[at] === 0) await readBlobs(state, [at], {});
    if (at === high || kinds[at]! & these) high = middle;
    else low = at + 1;
  }
  return low;
}

/** Finds which ways relations need, and which are borders of countries and regions. */
export async function findRelations(state: SplitState): Promise<void> {
  const { file, counts, wanted, survey, options, members, tail } = state;
  const map = bitOf(options.sections, "map");
  let ids = new IdList(mostWaysOf(file.size));
  let blobs: number[] = [];
  const sink: Partial<BlockSink> = {
    relation(relation) {
      counts.relations += 1;
      const mask = relation.maskOf(wanted.relation);
      if (!isRead(relation) || mask === 0) return;
      relation.wayMembers((id) => ids.add(id));
      // Its boundaries are to be known before the first way comes.
      if (mask & map) survey.look(outlineOf(relation));
    },
  };
  const first = file.header.sorted ? await findFirst(state, HAS_RELATIONS, tail) : tail;
  await readBlobs(state, listBlobs(state, HAS_RELATIONS, first), sink, (index, match) => {
    if (match & HAS_RELATIONS) blobs.push(index);
    if (ids.size < members.group_ids) return true;
    members.add(blobs, ids.toSorted());
    [ids, blobs] = [new IdList(mostWaysOf(file.size)), []];
    return true;
  });
  members.add(blobs, ids.toSorted());
  members.seal();
}

/** Reads which nodes ways and relations refer to; of a file that has positions with its ways, these. */
export async function readRefs(state: SplitState): Promise<void> {
  const { wanted, refs, members, coverage, sums, weights, file, tail } = state;
  const { located } = file.header;
  await readBlobs(state, listBlobs(state, HAS_WAYS, tail), {
    way(way, scale) {
      if (way.mostRefs > MAX_REFS) return;
      const weight = weights.of(way);
      const isWanted = weight.isWanted || members.wants(way.id);
      if (!isWanted && !located) return;
      const ids = way.refs();
      const points = located ? way.points(ids.length, scale) : null;
      if (points !== null) {
        coverage.addPoints(points);
        addPoints(sums, points, {
          first: weight.first + NODE_BYTES,
          each: weight.each + NODE_BYTES,
        });
      } else if (isWanted) refs?.addRefs(ids, weight);
    },
  });
  if (refs === null) return;
  await readBlobs(state, listBlobs(state, HAS_RELATIONS, tail), {
    relation(relation) {
      if (isRead(relation) && relation.maskOf(wanted.relation) !== 0)
        refs.addRefs(nodeMembersOf(relation), NO_WEIGHT);
    },
  });
  refs.endRefs();
}

const NO_WEIGHT = { first: 0, each: 0 };

/** Weighs ways before pages are cut, where that is not done as references are. */
export async function weighWays(state: SplitState): Promise<void> {
  const { weights, sums, table, tail } = state;
  const sink: Partial<BlockSink> = {
    way(way) {
      const weight = weights.of(way);
      if (weight.first === 0 || way.mostRefs > MAX_REFS) return;
      const refs = way.refs();
      addPoints(sums, table.pointsOf(weight.each === 0 ? refs.subarray(0, 1) : refs), weight);
    },
  };
  await readBlobs(state, listBlobs(state, HAS_WAYS, tail), sink, createOrderCheck(state));
}

function addPoints(
  sums: SquareSums,
  points: Int32Array,
  { first, each }: Pick<WayWeight, "first" | "each">,
): void {
  for (let i = 0; i < points.length; i += 2)
    if (points[i] !== UNKNOWN7) sums.add(points[i]!, points[i + 1]!, i === 0 ? first : each);
}

/** Nodes are counted and located, and those with tags written down. */
export async function readNodes(state: SplitState): Promise<void> {
  const { file, counts, coverage, sums, refs, table, trail, writer, waiting, tail } = state;
  const most = mostNodesOf(file.size);
  const { sorted } = file.header;
  const sink: Partial<BlockSink> = {
    node: ({ mask, id, lat7, lon7, tags }) => {
      writer.begin();
      writer.node({ type: "node", id, lat7, lon7, tags });
      const entry = writer.end();
      setSections(entry, mask);
      waiting.append(0, entry);
      sums.add(lat7, lon7, TAGGED_BYTES);
    },
    nodes(batch) {
      counts.nodes += batch.count;
      if (counts.nodes > most) throw problem("extract: more nodes than a map of this size has");
      coverage.add(batch.lat7, batch.lon7, batch.count);
      for (let i = 0; i < batch.count; i++) sums.add(batch.lat7[i]!, batch.lon7[i]!, NODE_BYTES);
      if (refs === null) table.add(batch);
      else refs.addNodes(batch);
    },
    nodeOutside: (id) => trail.drop("node_outside_the_globe", `N${id}`),
  };
  const indexes = listBlobs(state, HAS_NODES).filter(
    (i) => !sorted || i <= tail || state.kinds[i] !== 0,
  );
  await readBlobs(state, indexes, sink, (index, match) => {
    if (sorted && index < tail && match & (HAS_WAYS | HAS_RELATIONS)) throw notSorted();
    return true;
  });
  if (refs === null) table.seal();
  else refs.endNodes();
  waiting.finish();
}

/** A relation without its geometry. */
function outlineOf(relation: RelationView): RelationFeature {
  const [tags, members] = [relation.tags(), relation.members()];
  return { type: "relation", id: relation.id, tags, members, rings: [], whole: false, box: null };
}

/** Throws where ways of a sorted file are followed by nodes, which would be missed. */
export function createOrderCheck({
  file,
  tail,
}: SplitState): (i: number, kinds: number) => boolean {
  return (index, kinds) => {
    if (file.header.sorted && index > tail && kinds & HAS_NODES) throw notSorted();
    return true;
  };
}

function notSorted(): Error {
  return problem("extract: not in the order that its header promises (Sort.Type_then_ID)");
}

/** Ids of the members that are nodes. */
export function nodeMembersOf(relation: RelationView): Float64Array {
  const ids: number[] = [];
  relation.nodeMembers((id) => ids.push(id));
  return Float64Array.from(ids);
}

/** Larger relations than that of any map are left alone. */
export function isRead(relation: RelationView): boolean {
  return relation.mostMembers <= MAX_REFS;
}
