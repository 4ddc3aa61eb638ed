/**
 * As much of OpenStreetMap's PBF (wiki.openstreetmap.org/wiki/PBF_Format) as a test needs: tagged
 * elements in the shape of an Overpass answer, ways and relations at the centre of their box.
 */
import { inflateSync } from "node:zlib";

type Tags = Record<string, string>;
export type PbfElement =
  | { type: "node"; id: number; lat: number; lon: number; tags: Tags }
  | { type: "way" | "relation"; id: number; center: { lat?: number; lon?: number }; tags: Tags };
type Box = [south: number, west: number, north: number, east: number];
type Field = { number: number; value: number; bytes: Buffer };

export function readPbf(file: Buffer): PbfElement[] {
  const elements: PbfElement[] = [];
  const boxes = new Map<string, Box>();
  for (let at = 0; at < file.length;) {
    const head_end = at + 4 + file.readUInt32BE(at);
    const head = fieldsOf(file.subarray(at + 4, head_end));
    const size = head.find(({ number }) => number === 3)!.value;
    at = head_end + size;
    if (String(head.find(({ number }) => number === 1)!.bytes) !== "OSMData") continue;
    const blob = fieldsOf(file.subarray(head_end, at));
    const zipped = blob.find(({ number }) => number === 3);
    readBlock(zipped ? inflateSync(zipped.bytes) : blob[0]!.bytes, elements, boxes);
  }
  return elements;
}

function readBlock(block: Buffer, found: PbfElement[], boxes: Map<string, Box>): void {
  const fields = fieldsOf(block);
  const of = (number: number) => fields.filter((field) => field.number === number);
  const words = fieldsOf(of(1)[0]!.bytes).map(({ bytes }) => String(bytes));
  const granularity = of(17)[0]?.value ?? 100;
  const degrees = (value: number): number => (value * granularity) / 1e9;
  const node = (id: number, lat: number, lon: number, tags: Tags): void => {
    boxes.set(`n${id}`, [degrees(lat), degrees(lon), degrees(lat), degrees(lon)]);
    if (Object.keys(tags).length > 0)
      found.push({ type: "node", id, lat: degrees(lat), lon: degrees(lon), tags });
  };
  for (const group of of(2).flatMap(({ bytes }) => fieldsOf(bytes))) {
    if (group.number === 2) readDense(group.bytes, words, node);
    else if (group.number === 1) readNode(group.bytes, words, node);
    else if (group.number === 3) readParts("way", group.bytes, { words, boxes, found });
    else if (group.number === 4) readParts("relation", group.bytes, { words, boxes, found });
  }
}

type TakeNode = (id: number, lat: number, lon: number, tags: Tags) => void;

function readNode(bytes: Buffer, words: string[], take: TakeNode): void {
  const fields = fieldsOf(bytes);
  const signed = (n: number) => zigzag(fields.find(({ number }) => number === n)!.value);
  take(signed(1), signed(8), signed(9), tagsOf(fields, words));
}

function readDense(bytes: Buffer, words: string[], take: TakeNode): void {
  const fields = fieldsOf(bytes);
  const [ids, lats, lons] = [1, 8, 9].map((number) => deltas(packed(fields, number)));
  const pairs = packed(fields, 10);
  let at = 0;
  ids!.forEach((id, i) => {
    const tags: Tags = {};
    for (; at < pairs.length && pairs[at] !== 0; at += 2)
      tags[words[pairs[at]!]!] = words[pairs[at + 1]!]!;
    at++;
    take(id, lats![i]!, lons![i]!, tags);
  });
}

type Into = { words: string[]; boxes: Map<string, Box>; found: PbfElement[] };

function readParts(type: "way" | "relation", bytes: Buffer, { words, boxes, found }: Into): void {
  const fields = fieldsOf(bytes);
  const id = fields.find(({ number }) => number === 1)!.value;
  const kinds = packed(fields, 10);
  const refs = deltas(packed(fields, type === "way" ? 8 : 9));
  const letterOf = (i: number): string => (type === "way" ? "n" : "nwr"[kinds[i]!]!);
  let box: Box | undefined;
  refs.forEach((ref, i) => {
    const part = boxes.get(letterOf(i) + ref);
    if (part) box = box ? union(box, part) : part;
  });
  if (box) boxes.set(type[0]! + id, box);
  const tags = tagsOf(fields, words);
  if (Object.keys(tags).length === 0) return;
  const center = box ? { lat: (box[0] + box[2]) / 2, lon: (box[1] + box[3]) / 2 } : {};
  found.push({ type, id, center, tags });
}

function union(a: Box, b: Box): Box {
  return [
    ...([Math.min(a[0], b[0]), Math.min(a[1], b[1])] as const),
    ...([Math.max(a[2], b[2]), Math.max(a[3], b[3])] as const),
  ];
}

function tagsOf(fields: Field[], words: string[]): Tags {
  const values = packed(fields, 3);
  return Object.fromEntries(packed(fields, 2).map((key, i) => [words[key]!, words[values[i]!]!]));
}

function packed(fields: Field[], number: number): number[] {
  const numbers: number[] = [];
  for (const field of fields) {
    if (field.number !== number) continue;
    for (let at = 0; at < field.bytes.length;) {
      const [value, next] = varint(field.bytes, at);
      numbers.push(value);
      at = next;
    }
  }
  return numbers;
}

function deltas(values: number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += zigzag(value)));
}

function zigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag, start] = varint(bytes, at);
    const [value, next] = varint(bytes, start);
    const isBytes = tag % 8 === 2;
    at = isBytes ? next + value : next;
    const number = Math.floor(tag / 8);
    fields.push({ number, value, bytes: bytes.subarray(next, isBytes ? at : next) });
  }
  return fields;
}

/** Numbers beyond 2^53 do not occur where they would matter. */
function varint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  let scale = 1;
  for (let at = from; ; at++) {
    const byte = bytes[at]!;
    value += (byte % 128) * scale;
    if (byte < 128) return [value, at + 1];
    scale *= 128;
  }
}
