/**
 * A block of nodes, ways and relations, handed to callbacks as they lie. Keys are looked up once per
 * block, so that an object that is not wanted costs no text.
 */
import type { OsmTags } from "../base/base-features.ts";
import type { KeyMatcher } from "../base/base-keys.ts";
import { type BlockScale, isOnGlobe, toLat7, toLon7 } from "./scale.ts";
import { StringTable } from "./strings.ts";
import { NodeView, RelationView, roomFor, WayView } from "./views.ts";
import { damaged, lengthTag, unpackNumbers, unpackSums, varintTag, Wire } from "#kit/wire.ts";

/** Nodes of one group that are visible and on the globe; valid during the call. */
export type NodeBatch = {
  count: number;
  ids: Float64Array;
  lat7: Int32Array;
  lon7: Int32Array;
};

type TaggedNode = { mask: number; id: number; lat7: number; lon7: number; tags: OsmTags };

/** Who receives what; kinds without a callback are not decoded. */
export type BlockSink = {
  /** Nodes that carry a key of this matcher are handed to `node`. */
  nodeKeys: KeyMatcher;
  /** Times of objects are wanted: `newest_ms` of the reader. */
  times: boolean;
  node?: (node: TaggedNode) => void;
  nodes?: (batch: NodeBatch) => void;
  /** A node whose position is no place on the globe. */
  nodeOutside?: (id: number) => void;
  way?: (way: WayView, scale: BlockScale) => void;
  relation?: (relation: RelationView) => void;
};

/** Kinds of objects in a block, as bits. */
export const HAS_NODES = 1;
export const HAS_WAYS = 2;
export const HAS_RELATIONS = 4;

const STRINGS = lengthTag(1);
const GROUP = lengthTag(2);
const GRANULARITY = varintTag(17);
const DATE_GRANULARITY = varintTag(18);
const LAT_OFFSET = varintTag(19);
const LON_OFFSET = varintTag(20);

const PLAIN = lengthTag(1);
const DENSE = lengthTag(2);
const WAYS = lengthTag(3);
const RELATIONS = lengthTag(4);

const DENSE_ID = lengthTag(1);
const DENSE_INFO = lengthTag(5);
const DENSE_LAT = lengthTag(8);
const DENSE_LON = lengthTag(9);
const DENSE_TAGS = lengthTag(10);
const INFO_TIMES = lengthTag(2);
const INFO_VISIBLE = lengthTag(6);

type Span = [from: number, to: number];

/** Reads blocks one after another; its buffers are reused. */
export class BlockReader {
  /** Newest time of an object that was decoded, in milliseconds; 0: none. */
  newest_ms = 0;
  private readonly strings = new StringTable();
  private readonly plain = new NodeView(this.strings);
  private readonly way = new WayView(this.strings);
  private readonly relation = new RelationView(this.strings);
  private ids = new Float64Array(8192);
  private lats = new Float64Array(8192);
  private lons = new Float64Array(8192);
  private pairs = new Uint32Array(8192);
  private visible = new Uint32Array(0);
  private times = new Float64Array(0);
  private lat7 = new Int32Array(8192);
  private lon7 = new Int32Array(8192);

