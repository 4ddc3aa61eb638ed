// Extracts of OpenStreetMap as PBF, written from objects: for the simulator, tests and benches.
// https://wiki.openstreetmap.org/wiki/PBF_Format describes the format.

import { deflateSync } from "node:zlib";
import { Bytes } from "./bytes.ts";
import { encodeBlock } from "./block.ts";
import type { PbfObject, PbfOptions } from "./objects.ts";

export type { PbfMember, PbfNode, PbfObject, PbfOptions, PbfRelation, PbfWay } from "./objects.ts";

const NANO = 1e9;

/** The file, piece by piece. */
export function* encodePbf(
  objects: Iterable<PbfObject>,
  options: PbfOptions = {},
): Generator<Buffer> {
  yield* frame("OSMHeader", encodeHeader(options), options);
  const most = options.objects_per_block ?? 8_000;
  let block: PbfObject[] = [];
  for (const object of objects) {
    const full = block.length === most;
    const other = block.length > 0 && block[0]!.type !== object.type && options.sorted !== false;
    if (full || other) {
      yield* frame("OSMData", encodeBlock(block, options), options);
      block = [];
    }
    block.push(object);
  }
  if (block.length > 0) yield* frame("OSMData", encodeBlock(block, options), options);
}

/** The whole file at once. */
export function toPbf(objects: Iterable<PbfObject>, options: PbfOptions = {}): Buffer {
  return Buffer.concat([...encodePbf(objects, options)]);
}

/** A blob with its header and the length of that. */
export function* frame(
  type: string,
  content: Uint8Array,
  { compression = "zlib", level = 6 }: Pick<PbfOptions, "compression" | "level"> = {},
): Generator<Buffer> {
  const blob = new Bytes();
  if (compression === "none") blob.bytes(1, content);
  else {
    blob.number(2, content.length);
    blob.bytes(3, deflateSync(content, { level }));
  }
  yield* frameBlob(type, blob.done());
}

/** Of a blob message that is there already. */
export function* frameBlob(type: string, blob: Uint8Array): Generator<Buffer> {
  const header = new Bytes();
  header.text(1, type);
  header.number(3, blob.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.size);
  yield Buffer.concat([length, header.done(), blob]);
}

function encodeHeader(options: PbfOptions): Buffer {
  const { box, data_at_s, program, source, required_features = [] } = options;
  const header = new Bytes();
  if (box) {
    const [south, west, north, east] = box.map((edge) => Math.round(edge * NANO));
    const part = new Bytes();
    part.signed(1, west!);
    part.signed(2, east!);
    part.signed(3, north!);
    part.signed(4, south!);
    header.message(1, part);
  }
  header.text(4, "OsmSchema-V0.6");
  if (options.dense !== false) header.text(4, "DenseNodes");
  for (const feature of required_features) header.text(4, feature);
  if (options.sorted !== false) header.text(5, "Sort.Type_then_ID");
  if (options.locations_on_ways) header.text(5, "LocationsOnWays");
  if (program !== undefined) header.text(16, program);
  if (source !== undefined) header.text(17, source);
  if (data_at_s !== undefined) header.number(32, data_at_s);
  return header.done();
}
