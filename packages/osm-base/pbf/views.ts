/**
 * A node, way or relation of a block, where it lies: what is not called for is not decoded. A view is
 * reused for the next object, so it is valid during the call that receives it.
 */
import type { OsmTags, RelationFeature } from "../base/base-features.ts";
import type { KeyMatcher } from "../base/base-keys.ts";
import { UNKNOWN7 } from "../base/positions.ts";
import { type BlockScale, isOnGlobe } from "./scale.ts";
import type { StringTable } from "./strings.ts";
import { damaged, lengthTag, unpackNumbers, unpackSums, varintTag, Wire } from "#kit/wire.ts";

const ID = varintTag(1);
const KEYS = lengthTag(2);
const VALUES = lengthTag(3);
const INFO = lengthTag(4);
const INFO_TIME = varintTag(2);
const INFO_VISIBLE = varintTag(6);
const LAT = varintTag(8);
const LON = varintTag(9);
/** Nodes of a way; roles of a relation. */
const FIRST = lengthTag(8);
/** Latitudes of a way; members of a relation. */
const SECOND = lengthTag(9);
/** Longitudes of a way; kinds of the members of a relation. */
const THIRD = lengthTag(10);

type Span = [from: number, to: number];

/** Far beyond what an object of the map has (2,000 nodes, 32,000 members of some bytes each). */
export const MAX_REFS = 1_000_000;
/** Of one coordinate of a way. */
const MAX_POINT_BYTES = 5 * MAX_REFS;
/** From here on a buffer is as large as it must be. */
const LARGE = 1_000_000;

class ObjectView {
  id = 0;
  visible = true;
  /** Of a plain node, in units of the block. */
  lat = 0;
  lon = 0;
  protected readonly wire = new Wire(new Uint8Array(0));
  protected readonly strings: StringTable;
  protected readonly first: Span = [0, 0];
  protected readonly second: Span = [0, 0];
  protected readonly third: Span = [0, 0];
  private readonly keySpan: Span = [0, 0];
  private readonly valueSpan: Span = [0, 0];
  private keys = new Uint32Array(64);
  private values = new Uint32Array(64);
  /** Of keys that are unpacked; -1: not yet. */
  private keyCount = -1;

  constructor(strings: StringTable) {
    this.strings = strings;
  }

  /** Moves to the object that `wire` is at, which ends at `end`. */
  read({ bytes, at }: Wire, end: number, scale: BlockScale): void {
    const { wire } = this;
    wire.bytes = bytes;
    wire.at = at;
    wire.end = end;
    this.id = this.lat = this.lon = 0;
    this.visible = true;
    this.keyCount = -1;
    for (const span of [this.keySpan, this.valueSpan, this.first, this.second, this.third])
      span[0] = span[1] = 0;
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) this.readField(tag, scale);
  }

  /** What the matcher says of its keys together. */
  maskOf(matcher: KeyMatcher): number {
    const count = this.unpackKeys();
    let mask = 0;
    for (let i = 0; i < count; i++) mask |= this.strings.maskOf(this.keys[i]!, matcher);
    return mask;
  }

  tags(): OsmTags {
    const count = this.unpackKeys();
    const [from, to] = this.valueSpan;
    this.values = roomFor(this.values, to - from);
    if (unpackNumbers(this.wire, from, to, this.values) !== count)
      throw damaged("keys without values");
    return this.strings.tags(this.keys, this.values, { from: 0, to: count, step: 1 });
  }

  private unpackKeys(): number {
    if (this.keyCount >= 0) return this.keyCount;
    const [from, to] = this.keySpan;
    this.keys = roomFor(this.keys, to - from);
    return (this.keyCount = unpackNumbers(this.wire, from, to, this.keys));
  }

  protected readId(): number {
    return this.wire.signed();
  }

  private readField(tag: number, scale: BlockScale): void {
    switch (tag) {
      case ID:
        this.id = this.readId();
        return;
      case KEYS:
        return this.mark(this.keySpan);
      case VALUES:
        return this.mark(this.valueSpan);
      case FIRST:
        return this.mark(this.first);
      case SECOND:
        return this.mark(this.second);
      case THIRD:
        return this.mark(this.third);
      case LAT:
        this.lat = this.wire.zigzag();
        return;
      case LON:
        this.lon = this.wire.zigzag();
        return;
      case INFO:
        return this.readInfo(scale);
      default:
        return this.wire.skip(tag);
    }
  }

  private mark(span: Span): void {
    const { wire } = this;
    span[1] = wire.span();
    span[0] = wire.at;
    wire.at = span[1];
  }

  private readInfo(scale: BlockScale): void {
    const { wire } = this;
    const { end } = wire;
    wire.end = wire.span();
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      if (tag === INFO_TIME && scale.see) scale.see(wire.signed());
      else if (tag === INFO_VISIBLE) this.visible = wire.varint() !== 0;
      else wire.skip(tag);
    }
    wire.end = end;
  }
}

