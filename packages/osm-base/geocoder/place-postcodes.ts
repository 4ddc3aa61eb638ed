/**
 * Postcodes of places, by the addresses that a page has, and of which places it has all: what the others
 * say is not known there, so that a postcode that all of its own have is not yet the place's
 * (docs/lab/pages.md).
 */
import { addTimes, type Times } from "./facts.ts";
import type { Intake } from "./intake.ts";
import type { Streets } from "./streets.ts";
import { columnOf } from "#kit/pack.ts";
import type { PageCell } from "../pages/page-cell.ts";
import { units, unitsEast } from "./metres.ts";
import { toBox7 } from "./open-names.ts";
import type { Places } from "./place-table.ts";
import { rankOf } from "./settlements.ts";

/** Whether all that is in a place lies in the cell, by the number of its document. */
export function createWholePlaces(places: Places, cell: PageCell): (doc: number) => boolean {
  if (cell.z === 0) return () => true;
  const [south, west, north, east] = toBox7(cell);
  const boxes = columnOf(places.columns, "areas.boxes", Int32Array);
  const areas_of = new Map<number, number[]>();
  for (const [area, { doc }] of places.areas.entries())
    if (doc >= 0) areas_of.set(doc, [...(areas_of.get(doc) ?? []), area]);
  const holds = (box: ArrayLike<number>): boolean =>
    box[0]! >= south && box[1]! >= west && box[2]! < north && box[3]! < east;
  return (doc) => {
    const areas = areas_of.get(doc);
    if (areas) return areas.every((area) => holds(boxes.subarray(area * 4, area * 4 + 4)));
    const { lat7, lon7, place } = places.docs[doc]!;
    const reach_m = rankOf(place)?.radius_m ?? 0;
    const [high, wide] = [units(reach_m), unitsEast(reach_m, lat7)];
    return holds([lat7 - high, lon7 - wide, lat7 + high, lon7 + wide]);
  };
}

/** Postcodes of all the streets of each municipality. */
export function postcodesOfMunicipalities(
  intake: Intake,
  places: Places,
  { lat7, lon7 }: Streets,
  rowsOfStreet: (street: number) => Uint32Array,
): Map<number, Times> {
  const matches = new Map<number, Times>();
  for (let street = 0; street < lat7.length; street++) {
    const rows = rowsOfStreet(street);
    if (rows.length === 0) continue;
    const { city } = places.localityAt(lat7.at(street), lon7.at(street));
    // What is in none shares nothing.
    if (city < 0) continue;
    const entry = matches.get(city) ?? new Map<number, number>();
    matches.set(city, entry);
    for (const row of rows) addTimes(entry, intake.addresses.postcode.at(row));
  }
  return matches;
}
