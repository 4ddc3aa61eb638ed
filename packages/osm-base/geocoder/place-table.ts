/**
 * Places of an extract: settlements and areas, an area and the settlement it is drawn around being
 * one. Each has the number of its document, in the order of objects.
 */
import Flatbush from "flatbush";
import { type AreaIndex, openAreas, packAreas } from "./area-index.ts";
import { boundaryOf } from "./boundary-codes.ts";
import { createExcludes, withinBoundaries } from "./country-boundaries.ts";
import { wordsOf } from "./fold-words.ts";
import type { Intake, RawArea, Settlement } from "./intake.ts";
import type { AreaFact, CountryAt, Locality, Settlements } from "./locality.ts";
import type { GeocodedName } from "./name-texts.ts";
import {
  isTown,
  isWide,
  SETTLEMENT_KINDS,
  placeImportance,
  placeOfLevel,
  rankOf,
} from "./settlements.ts";
import { createLocator, type Locator } from "./whereabouts.ts";
import type { Columns } from "#kit/pack.ts";

type PlaceDoc = {
  osm: number;
  lat7: number;
  lon7: number;
  /** Set of its names. */
  names: number;
  place: string;
  importance: number;
  country: string | null;
  region: string | null;
  /** Numbers of the documents that are its region and its country; -1: no document is named. */
  region_doc: number;
  country_doc: number;
  /** Its point is that of a settlement, which reaches beyond it; not the middle of an area. */
  settled: boolean;
};

export type Places = Locator & {
  docs: readonly PlaceDoc[];
  areas: readonly AreaFact[];
  settlements: Settlements;
  columns: Columns;
};

export function makePlaces(intake: Intake, map: CountryAt): Places {
  const raw = intake.areas.toSorted((a, b) => a.osm - b.osm);
  const settlements = intake.settlements.toSorted((a, b) => a.osm - b.osm);
  const columns = packAreas(raw.map(({ rings }) => rings));
  const index = openAreas(columns);
  const countryAt = withinBoundaries(map, createExcludes(raw, index));
  const merged = matchAreas(intake, raw, settlements, (lat7, lon7) =>
    index.at(lat7, lon7).map((area) => raw[area]!),
  );
  const countryOf = ({ lat7, lon7, code }: RawArea): string | null =>
    code ??
    index
      .at(lat7, lon7)
      .map((area) => raw[area]!.code)
      .find((each) => each !== null) ??
    countryAt(lat7 / 1e7, lon7 / 1e7);
  const known = (area: RawArea): boolean => isKnownPlace(area, index, raw);
  const { docs, docOfArea } = makeDocs(intake, raw, settlements, { merged, countryOf, known });
  const areas = raw.map((area, i): AreaFact => {
    const { level, code, postcode } = area;
    const doc = docOfArea.get(i) ?? -1;
    const town = doc >= 0 && isTown(docs[doc]!.place);
    return { doc, level, code, postcode, town, ...boundaryOf(area) };
  });
  const rings = raw.map((area) => area.rings);
  const points = placePoints(docs, boundedOf(docs, areas, index.holds));
  const locator = createLocator(areas, points, { rings, columns, countryAt });
  return { docs, areas, columns, settlements: points, ...insideCountries(locator, docs) };
}

/** A settlement of another country reaches over the border, and is no town of what lies there. */
function insideCountries(locator: Locator, docs: readonly PlaceDoc[]): Locator {
  const cache = new Map<Locality, Locality>();
  const countryOf = (doc: number): string | null => {
    const { country, lat7, lon7 } = docs[doc]!;
    return country ?? locator.localityAt(lat7, lon7).country;
  };
  const inside = (locality: Locality): Locality => {
    const { city, country, holding } = locality;
    if (city < 0 || country === null || holding.includes(city)) return locality;
    const own_country = countryOf(city);
    return own_country === null || own_country === country ? locality : { ...locality, city: -1 };
  };
  return {
    ...locator,
    localityAt(lat7, lon7) {
      const locality = locator.localityAt(lat7, lon7);
      let own = cache.get(locality);
      if (!own) cache.set(locality, (own = inside(locality)));
      return own;
    },
  };
}

