/** Ids of an extract without gaps, so that copies of it have ids as dense as those of the real map. */
import { Bytes } from "../../sandbox/pbf/bytes.ts";
import { BlockReader } from "#osm/imports.ts";
import { lengthTag, varintTag, Wire } from "#kit/wire.ts";
import { copyFields, type Kind, KINDS } from "./shift-block.ts";

/** Ids of a kind that an extract has or refers to, in ascending order: the n-th becomes n + 1. */
export type Ids = Readonly<Record<Kind, Float64Array>>;

const GROUP = lengthTag(2);
const DENSE = lengthTag(2);
const KIND_OF: Readonly<Record<number, Kind>> = {
  [lengthTag(1)]: "node",
  [DENSE]: "node",
  [lengthTag(3)]: "way",
  [lengthTag(4)]: "relation",
};
const REFS = 8;
const MEMBERS = 9;
const MEMBER_KINDS = 10;

export function listIds(blocks: readonly Uint8Array[]): Ids {
  const seen = { node: new Set<number>(), way: new Set<number>(), relation: new Set<number>() };
  const reader = new BlockReader();
  for (const block of blocks)
    reader.read(block, {
      nodeKeys: () => 0,
      times: false,
      nodes({ count, ids }) {
        for (let i = 0; i < count; i++) seen.node.add(ids[i]!);
      },
      way(way) {
        seen.way.add(way.id);
        for (const ref of way.refs()) seen.node.add(ref);
      },
      relation(relation) {
        seen.relation.add(relation.id);
        for (const { type, id } of relation.members()) seen[type].add(id);
      },
    });
  const [node, way, relation] = KINDS.map((kind) => Float64Array.from(seen[kind]).sort());
  return { node: node!, way: way!, relation: relation! };
}

export function renumberBlock(block: Uint8Array, ids: Ids): Buffer {
  const out = new Bytes();
  const wire = new Wire(block);
  copyFields(wire, out, (tag) => {
    if (tag !== GROUP) return false;
    out.bytes(2, renumberGroup(wire.view(), ids));
    return true;
  });
  return out.done();
}

function renumberGroup(group: Uint8Array, ids: Ids): Buffer {
  const out = new Bytes();
  const wire = new Wire(group);
  copyFields(wire, out, (tag) => {
    const kind = KIND_OF[tag];
    if (kind === undefined) return false;
    const message = wire.view();
    out.bytes(Math.floor(tag / 8), renumberPart(message, { tag, kind, ids }));
    return true;
  });
  return out.done();
}

function renumberPart(
  message: Uint8Array,
  { tag: part, kind, ids }: { tag: number; kind: Kind; ids: Ids },
): Buffer {
  const out = new Bytes();
  const wire = new Wire(message);
  const kinds = kind === "relation" ? memberKinds(message) : [];
  copyFields(wire, out, (tag) => {
    if (part === DENSE && tag === lengthTag(1))
      out.deltas(
        1,
        sums(wire.view()).map((id) => rank(ids.node, id)),
      );
    else if (part !== DENSE && tag === varintTag(1)) {
      // Of nodes zigzag, of others not.
      if (kind === "node") out.signed(1, rank(ids.node, wire.zigzag()));
      else out.number(1, rank(ids[kind], wire.signed()));
    } else if (kind === "way" && tag === lengthTag(REFS))
      out.deltas(
        REFS,
        sums(wire.view()).map((id) => rank(ids.node, id)),
      );
    else if (kind === "relation" && tag === lengthTag(MEMBERS))
      out.deltas(
        MEMBERS,
        sums(wire.view()).map((id, i) => rank(ids[kinds[i]!], id)),
      );
    else return false;
    return true;
  });
  return out.done();
}

function memberKinds(relation: Uint8Array): Kind[] {
  const wire = new Wire(relation);
  const kinds: Kind[] = [];
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag !== lengthTag(MEMBER_KINDS)) {
      wire.skip(tag);
      continue;
    }
    for (const end = wire.span(); wire.at < end;) kinds.push(KINDS[wire.varint()]!);
  }
  return kinds;
}

function sums(packed: Uint8Array): number[] {
  const wire = new Wire(packed);
  const values: number[] = [];
  for (let sum = 0; wire.at < packed.length;) values.push((sum += wire.zigzag()));
  return values;
}

function rank(ids: Float64Array, id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
