/** The header block of an extract: what a reader must be able to do, and what the file covers. */
import { problem } from "#kit/problem.ts";
import { lengthTag, varintTag, Wire } from "#kit/wire.ts";

export type ExtractHeader = {
  /** South, west, north, east in degrees, as the writer says; null: it does not. */
  box: readonly [number, number, number, number] | null;
  /** Nodes come first, then ways, then relations, each by id. */
  sorted: boolean;
  /** Ways carry the positions of their nodes. */
  located: boolean;
  /** State of the map that the file shows, in seconds; null: not in the header. */
  data_at_s: number | null;
  program: string | null;
  source: string | null;
};

const BOX = lengthTag(1);
const REQUIRED = lengthTag(4);
const OPTIONAL = lengthTag(5);
const PROGRAM = lengthTag(16);
const SOURCE = lengthTag(17);
const REPLICATION = varintTag(32);

const LEFT = varintTag(1);
const RIGHT = varintTag(2);
const TOP = varintTag(3);
const BOTTOM = varintTag(4);

const READABLE = new Set(["OsmSchema-V0.6", "DenseNodes"]);
const LONGEST_BYTES = 200;
const NANO = 1e9;

/** Header block; a feature that this reader lacks is a problem that names it. */
export function readHeader(bytes: Uint8Array): ExtractHeader {
  const wire = new Wire(bytes);
  const optional = new Set<string>();
  const header: ExtractHeader = {
    box: null,
    sorted: false,
    located: false,
    data_at_s: null,
    program: null,
    source: null,
  };
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === REQUIRED) requireReadable(toText(wire.view()));
    else if (tag === OPTIONAL) optional.add(toText(wire.view()));
    else if (tag === BOX) header.box = readBox(wire.view());
    else if (tag === PROGRAM) header.program = toText(wire.view());
    else if (tag === SOURCE) header.source = toText(wire.view());
    else if (tag === REPLICATION) header.data_at_s = wire.signed();
    else wire.skip(tag);
  }
  header.sorted = optional.has("Sort.Type_then_ID");
  header.located = optional.has("LocationsOnWays");
  return header;
}

function requireReadable(feature: string): void {
  if (READABLE.has(feature)) return;
  if (feature === "HistoricalInformation")
    throw problem("extract: a history file; an extract of one moment is needed");
  throw problem(`extract: needs the feature ${JSON.stringify(feature)}, which is not known here`);
}

function readBox(bytes: Uint8Array): ExtractHeader["box"] {
  const wire = new Wire(bytes);
  const edges = new Map<number, number>();
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === LEFT || tag === RIGHT || tag === TOP || tag === BOTTOM)
      edges.set(tag, wire.zigzag() / NANO);
    else wire.skip(tag);
  }
  const [south, west, north, east] = [BOTTOM, LEFT, TOP, RIGHT].map((edge) => edges.get(edge) ?? 0);
  return [south!, west!, north!, east!];
}

function toText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST_BYTES));
  return text.replace(/[^\x20-\x7e\u00a0-\u2027\u2030-\uffff]/g, "?");
}