/**
 * 1: a place is drawn as an area, and reaches no further; by number of its document. Of a place that
 * the edge of the extract cuts, the rings that are left may not hold its own point: it has no bounds.
 */
function boundedOf(
  docs: readonly PlaceDoc[],
  areas: readonly AreaFact[],
  holds: AreaIndex["holds"],
): Uint8Array {
  const bounded = Uint8Array.from(docs, ({ settled }) => (settled ? 0 : 1));
  for (const [i, { doc }] of areas.entries())
    if (doc >= 0 && holds(i, docs[doc]!.lat7, docs[doc]!.lon7)) bounded[doc] = 1;
  return bounded;
}

/** Points of places with a reach, by the numbers of their documents. */
function placePoints(docs: readonly PlaceDoc[], bounded: Uint8Array): Settlements {
  const lat7 = Int32Array.from(docs, (doc) => doc.lat7);
  const lon7 = Int32Array.from(docs, (doc) => doc.lon7);
  const kinds = Uint8Array.from(docs, ({ place }) => Math.max(0, SETTLEMENT_KINDS.indexOf(place)));
  const tree = docs.length === 0 ? null : new Flatbush(docs.length, 16, Int32Array);
  for (let i = 0; i < docs.length; i++) tree!.add(lon7[i]!, lat7[i]!);
  tree?.finish();
  return { lat7, lon7, kinds, bounded, tree };
}

/** Settlement that each area is drawn around, by number; areas without one are not in it. */
function matchAreas(
  intake: Intake,
  raw: readonly RawArea[],
  settlements: readonly Settlement[],
  areasAt: (lat7: number, lon7: number) => readonly RawArea[],
): Map<RawArea, number> {
  const byOsm = new Map(settlements.map(({ osm }, i) => [osm, i]));
  const foldedOf = (names: number): Set<string> =>
    new Set(intake.sets.get(names).map(({ text }) => wordsOf(text).join(" ")));
  const share = (a: number, b: number): boolean => {
    const words = foldedOf(b);
    return [...foldedOf(a)].some((name) => words.has(name));
  };
  /** A town is not the region that is called like it, nor is a region the town. */
  const fits = (area: RawArea, { place, names }: Settlement): boolean => {
    const rank = rankOf(place);
    if (rank === null || !share(area.names, names)) return false;
    if (area.level === 0) return area.place === place;
    return area.level <= 4 === isWide(place);
  };
  const matches = new Map<RawArea, number>();
  for (const area of raw) {
    if (area.names === 0) continue;
    const centre = area.centres
      .map((osm) => byOsm.get(osm))
      .find((at) => at !== undefined && fits(area, settlements[at]!));
    if (centre !== undefined) matches.set(area, centre);
  }
  for (const [i, settlement] of settlements.entries())
    for (const area of areasAt(settlement.lat7, settlement.lon7))
      if (area.names !== 0 && !matches.has(area) && fits(area, settlement)) matches.set(area, i);
  return matches;
}

