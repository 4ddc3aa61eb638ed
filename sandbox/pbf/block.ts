// One block of objects: its texts once, then a group for each run of objects of a kind.

import { Bytes } from "./bytes.ts";
import type { PbfNode, PbfObject, PbfOptions, PbfRelation, PbfWay } from "./objects.ts";

const UNIT_NANO = 100;
const MEMBER_KINDS = ["node", "way", "relation"] as const;

/** Numbers of texts; 0 is reserved, since it ends the tags of a dense node. */
class Texts {
  private readonly numbers = new Map<string, number>([["", 0]]);

  of(text: string): number {
    const known_number = this.numbers.get(text);
    // The empty text is also a value, which needs a number that is not 0.
    if (known_number !== undefined && text !== "") return known_number;
    if (text === "" && this.numbers.has("\0empty")) return this.numbers.get("\0empty")!;
    const number = this.numbers.size;
    this.numbers.set(text === "" ? "\0empty" : text, number);
    return number;
  }

  write(): Bytes {
    const table = new Bytes();
    for (const text of this.numbers.keys()) table.text(1, text === "\0empty" ? "" : text);
    return table;
  }
}

type Context = { texts: Texts; options: PbfOptions };

export function encodeBlock(objects: readonly PbfObject[], options: PbfOptions): Buffer {
  const context: Context = { texts: new Texts(), options };
  const groups: Bytes[] = [];
  for (let from = 0; from < objects.length;) {
    const { type } = objects[from]!;
    let to = from;
    while (to < objects.length && objects[to]!.type === type) to += 1;
    groups.push(encodeGroup(objects.slice(from, to), context));
    from = to;
  }
  const block = new Bytes();
  block.message(1, context.texts.write());
  for (const group of groups) block.message(2, group);
  const { granularity, lat_offset, lon_offset, date_granularity } = options;
  if (granularity !== undefined) block.number(17, granularity);
  if (date_granularity !== undefined) block.number(18, date_granularity);
  if (lat_offset !== undefined) block.number(19, lat_offset);
  if (lon_offset !== undefined) block.number(20, lon_offset);
  return block.done();
}

function encodeGroup(objects: readonly PbfObject[], context: Context): Bytes {
  const group = new Bytes();
  if (objects[0]!.type === "node" && context.options.dense !== false)
    group.message(2, encodeDense(objects as readonly PbfNode[], context));
  else
    for (const object of objects) {
      if (object.type === "node") group.message(1, encodeNode(object, context));
      if (object.type === "way") group.message(3, encodeWay(object, context));
      if (object.type === "relation") group.message(4, encodeRelation(object, context));
    }
  return group;
}

function encodeDense(nodes: readonly PbfNode[], { texts, options }: Context): Bytes {
  const dense = new Bytes();
  dense.deltas(
    1,
    nodes.map(({ id }) => id),
  );
  if (options.metadata) dense.message(5, encodeDenseInfo(nodes, options));
  dense.deltas(
    8,
    nodes.map(({ lat7 }) => toUnits(lat7, options, options.lat_offset)),
  );
  dense.deltas(
    9,
    nodes.map(({ lon7 }) => toUnits(lon7, options, options.lon_offset)),
  );
  if (nodes.some(({ tags }) => tags && Object.keys(tags).length > 0))
    dense.packed(
      10,
      nodes.flatMap(({ tags = {} }) => [
        ...Object.entries(tags).flatMap(([key, value]) => [texts.of(key), texts.of(value)]),
        0,
      ]),
    );
  return dense;
}

function encodeDenseInfo(nodes: readonly PbfNode[], options: PbfOptions): Bytes {
  const info = new Bytes();
  info.packed(
    1,
    nodes.map(() => 1),
  );
  info.deltas(
    2,
    nodes.map((node) => toTime(node, options)),
  );
  if (nodes.some(({ visible }) => visible === false))
    info.packed(
      6,
      nodes.map(({ visible }) => (visible === false ? 0 : 1)),
    );
  return info;
}

function encodeNode(node: PbfNode, context: Context): Bytes {
  const { options } = context;
  const message = new Bytes();
  message.signed(1, node.id);
  writeCommon(message, node, context);
  message.signed(8, toUnits(node.lat7, options, options.lat_offset));
  message.signed(9, toUnits(node.lon7, options, options.lon_offset));
  return message;
}

function encodeWay(way: PbfWay, context: Context): Bytes {
  const { options } = context;
  const { points } = way;
  const message = new Bytes();
  message.number(1, way.id);
  writeCommon(message, way, context);
  message.deltas(8, way.refs);
  if (options.locations_on_ways && points) {
    const of = (odd: number, offset: number | undefined): number[] =>
      points.filter((_, i) => i % 2 === odd).map((value) => toUnits(value, options, offset));
    message.deltas(9, of(0, options.lat_offset));
    message.deltas(10, of(1, options.lon_offset));
  }
  return message;
}

function encodeRelation(relation: PbfRelation, context: Context): Bytes {
  const { members } = relation;
  const message = new Bytes();
  message.number(1, relation.id);
  writeCommon(message, relation, context);
  message.packed(
    8,
    members.map(({ role }) => context.texts.of(role)),
  );
  message.deltas(
    9,
    members.map(({ id }) => id),
  );
  message.packed(
    10,
    members.map(({ type }) => MEMBER_KINDS.indexOf(type)),
  );
  return message;
}

function writeCommon(message: Bytes, object: PbfObject, { texts, options }: Context): void {
  const tags = Object.entries(object.tags ?? {});
  message.packed(
    2,
    tags.map(([key]) => texts.of(key)),
  );
  message.packed(
    3,
    tags.map(([, value]) => texts.of(value)),
  );
  if (!options.metadata) return;
  const info = new Bytes();
  info.number(1, 1);
  info.number(2, toTime(object, options));
  if (object.visible === false) info.number(6, 0);
  message.message(4, info);
}

function toUnits(
  value7: number,
  { granularity = UNIT_NANO }: PbfOptions,
  offset: number | undefined,
): number {
  return Math.round((value7 * UNIT_NANO - (offset ?? 0)) / granularity);
}

function toTime({ changed_at_s = 0 }: PbfObject, { date_granularity = 1000 }: PbfOptions): number {
  return Math.round((changed_at_s * 1000) / date_granularity);
}
