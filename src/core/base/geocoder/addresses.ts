/**
 * Addresses and the streets they are on: the street of that name in their municipality, else the
 * nearest of that name, else one that is known from addresses only. Addresses without a street are
 * on the place they name.
 */
import { clusterBoxes, gapOf, unionOf, type Box7 } from "./clusters.ts";
import { wordsOf } from "./fold.ts";
import type { Intake } from "./intake.ts";
import { metresBetween, type Point7 } from "./metres.ts";
import type { Places } from "./places.ts";
import { rankOf } from "./settlements.ts";
import { canonicalName } from "./spellings.ts";
import { footOnWays, type Street } from "./streets.ts";

/** Where an address hangs: a street by number, or a place; null: it says neither. */
export type Owner = { street: number } | { place: number } | null;

const FAR_M = 3_000;
/** Addresses of a street that is not on the map, and that lie further apart, are of two streets. */
const GAP_M = 1_000;

/** Owner of each address by row; streets known from addresses alone are appended to `streets`. */
export function* attachAddresses(
  intake: Intake,
  places: Places,
  streets: Street[],
): Generator<void, Owner[]> {
  const { addresses, texts } = intake;
  const find = createStreetFinder(intake, streets);
  const findPlace = createPlaceFinder(places);
  const owners: Owner[] = Array.from({ length: addresses.osm.length }, () => null);
  const orphans = new Map<string, { key: string; name: string; city: number; rows: number[] }>();
  for (let row = 0; row < owners.length; row++) {
    const point = { lat7: addresses.lat7.at(row), lon7: addresses.lon7.at(row) };
    const related = intake.streetOf.get(addresses.osm.at(row)) ?? 0;
    const street = addresses.street.at(row) || related;
    const municipality = places.municipalityAt(point.lat7, point.lon7);
    const numbered = street === 0 && addresses.number.at(row) !== 0;
    const place = numbered ? addresses.place.at(row) : 0;
    const city = numbered ? addresses.city.at(row) : 0;
    const owner = street === 0 ? null : find(texts.get(street), municipality, point);
    // A village without streets has numbers of its own; of a town the street is missing.
    const settlement =
      place !== 0
        ? findPlace(texts.get(place), point)
        : city !== 0
          ? findPlace(texts.get(city), point, SMALL_M)
          : -1;
    if (owner !== null) owners[row] = { street: owner };
    else if (settlement >= 0) owners[row] = { place: settlement };
    else if (street !== 0 || place !== 0) {
      const name = texts.get(street || place);
      const key = wordsOf(name).join(" ");
      const id = `${key}|${municipality >= 0 ? municipality : -1 - addresses.city.at(row)}`;
      const known = orphans.get(id);
      if (known) known.rows.push(row);
      else orphans.set(id, { key, name, city: municipality, rows: [row] });
    }
    if (row % 4096 === 4095) yield;
  }
  for (const { key, name, city, rows } of orphans.values())
    for (const part of partsOf(intake, rows)) {
      for (const row of part) owners[row] = { street: streets.length };
      streets.push({
        ...streetOfRows(intake, part),
        key,
        municipality: city,
        names: [{ kind: "", text: name }],
      });
    }
  return owners;
}

type StreetFinder = (name: string, municipality: number, point: Point7) => number | null;

function createStreetFinder(intake: Intake, streets: readonly Street[]): StreetFinder {
  const exact = new Map<string, number[]>();
  const loose = new Map<string, number[]>();
  for (const [i, { names }] of streets.entries()) {
    const keys = new Set(names.map(({ text }) => wordsOf(text).join(" ")));
    for (const key of keys) {
      addTo(exact, key, i);
      addTo(loose, canonicalName(key.split(" ")), i);
    }
  }
  const keys = new Map<string, [exact: string, loose: string]>();
  return (name, municipality, point) => {
    let pair = keys.get(name);
    if (!pair) {
      const words = wordsOf(name);
      keys.set(name, (pair = [words.join(" "), canonicalName(words)]));
    }
    const same = (i: number): boolean => streets[i]!.municipality === municipality;
    const [sure, likely] = [exact.get(pair[0]) ?? [], loose.get(pair[1]) ?? []];
    for (const candidates of [sure.filter(same), likely.filter(same), sure, likely]) {
      const found = nearestOf(intake, streets, candidates, point);
      if (found !== null) return found;
    }
    return null;
  };
}