  /** Returns which kinds of objects the block holds. */
  read(bytes: Uint8Array, sink: BlockSink): number {
    const wire = new Wire(bytes);
    const groups: Span[] = [];
    const fields = { granularity: 100, lat_offset: 0, lon_offset: 0 };
    let date_ms = 1_000;
    let strings: Span = [0, 0];
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      if (tag === STRINGS) strings = spanOf(wire);
      else if (tag === GROUP) groups.push(spanOf(wire));
      else if (tag === GRANULARITY) fields.granularity = wire.signed();
      else if (tag === DATE_GRANULARITY) date_ms = wire.signed();
      else if (tag === LAT_OFFSET) fields.lat_offset = wire.signed();
      else if (tag === LON_OFFSET) fields.lon_offset = wire.signed();
      else wire.skip(tag);
    }
    this.strings.read(new Wire(bytes, ...strings));
    const scale: BlockScale = {
      lat7: toLat7(fields),
      lon7: toLon7(fields),
      see: sink.times
        ? (time) => {
            this.newest_ms = Math.max(this.newest_ms, time * date_ms);
          }
        : null,
    };
    let kinds = 0;
    for (const span of groups) kinds |= this.readGroup(new Wire(bytes, ...span), scale, sink);
    return kinds;
  }

  private readGroup(wire: Wire, scale: BlockScale, sink: BlockSink): number {
    let kinds = 0;
    let plain = 0;
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      const isObject = tag === PLAIN || tag === DENSE || tag === WAYS || tag === RELATIONS;
      if (!isObject) {
        wire.skip(tag);
        continue;
      }
      const end = wire.span();
      if (tag === WAYS) {
        kinds |= HAS_WAYS;
        if (sink.way) this.readWay(wire, end, { scale, see: sink.way });
      } else if (tag === RELATIONS) {
        kinds |= HAS_RELATIONS;
        if (sink.relation) this.readRelation(wire, end, { scale, see: sink.relation });
      } else {
        kinds |= HAS_NODES;
        if (sink.nodes && tag === DENSE) {
          if (plain > 0) sink.nodes(this.batch(plain));
          plain = 0;
          this.readDense(new Wire(wire.bytes, wire.at, end), scale, sink);
        } else if (sink.nodes) plain = this.readPlain(wire, end, { scale, sink, count: plain });
      }
      wire.at = end;
    }
    if (plain > 0) sink.nodes?.(this.batch(plain));
    return kinds;
  }

  private readWay(
    wire: Wire,
    end: number,
    { scale, see }: { scale: BlockScale; see: NonNullable<BlockSink["way"]> },
  ): void {
    this.way.read(wire, end, scale);
    if (this.way.visible) see(this.way, scale);
  }

  private readRelation(
    wire: Wire,
    end: number,
    { scale, see }: { scale: BlockScale; see: NonNullable<BlockSink["relation"]> },
  ): void {
    this.relation.read(wire, end, scale);
    if (this.relation.visible) see(this.relation);
  }

  /** Adds a node to the batch; returns how many it has then. */
  private readPlain(
    wire: Wire,
    end: number,
    { scale, sink, count }: { scale: BlockScale; sink: BlockSink; count: number },
  ): number {
    const node = this.plain;
    node.read(wire, end, scale);
    if (!node.visible) return count;
    const { id } = node;
    const lat7 = scale.lat7(node.lat);
    const lon7 = scale.lon7(node.lon);
    if (!isOnGlobe(lat7, lon7)) {
      sink.nodeOutside?.(id);
      return count;
    }
    if (count >= Math.min(this.ids.length, this.lat7.length, this.lon7.length)) this.grow();
    this.ids[count] = id;
    this.lat7[count] = lat7;
    this.lon7[count] = lon7;
    const mask = sink.node ? node.maskOf(sink.nodeKeys) : 0;
    if (mask !== 0) sink.node!({ mask, id, lat7, lon7, tags: node.tags() });
    return count + 1;
  }

  private readDense(wire: Wire, scale: BlockScale, sink: BlockSink): void {
    const spans: Record<"id" | "info" | "lat" | "lon" | "tags", Span> = {
      id: [0, 0],
      info: [0, 0],
      lat: [0, 0],
      lon: [0, 0],
      tags: [0, 0],
    };
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      if (tag === DENSE_ID) spans.id = spanOf(wire);
      else if (tag === DENSE_INFO) spans.info = spanOf(wire);
      else if (tag === DENSE_LAT) spans.lat = spanOf(wire);
      else if (tag === DENSE_LON) spans.lon = spanOf(wire);
      else if (tag === DENSE_TAGS) spans.tags = spanOf(wire);
      else wire.skip(tag);
    }
    this.ids = roomFor(this.ids, lengthOf(spans.id));
    this.lats = roomFor(this.lats, lengthOf(spans.lat));
    this.lons = roomFor(this.lons, lengthOf(spans.lon));
    this.pairs = roomFor(this.pairs, lengthOf(spans.tags));
    const count = unpackSums(wire, ...spans.id, this.ids);
    const lats = unpackSums(wire, ...spans.lat, this.lats);
    const lons = unpackSums(wire, ...spans.lon, this.lons);
    if (lats !== count || lons !== count) throw damaged("nodes without positions");
    const pairs = unpackNumbers(wire, ...spans.tags, this.pairs);
    const hidden = this.readDenseInfo(new Wire(wire.bytes, ...spans.info), count, scale);
    const stored = this.placeDense({ count, pairs, hidden }, scale, sink);
    sink.nodes?.(this.batch(stored));
  }

  /** Fills the batch, in place; returns how many are kept. */
  private placeDense(
    { count, pairs, hidden }: { count: number; pairs: number; hidden: boolean },
    scale: BlockScale,
    sink: BlockSink,
  ): number {
    this.lat7 = roomFor(this.lat7, count);
    this.lon7 = roomFor(this.lon7, count);
    const { ids, lats, lons } = this;
    let stored = 0;
    let pair = 0;
    for (let i = 0; i < count; i++) {
      const from = pair;
      while (pair < pairs && this.pairs[pair] !== 0) pair += 2;
      const to = pair++;
      if (hidden && this.visible[i] === 0) continue;
      const id = ids[i]!;
      const lat7 = scale.lat7(lats[i]!);
      const lon7 = scale.lon7(lons[i]!);
      if (!isOnGlobe(lat7, lon7)) {
        sink.nodeOutside?.(id);
        continue;
      }
      ids[stored] = id;
      this.lat7[stored] = lat7;
      this.lon7[stored++] = lon7;
      if (from >= to || !sink.node) continue;
      if (to > pairs) throw damaged("a key without a value");
      const mask = this.maskOfPairs(from, to, sink.nodeKeys);
      if (mask === 0) continue;
      const tags = this.strings.tags(this.pairs, this.pairs, { from, to, step: 2 });
      sink.node({ mask, id, lat7, lon7, tags });
    }
    return stored;
  }

  private maskOfPairs(from: number, to: number, matcher: KeyMatcher): number {
    let mask = 0;
    for (let i = from; i < to; i += 2) mask |= this.strings.maskOf(this.pairs[i]!, matcher);
    return mask;
  }

  /** True when some nodes are deleted ones; `visible` says which. */
  private readDenseInfo(wire: Wire, count: number, scale: BlockScale): boolean {
    let hidden = false;
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      if (tag === INFO_VISIBLE) {
        const span = spanOf(wire);
        this.visible = roomFor(this.visible, lengthOf(span));
        const entry = unpackNumbers(wire, ...span, this.visible);
        hidden = entry === count && this.visible.subarray(0, count).includes(0);
      } else if (tag === INFO_TIMES && scale.see) {
        const span = spanOf(wire);
        this.times = roomFor(this.times, lengthOf(span));
        const entry = unpackSums(wire, ...span, this.times);
        let newest = 0;
        for (let i = 0; i < entry; i++) newest = Math.max(newest, this.times[i]!);
        scale.see(newest);
      } else wire.skip(tag);
    }
    return hidden;
  }

  private batch(count: number): NodeBatch {
    return { count, ids: this.ids, lat7: this.lat7, lon7: this.lon7 };
  }

  /** Twice the room for plain nodes, which keeps those that are there. */
  private grow(): void {
    const most = 2 * this.ids.length;
    const { ids, lat7, lon7 } = this;
    this.ids = new Float64Array(most);
    this.lat7 = new Int32Array(most);
    this.lon7 = new Int32Array(most);
    this.ids.set(ids);
    this.lat7.set(lat7);
    this.lon7.set(lon7);
  }
}

function spanOf(wire: Wire): Span {
  const end = wire.span();
  const span: Span = [wire.at, end];
  wire.at = end;
  return span;
}

function lengthOf([from, to]: Span): number {
  return to - from;
}
