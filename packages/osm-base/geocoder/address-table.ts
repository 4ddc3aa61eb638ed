/**
 * Addresses and the streets they are on: the street of that name in their municipality, else the
 * nearest of that name, else one that is known from addresses only. Addresses without a street are
 * on the place they name.
 */
import { bucketsOf, rowsOf } from "./buckets.ts";
import { type Boxes, clusterBoxes, unionOf } from "./clusters.ts";
import type { Forms } from "./forms.ts";
import type { Intake } from "./intake.ts";
import { Lists } from "./number-lists.ts";
import { metresBetween, type Point7 } from "./metres.ts";
import type { Places } from "./place-table.ts";
import { rankOf } from "./settlements.ts";
import { createStreetFinder } from "./street-finder.ts";
import { FAR_M, pushStreet, type Street, type Streets } from "./streets.ts";

/** What an address hangs off as one number: a street's own number, a place, or nothing. */
export type AddressOwner = number;
export const NO_OWNER = -1;
const placeOwner = (doc: number): AddressOwner => -2 - doc;
export const placeOf = (owner: AddressOwner): number => -2 - owner;

/** Addresses of a street that is not on the map, and that lie further apart, are of two streets. */
const GAP_M = 1_000;

/** Owner of each address by row; streets known from addresses alone are appended to `streets`. */
export function* attachAddresses(
  intake: Intake,
  places: Places,
  { streets, forms }: { streets: Streets; forms: Forms },
): Generator<void, Int32Array> {
  const { addresses } = intake;
  const find = createStreetFinder(intake, streets, forms);
  const findPlace = createPlaceFinder(intake, places, forms);
  const owners = new Int32Array(addresses.osm.length).fill(NO_OWNER);
  const orphans = new Lists();
  /** Orphans of one name and municipality have one number; -1: the address is none. */
  const orphan_of = new Int32Array(owners.length).fill(-1);
  for (let row = 0; row < owners.length; row++) {
    const point = { lat7: addresses.lat7.at(row), lon7: addresses.lon7.at(row) };
    const street = streetTextOf(intake, row);
    const municipality = places.municipalityAt(point.lat7, point.lon7);
    const owner = street === 0 ? NO_OWNER : find(street, municipality, point);
    const place = street === 0 ? placeTextOf(intake, row) : 0;
    const settlement = street === 0 ? settlementOf(intake, row, findPlace) : -1;
    if (owner >= 0) owners[row] = owner;
    else if (settlement >= 0) owners[row] = placeOwner(settlement);
    else if (street !== 0 || place !== 0) {
      const where = municipality >= 0 ? municipality : -1 - addresses.city.at(row);
      orphan_of[row] = orphans.add([forms.exact.of(street || place), where]);
    }
    if (row % 4096 === 4095) yield;
  }
  const groups = bucketsOf(orphan_of, orphans.count);
  for (let group = 1; group < orphans.count; group++) {
    const rows = rowsOf(groups, group);
    const name = streetTextOf(intake, rows[0]!) || placeTextOf(intake, rows[0]!);
    const names = intake.sets.addText(name);
    const parts = clusterBoxes(boxesOf(intake, rows), GAP_M);
    for (let part = 0; part + 1 < parts.starts.length; part++) {
      const own = rowsOf(parts, part).map((i) => rows[i]!);
      const municipality = Math.max(-1, orphans.get(group)[1]!);
      const owner = pushStreet(streets, streetOfRows(intake, own, names), municipality);
      for (const row of own) owners[row] = owner;
    }
    if (group % 1024 === 0) yield;
  }
  return owners;
}

/** Text of its street by number, as tagged or as a relation has it; 0: neither says. */
export function streetTextOf({ addresses, streetOf }: Intake, row: number): number {
  return addresses.street.at(row) || (streetOf.get(addresses.osm.at(row)) ?? 0);
}

/** Text of the place of an address without a street; 0: it has no number, or no place. */
function placeTextOf({ addresses }: Intake, row: number): number {
  return addresses.number.at(row) === 0 ? 0 : addresses.place.at(row);
}

/** Reach of a place that is small enough to have house numbers without streets. */
const SMALL_M = 3_000;

/** A village without streets has numbers of its own; of a town the street is missing. -1: neither. */
function settlementOf({ addresses }: Intake, row: number, find: PlaceFinder): number {
  if (addresses.number.at(row) === 0) return -1;
  const point = { lat7: addresses.lat7.at(row), lon7: addresses.lon7.at(row) };
  const [place, city] = [addresses.place.at(row), addresses.city.at(row)];
  if (place !== 0) return find(place, point);
  return city === 0 ? -1 : find(city, point, SMALL_M);
}

type PlaceFinder = (name: number, point: Point7, reach_m?: number) => number;

/** The place of a name, given by the number of its text, within some kilometres; -1: none. */
function createPlaceFinder({ sets }: Intake, { docs }: Places, { exact }: Forms): PlaceFinder {
  const by_name = new Map<number, number[]>();
  for (const [doc, { names }] of docs.entries())
    for (const form of new Set(sets.textsOf(names).map(exact.of))) {
      const entry = by_name.get(form);
      if (entry) entry.push(doc);
      else by_name.set(form, [doc]);
    }
  return (name, point, reach_m = Infinity) => {
    let best = { doc: -1, metres: FAR_M * 2 };
    for (const doc of by_name.get(exact.of(name)) ?? []) {
      if ((rankOf(docs[doc]!.place)?.radius_m ?? 0) > reach_m) continue;
      const metres = metresBetween(point, docs[doc]!);
      if (metres < best.metres) best = { doc, metres };
    }
    return best.doc;
  };
}

function boxesOf({ addresses }: Intake, rows: Uint32Array): Boxes {
  const boxes = new Int32Array(rows.length * 4);
  rows.forEach((row, i) => {
    const [lat7, lon7] = [addresses.lat7.at(row), addresses.lon7.at(row)];
    boxes.set([lat7, lon7, lat7, lon7], i * 4);
  });
  return boxes;
}

/** A street without lines is where the most central of its addresses is. */
function streetOfRows(intake: Intake, rows: Uint32Array, names: number): Street {
  const { addresses, texts } = intake;
  const box = unionOf(boxesOf(intake, rows));
  const centre = { lat7: (box[0]! + box[2]!) / 2, lon7: (box[1]! + box[3]!) / 2 };
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
    names,
    kind: texts.add("highway=unknown"),
    ways: new Uint32Array(0),
  };
}
