/** Columns of a geocoder as they lie in a base, opened: views, no copies. */
import { type Columns, columnOf } from "#kit/pack.ts";
import { type Blob, readText } from "#kit/bytes.ts";
import { type AreaIndex, openAreas, openTree } from "./area-index.ts";
import { createExcludes, type Excludes } from "./country-boundaries.ts";
import { type LineIndex, openLines } from "./street-lines.ts";
import type { Settlements } from "./locality.ts";
import { openPoints, type PointIndex } from "./points.ts";
import { openPostings, type Postings } from "./postings.ts";
import type { GeocoderMeta } from "./geocoder-section.ts";
import { openTerms, type TermIndex } from "./term-index.ts";

export type View = {
  meta: GeocoderMeta;
  terms: TermIndex;
  postings: Postings;
  context_postings: Postings;
  /** Text by number; 0 is the empty text. */
  text(id: number): string;
  words: { starts: Uint32Array; terms: Uint32Array };
  sets: { starts: Uint32Array; texts: Uint32Array; kinds: Uint8Array };
  docs: {
    count: number;
    osm: Float64Array;
    lat7: Int32Array;
    lon7: Int32Array;
    /** South, west, north, east of each. */
    boxes: Int32Array;
    set: Uint32Array;
    kind: Uint32Array;
    context: Uint32Array;
    street: Int32Array;
    number: Uint32Array;
    postcode: Uint32Array;
    importance: Uint8Array;
    blocks: Uint8Array;
    words: Uint8Array;
  };
  numbers: {
    starts: Uint32Array;
    owners: Uint32Array;
    value: Uint32Array;
    key: Uint32Array;
    label: Uint32Array;
    osm: Float64Array;
    lat7: Int32Array;
    lon7: Int32Array;
    postcode: Uint32Array;
    /** Name of the street as the address has it; 0: as the street. */
    street: Uint32Array;
    /** City as the address has it, other than the municipality there; 0: as there. */
    city: Uint32Array;
    reckoned: Uint8Array;
  };
  contexts: {
    count: number;
    city: Int32Array;
    city_name: Uint32Array;
    region: Int32Array;
    region_name: Uint32Array;
    country: Uint32Array;
    wide: Uint32Array;
    starts: Uint32Array;
    terms: Uint32Array;
    weights: Uint8Array;
  };
  wide: { starts: Uint32Array; terms: Uint32Array; weights: Uint8Array };
  kinds: { starts: Uint32Array; docs: Uint32Array };
  areas: AreaIndex;
  /** Whether a point is outside of a country all of which is drawn. */
  excludes: Excludes;
  points: PointIndex;
  lines: LineIndex;
  settlements: Settlements;
  /** Places that are drawn as municipalities, by document. */
  drawn: ReadonlySet<number>;
  /** Number of the main tag that postcodes have; -1: there are none. */
  postcode_kind: number;
};

export function openView(columns: Columns, meta: GeocoderMeta): View {
  const f64 = (name: string): Float64Array => columnOf(columns, name, Float64Array);
  const i32 = (name: string): Int32Array => columnOf(columns, name, Int32Array);
  const u32 = (name: string): Uint32Array => columnOf(columns, name, Uint32Array);
  const u8 = (name: string): Uint8Array => columnOf(columns, name, Uint8Array);
  const texts: Blob = { bytes: u8("texts.bytes"), offsets: u32("texts.offsets") };
  const text = (id: number): string => readText(texts, id);
  const docs = {
    ...{ osm: f64("docs.osm"), lat7: i32("docs.lat7"), lon7: i32("docs.lon7") },
    ...{ boxes: i32("docs.boxes"), set: u32("docs.set"), kind: u32("docs.kind") },
    ...{ context: u32("docs.context"), street: i32("docs.street"), number: u32("docs.number") },
    ...{ postcode: u32("docs.postcode"), importance: u8("docs.importance") },
    ...{ blocks: u8("docs.blocks"), words: u8("docs.words") },
  };
  const numbers = {
    ...{
      starts: u32("numbers.starts"),
      owners: u32("numbers.owners"),
      value: u32("numbers.value"),
    },
    ...{ key: u32("numbers.key"), label: u32("numbers.label"), osm: f64("numbers.osm") },
    ...{ lat7: i32("numbers.lat7"), lon7: i32("numbers.lon7") },
    ...{ postcode: u32("numbers.postcode"), reckoned: u8("numbers.reckoned") },
    ...{ street: u32("numbers.street"), city: u32("numbers.city") },
  };
  const contexts = {
    ...{ city: i32("contexts.city"), city_name: u32("contexts.city_name") },
    ...{ region: i32("contexts.region"), region_name: u32("contexts.region_name") },
    ...{ country: u32("contexts.country"), wide: u32("contexts.wide") },
    ...{ starts: u32("contexts.starts"), terms: u32("contexts.terms") },
    weights: u8("contexts.weights"),
  };
  const areas = openAreas(columns);
  return {
    meta,
    terms: openTerms(columns),
    postings: openPostings("postings", columns),
    context_postings: openPostings("context_postings", columns),
    text,
    words: { starts: u32("words.starts"), terms: u32("words.terms") },
    sets: { starts: u32("sets.starts"), texts: u32("sets.texts"), kinds: u8("sets.kinds") },
    docs: { ...docs, count: docs.osm.length },
    numbers,
    contexts: { ...contexts, count: contexts.city.length },
    wide: { starts: u32("wide.starts"), terms: u32("wide.terms"), weights: u8("wide.weights") },
    kinds: { starts: u32("kinds.starts"), docs: u32("kinds.docs") },
    areas,
    excludes: createExcludes(meta.areas, areas),
    points: openPoints("points", columns),
    lines: openLines(columns),
    drawn: new Set(meta.areas.flatMap(({ doc, town }) => (town ? [doc] : []))),
    // Postcodes are the last documents.
    postcode_kind: text(docs.kind.at(-1) ?? 0) === "place=postcode" ? docs.kind.at(-1)! : -1,
    settlements: {
      lat7: docs.lat7,
      lon7: docs.lon7,
      kinds: u8("places.kinds"),
      bounded: u8("places.bounded"),
      tree: openTree(u8("places.tree")),
    },
  };
}
