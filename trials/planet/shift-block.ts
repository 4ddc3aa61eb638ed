/**
 * A block of the open map at another place and with other ids, without its nodes being decoded: the
 * offsets of its coordinates, and the first of each list of differences, are all that changes.
 */
import { Bytes } from "../../sandbox/pbf/bytes.ts";
import { lengthTag, varintTag, Wire } from "#kit/wire.ts";

/** How far ids and places are moved; coordinates in billionths of a degree. */
export type Shift = { ids: number; lat: number; lon: number };

export const KINDS = ["node", "way", "relation"] as const;
export type Kind = (typeof KINDS)[number];

const GROUP = 2;
const LAT_OFFSET = 19;
const LON_OFFSET = 20;

/** Messages of a group: which kind they are of, which field is the id, and which a list of ids. */
const PARTS: Readonly<
  Record<number, { kind: Kind; field: number; id: "zigzag" | "plain" | null; ids: number | null }>
> = {
  [lengthTag(1)]: { kind: "node", field: 1, id: "zigzag", ids: null },
  [lengthTag(2)]: { kind: "node", field: 2, id: null, ids: 1 },
  [lengthTag(3)]: { kind: "way", field: 3, id: "plain", ids: 8 },
  [lengthTag(4)]: { kind: "relation", field: 4, id: "plain", ids: 9 },
};
type Part = (typeof PARTS)[number];

/** The kinds of objects in a block. */
export function kindsOf(block: Uint8Array): Set<Kind> {
  const kinds = new Set<Kind>();
  const wire = new Wire(block);
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === lengthTag(GROUP)) {
      const kind = kindOfGroup(wire.view());
      if (kind !== null) kinds.add(kind);
    } else wire.skip(tag);
  return kinds;
}

/** The objects of one kind of a block, moved. */
export function shiftBlock(block: Uint8Array, kind: Kind, shift: Shift): Buffer {
  const out = new Bytes();
  const offsets = { [LAT_OFFSET]: shift.lat, [LON_OFFSET]: shift.lon };
  const wire = new Wire(block);
  copyFields(wire, out, (tag) => {
    if (tag === varintTag(LAT_OFFSET)) offsets[LAT_OFFSET] += wire.signed();
    else if (tag === varintTag(LON_OFFSET)) offsets[LON_OFFSET] += wire.signed();
    else if (tag === lengthTag(GROUP)) {
      const group = wire.view();
      if (kindOfGroup(group) === kind) out.bytes(GROUP, shiftGroup(group, shift.ids));
    } else return false;
    return true;
  });
  out.number(LAT_OFFSET, offsets[LAT_OFFSET]);
  out.number(LON_OFFSET, offsets[LON_OFFSET]);
  return out.done();
}

/** A group has objects of one kind; null: of none that is moved. */
function kindOfGroup(group: Uint8Array): Kind | null {
  const tag = new Wire(group).next();
  return PARTS[tag]?.kind ?? null;
}

function shiftGroup(group: Uint8Array, ids: number): Buffer {
  const out = new Bytes();
  const wire = new Wire(group);
  copyFields(wire, out, (tag) => {
    const part = PARTS[tag];
    if (part === undefined) return false;
    out.bytes(part.field, shiftPart(wire.view(), part, ids));
    return true;
  });
  return out.done();
}

function shiftPart(message: Uint8Array, part: Part & object, ids: number): Buffer {
  const out = new Bytes();
  const wire = new Wire(message);
  copyFields(wire, out, (tag) => {
    if (part.id !== null && tag === varintTag(1)) {
      if (part.id === "plain") out.number(1, wire.signed() + ids);
      else out.signed(1, wire.zigzag() + ids);
    } else if (part.ids !== null && tag === lengthTag(part.ids))
      out.bytes(part.ids, shiftFirst(wire.view(), ids));
    else return false;
    return true;
  });
  return out.done();
}

/** Packed differences whose first is larger. */
function shiftFirst(packed: Uint8Array, ids: number): Uint8Array {
  if (packed.length === 0) return packed;
  const wire = new Wire(packed);
  const out = new Bytes();
  out.zigzag(wire.zigzag() + ids);
  return Buffer.concat([out.done(), packed.subarray(wire.at)]);
}

/** Copies fields as they are, but those that `take` has read. */
export function copyFields(wire: Wire, out: Bytes, take: (tag: number) => boolean): void {
  for (let from = wire.at, tag = wire.next(); tag !== 0; from = wire.at, tag = wire.next()) {
    if (take(tag)) continue;
    wire.skip(tag);
    out.raw(wire.bytes.subarray(from, wire.at));
  }
}