function lengthOf([from, to]: Span): number {
  return to - from;
}

/** Only nodes have ids by zigzag. */
export class NodeView extends ObjectView {
  protected override readId(): number {
    return this.wire.zigzag();
  }
}

export class WayView extends ObjectView {
  private refBuffer = new Float64Array(256);
  private latBuffer = new Float64Array(0);
  private lonBuffer = new Float64Array(0);

  /** Number of nodes at most, known without decoding. */
  get mostRefs(): number {
    return lengthOf(this.first);
  }

  /** Ids of its nodes as they lie in the file; see `unpackSums`. */
  packedRefs(): Uint8Array {
    return this.wire.bytes.subarray(...this.first);
  }

  /** Ids of its nodes. */
  refs(): Float64Array {
    const [from, to] = this.first;
    this.refBuffer = roomFor(this.refBuffer, to - from);
    return this.refBuffer.subarray(0, unpackSums(this.wire, from, to, this.refBuffer));
  }

  /**
   * Positions of its nodes, lat7, lon7, …, where the file has them with the way; null: it has not.
   * Of a node without position both are `UNKNOWN7`.
   */
  points(count: number, scale: BlockScale): Int32Array | null {
    if (lengthOf(this.second) > MAX_POINT_BYTES || lengthOf(this.third) > MAX_POINT_BYTES)
      return null;
    const lat = this.unpack(this.second, this.latBuffer);
    const lon = this.unpack(this.third, this.lonBuffer);
    this.latBuffer = lat.out;
    this.lonBuffer = lon.out;
    if (lat.count !== count || lon.count !== count || count === 0) return null;
    const points = new Int32Array(2 * count);
    for (let i = 0; i < count; i++) {
      const lat7 = scale.lat7(lat.out[i]!);
      const lon7 = scale.lon7(lon.out[i]!);
      const isKnown = isOnGlobe(lat7, lon7);
      points[2 * i] = isKnown ? lat7 : UNKNOWN7;
      points[2 * i + 1] = isKnown ? lon7 : UNKNOWN7;
    }
    return points;
  }

  private unpack([from, to]: Span, buffer: Float64Array<ArrayBuffer>) {
    const out = roomFor(buffer, to - from);
    return { out, count: unpackSums(this.wire, from, to, out) };
  }
}

type MemberType = RelationFeature["members"][number]["type"];
const MEMBER_TYPES: readonly MemberType[] = ["node", "way", "relation"];

export class RelationView extends ObjectView {
  private ids = new Float64Array(64);
  private roles = new Uint32Array(64);
  private kinds = new Uint32Array(64);

  /** Number of members at most, known without decoding. */
  get mostMembers(): number {
    return Math.max(...[this.first, this.second, this.third].map(lengthOf));
  }

  /** Calls back for each member that is a way. */
  wayMembers(see: (id: number) => void): void {
    this.membersOf("way", see);
  }

  /** Calls back for each member that is a node. */
  nodeMembers(see: (id: number) => void): void {
    this.membersOf("node", see);
  }

  private membersOf(type: MemberType, see: (id: number) => void): void {
    const count = this.unpackMembers();
    const kind = MEMBER_TYPES.indexOf(type);
    for (let i = 0; i < count; i++) if (this.kinds[i] === kind) see(this.ids[i]!);
  }

  members(): RelationFeature["members"] {
    const count = this.unpackMembers();
    const [from, to] = this.first;
    this.roles = roomFor(this.roles, to - from);
    if (unpackNumbers(this.wire, from, to, this.roles) !== count)
      throw damaged("members without roles");
    const members: { type: MemberType; id: number; role: string }[] = [];
    for (let i = 0; i < count; i++)
      members.push({
        type: MEMBER_TYPES[this.kinds[i]!] ?? "relation",
        id: this.ids[i]!,
        role: this.strings.text(this.roles[i]!),
      });
    return members;
  }

  private unpackMembers(): number {
    this.ids = roomFor(this.ids, this.second[1] - this.second[0]);
    this.kinds = roomFor(this.kinds, this.third[1] - this.third[0]);
    const count = unpackSums(this.wire, this.second[0], this.second[1], this.ids);
    if (unpackNumbers(this.wire, this.third[0], this.third[1], this.kinds) !== count)
      throw damaged("members without kinds");
    return count;
  }
}

/** The array, or a larger one whose contents do not matter. */
export function roomFor<A extends Float64Array | Uint32Array | Int32Array>(
  array: A,
  length: number,
): A {
  if (array.length >= length) return array;
  const most = length < LARGE ? Math.max(length, 2 * array.length) : length;
  return new (array.constructor as new (length: number) => A)(most);
}
