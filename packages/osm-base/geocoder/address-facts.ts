/**
 * What addresses say of the postcodes and municipalities that they lie in. Each address counts where it
 * lies, so that what pages of one base have adds up to what the base has (docs/lab/pages.md, Facts that
 * pages share).
 */
import type { Intake } from "./intake.ts";
import { metresBetween } from "./metres.ts";
import type { Places } from "./place-table.ts";
import type { StreetPart } from "./rim-streets.ts";

/** Texts, and how often each comes. */
export type TextCounts = Map<string, number>;

/** An address, known by its object. */
export type Spot = { osm: number; lat7: number; lon7: number };

/** Addresses of one postcode in one country. */
export type PostcodeFact = {
  /** Code of the country; empty: unknown. */
  country: string;
  count: number;
  /** Sums of their coordinates. */
  lat7: number;
  lon7: number;
  cities: TextCounts;
  regions: TextCounts;
  /** One address of each square that has some. */
  spots: Map<number, Spot>;
};

export type AddressFacts = {
  /** By the number of the object that the municipality is. */
  municipalities: ReadonlyMap<number, TextCounts>;
  /** By postcode. */
  postcodes: ReadonlyMap<string, readonly PostcodeFact[]>;
  /** What other pages have of streets. */
  streets: readonly StreetPart[];
};

/** Some 200 metres. */
const SQUARE = 20_000;
const COLUMNS = 2 ** 18;
/** More of a postcode than any has; what is beyond is left out. */
const MOST = { spots: 16_384, texts: 1_024, countries: 256 } as const;

/** What some addresses say, given by their rows, all of one postcode; a list has an entry a country. */
export function readPostcode(
  { addresses, texts }: Intake,
  { localityAt }: Pick<Places, "localityAt">,
  rows: Uint32Array,
): PostcodeFact[] {
  const facts: PostcodeFact[] = [];
  const { osm, city, region } = addresses;
  for (const row of rows) {
    const [lat7, lon7] = [addresses.lat7.at(row), addresses.lon7.at(row)];
    const code = localityAt(lat7, lon7).country ?? "";
    let own = facts.find(({ country }) => country === code);
    if (!own) facts.push((own = nothingOf(code)));
    own.count += 1;
    own.lat7 += lat7;
    own.lon7 += lon7;
    addCount(own.cities, texts.get(city.at(row)), 1);
    addCount(own.regions, texts.get(region.at(row)), 1);
    addSpot(own.spots, { osm: osm.at(row), lat7, lon7 });
  }
  return facts;
}

export function nothingOf(country: string): PostcodeFact {
  const none = { count: 0, lat7: 0, lon7: 0 };
  return { country, ...none, cities: new Map(), regions: new Map(), spots: new Map() };
}

/** Adds what others say of the same postcode. */
export function addPostcode(facts: PostcodeFact[], other: PostcodeFact): void {
  const own = facts.find(({ country }) => country === other.country);
  if (own) addFact(own, other);
  else if (facts.length < MOST.countries) facts.push(copyOf(other));
}

/** Adds what others say. */
export function addCounts(counts: TextCounts, other: Iterable<readonly [string, number]>): void {
  for (const [text, times] of other) addCount(counts, text, times);
}

function addCount(counts: TextCounts, text: string, times: number): void {
  const before = counts.get(text);
  if (text !== "" && (before !== undefined || counts.size < MOST.texts))
    counts.set(text, (before ?? 0) + times);
}

/** Keeps one address of each square, whatever the order that they come in. */
export function addSpot(spots: PostcodeFact["spots"], spot: Spot): void {
  const square = Math.floor(spot.lat7 / SQUARE) * COLUMNS + Math.floor(spot.lon7 / SQUARE);
  const before = spots.get(square);
  if (before === undefined ? spots.size < MOST.spots : isBefore(spot, before))
    spots.set(square, spot);
}

/** A postcode as a place. */
export type PostcodePlace = PostcodeFact & {
  /** In the middle of its addresses. */
  middle: { lat7: number; lon7: number };
  /** The address of which the others are around; it says which town and which page it is in. */
  central: Spot;
};

/** Addresses of one postcode on both sides of a border are of one place. */
const NEAR_M = 30_000;

/** Places of one postcode, that of most addresses first. */
export function placesOf(facts: readonly PostcodeFact[]): PostcodePlace[] {
  const places: PostcodeFact[] = [];
  for (const fact of facts.toSorted(byCount)) {
    const near = places.find((place) => metresBetween(middleOf(place), middleOf(fact)) <= NEAR_M);
    if (near) addFact(near, fact);
    else places.push(copyOf(fact));
  }
  return places
    .toSorted(byCount)
    .map((place) => ({ ...place, middle: middleOf(place), central: centralOf(place) }));
}

function byCount(a: PostcodeFact, b: PostcodeFact): number {
  return b.count - a.count || (a.country < b.country ? -1 : 1);
}

function middleOf({ lat7, lon7, count }: PostcodeFact): { lat7: number; lon7: number } {
  return { lat7: Math.round(lat7 / count), lon7: Math.round(lon7 / count) };
}

function centralOf(fact: PostcodeFact): Spot {
  const middle = middleOf(fact);
  let best: { spot: Spot; metres: number } | null = null;
  for (const spot of fact.spots.values()) {
    const metres = metresBetween(middle, spot);
    const isNearer = best === null || metres < best.metres;
    if (isNearer || (metres === best!.metres && isBefore(spot, best!.spot)))
      best = { spot, metres };
  }
  return best!.spot;
}

function addFact(own: PostcodeFact, other: PostcodeFact): void {
  own.count += other.count;
  own.lat7 += other.lat7;
  own.lon7 += other.lon7;
  addCounts(own.cities, other.cities);
  addCounts(own.regions, other.regions);
  for (const spot of other.spots.values()) addSpot(own.spots, spot);
}

function copyOf(fact: PostcodeFact): PostcodeFact {
  const { cities, regions, spots } = fact;
  return { ...fact, cities: new Map(cities), regions: new Map(regions), spots: new Map(spots) };
}

function isBefore(a: Spot, b: Spot): boolean {
  return a.osm - b.osm < 0 || (a.osm === b.osm && (a.lat7 - b.lat7 || a.lon7 - b.lon7) < 0);
}