function makeDocs(
  intake: Intake,
  raw: readonly RawArea[],
  settlements: readonly Settlement[],
  {
    merged,
    countryOf,
    known,
  }: {
    merged: ReadonlyMap<RawArea, number>;
    countryOf(area: RawArea): string | null;
    known(area: RawArea): boolean;
  },
): { docs: PlaceDoc[]; docOfArea: Map<number, number> } {
  const areasOf = new Map<number, RawArea[]>();
  for (const [area, at] of merged) areasOf.set(at, [...(areasOf.get(at) ?? []), area]);
  const drafts: { doc: PlaceDoc; areas: readonly RawArea[] }[] = settlements.map((place, i) => {
    const areas = areasOf.get(i) ?? [];
    return { doc: settlementDoc(intake, place, areas), areas };
  });
  for (const area of raw)
    if (area.names !== 0 && !merged.has(area) && known(area))
      drafts.push({ doc: areaDoc(area, countryOf(area)), areas: [area] });
  drafts.sort((a, b) => a.doc.osm - b.doc.osm);
  const numbers = new Map(raw.map((area, i) => [area, i]));
  const docOfArea = new Map<number, number>();
  for (const [doc, { areas }] of drafts.entries())
    for (const area of areas) docOfArea.set(numbers.get(area)!, doc);
  linkRows(
    settlements,
    drafts.map(({ doc }) => doc),
  );
  return { docs: drafts.map(({ doc }) => doc), docOfArea };
}

/** Rows of a list name their region and country by rows of the same list. */
function linkRows(settlements: readonly Settlement[], docs: readonly PlaceDoc[]): void {
  const rows = settlements.filter((row) => row.region_osm !== null || row.country_osm !== null);
  if (rows.length === 0) return;
  const numbers = new Map(docs.map(({ osm }, i) => [osm, i]));
  const docOf = (osm: number | null): number => (osm === null ? -1 : (numbers.get(osm) ?? -1));
  for (const { osm, region_osm, country_osm } of rows) {
    const doc = docs[docOf(osm)];
    if (doc) [doc.region_doc, doc.country_doc] = [docOf(region_osm), docOf(country_osm)];
  }
}

/**
 * What an extract's edge has cut off is where its box happens to end: no place, unless it is small. And
 * none where that is within an area that is whole: all that is in that one is whole, so that it is elsewhere.
 */
function isKnownPlace(
  { whole, rings, level, lat7, lon7 }: RawArea,
  index: AreaIndex,
  all: readonly RawArea[],
): boolean {
  if (rings.length > 0 || (whole && level === 0)) return true;
  if (level < 8) return false;
  return whole || !index.at(lat7, lon7).some((area) => all[area]!.whole && all[area]!.level > 0);
}

function settlementDoc({ sets }: Intake, place: Settlement, areas: readonly RawArea[]): PlaceDoc {
  const first = areas.toSorted((a, b) => b.level - a.level || a.osm - b.osm)[0];
  const names = [place, ...areas].flatMap((each) => [...sets.get(each.names)]);
  const population = place.population ?? first?.population ?? null;
  return {
    osm: first?.osm ?? place.osm,
    lat7: place.lat7,
    lon7: place.lon7,
    names: sets.add(mergeNames(names)),
    place: place.place,
    importance: placeImportance(place.place, population, place.known || areas.length > 0),
    country: place.country,
    region: place.region,
    region_doc: -1,
    country_doc: -1,
    settled: true,
  };
}

function areaDoc(area: RawArea, country: string | null): PlaceDoc {
  const place = area.place ?? placeOfLevel(area.level, country);
  const { osm, lat7, lon7 } = area;
  return {
    osm,
    lat7,
    lon7,
    names: area.names,
    place,
    importance: placeImportance(place, area.population, area.level > 0),
    country: area.code,
    region: null,
    region_doc: -1,
    country_doc: -1,
    settled: false,
  };
}

/** One list of names: what one object adds to the names of another is another name of both. */
export function mergeNames(names: readonly GeocodedName[]): GeocodedName[] {
  const remaining: GeocodedName[] = [];
  for (const name of names) {
    const isKnown = remaining.some(
      ({ kind, text }) =>
        text === name.text && (kind === name.kind || name.kind === "" || name.kind === "alt"),
    );
    if (isKnown) continue;
    const kind =
      remaining.some((each) => each.kind === name.kind) && name.kind === "" ? "alt" : name.kind;
    remaining.push({ kind, text: name.text });
  }
  return remaining;
}