/** More streets of one name are not compared by their lines. */
const MAX_COMPARED = 16;

function nearestOf(
  intake: Intake,
  streets: readonly Street[],
  candidates: readonly number[],
  point: Point7,
): number | null {
  const own: Box7 = [point.lat7, point.lon7, point.lat7, point.lon7];
  const near = candidates
    .map((street) => ({ street, metres: gapOf(streets[street]!.box, own) }))
    .filter(({ metres }) => metres <= FAR_M)
    .sort((a, b) => a.metres - b.metres || a.street - b.street)
    .slice(0, MAX_COMPARED);
  if (near.length <= 1) return near[0]?.street ?? null;
  let best = { street: near[0]!.street, metres: Infinity };
  for (const { street, metres } of near) {
    if (metres >= best.metres) break;
    const { ways } = streets[street]!;
    if (ways.length === 0) continue;
    const foot = footOnWays(intake, ways, point);
    if (foot.metres < best.metres) best = { street, metres: foot.metres };
  }
  return best.street;
}

/** Reach of a place that is small enough to have house numbers without streets. */
const SMALL_M = 3_000;

type PlaceFinder = (name: string, point: Point7, reach_m?: number) => number;

/** The place of a name within some kilometres; -1: none. */
function createPlaceFinder({ docs }: Places): PlaceFinder {
  const byName = new Map<string, number[]>();
  for (const [doc, { names }] of docs.entries())
    for (const key of new Set(names.map(({ text }) => wordsOf(text).join(" "))))
      addTo(byName, key, doc);
  return (name, point, reach_m = Infinity) => {
    let best = { doc: -1, metres: FAR_M * 2 };
    for (const doc of byName.get(wordsOf(name).join(" ")) ?? []) {
      if ((rankOf(docs[doc]!.place)?.radius_m ?? 0) > reach_m) continue;
      const metres = metresBetween(point, docs[doc]!);
      if (metres < best.metres) best = { doc, metres };
    }
    return best.doc;
  };
}

function partsOf({ addresses }: Intake, rows: readonly number[]): number[][] {
  const boxes = rows.map((row): Box7 => {
    const [lat7, lon7] = [addresses.lat7.at(row), addresses.lon7.at(row)];
    return [lat7, lon7, lat7, lon7];
  });
  const parts: number[][] = [];
  for (const [i, part] of clusterBoxes(boxes, GAP_M).entries()) (parts[part] ??= []).push(rows[i]!);
  return parts;
}

/** A street without lines is where the most central of its addresses is. */
function streetOfRows(
  { addresses }: Intake,
  rows: readonly number[],
): Pick<Street, "osm" | "lat7" | "lon7" | "box" | "kind" | "ways"> {
  const box = unionOf(
    rows.map((row): Box7 => {
      const [lat7, lon7] = [addresses.lat7.at(row), addresses.lon7.at(row)];
      return [lat7, lon7, lat7, lon7];
    }),
  );
  const centre = { lat7: (box[0] + box[2]) / 2, lon7: (box[1] + box[3]) / 2 };
  let best = { row: rows[0]!, metres: Infinity };
  for (const row of rows) {
    const metres = metresBetween(centre, {
      lat7: addresses.lat7.at(row),
      lon7: addresses.lon7.at(row),
    });
    const nearer = metres < best.metres;
    const tied = metres === best.metres && addresses.osm.at(row) < addresses.osm.at(best.row);
    if (nearer || tied) best = { row, metres };
  }
  return {
    osm: addresses.osm.at(best.row),
    lat7: addresses.lat7.at(best.row),
    lon7: addresses.lon7.at(best.row),
    box,
    kind: "highway=unknown",
    ways: [],
  };
}

function addTo(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
