/** Streets by name: of those of a municipality, else of all, the nearest to a point. */
import { bucketsOf, rowsOf } from "./buckets.ts";
import { gapOf } from "./clusters.ts";
import type { Forms } from "./forms.ts";
import { Growing } from "#kit/growing.ts";
import type { Intake } from "./intake.ts";
import { Lists } from "./number-lists.ts";
import type { Point7 } from "./metres.ts";
import { FAR_M, footOnWays, type Streets, waysOf } from "./streets.ts";

/** Number of the street for a name, given by the number of its text; -1: there is none. */
export type StreetFinder = (name: number, municipality: number, point: Point7) => number;

export function createStreetFinder(
  intake: Intake,
  streets: Streets,
  { exact, loose }: Forms,
): StreetFinder {
  const sure = indexNames(intake, streets, exact.of);
  const likely = indexNames(intake, streets, loose.of);
  return (name, municipality, point) => {
    const [alike, similar] = [exact.of(name), loose.of(name)];
    for (const candidates of [
      sure.inside(alike, municipality),
      likely.inside(similar, municipality),
      sure.anywhere(alike),
      likely.anywhere(similar),
    ]) {
      const nearest = nearestOf(intake, streets, candidates, point);
      if (nearest >= 0) return nearest;
    }
    return -1;
  };
}

type NameIndex = {
  /** Streets with a name of this form in a municipality. */
  inside(form: number, municipality: number): Uint32Array;
  anywhere(form: number): Uint32Array;
};

function indexNames(
  { sets }: Intake,
  { names, municipality }: Streets,
  formOf: (text: number) => number,
): NameIndex {
  const owners = new Growing(Uint32Array);
  const forms = new Growing(Uint32Array);
  const keys = new Growing(Uint32Array);
  const lists = new Lists();
  let most = -1;
  for (let street = 0; street < names.length; street++)
    for (const form of new Set(sets.textsOf(names.at(street)).map(formOf))) {
      owners.push(street);
      forms.push(form);
      keys.push(lists.add([form, municipality.at(street)]));
      most = Math.max(most, form);
    }
  const by_key = bucketsOf(keys.view(), lists.count);
  const by_form = bucketsOf(forms.view(), most + 1);
  for (const { rows } of [by_key, by_form]) rows.forEach((row, i) => (rows[i] = owners.at(row)));
  return {
    inside: (form, within) => rowsOf(by_key, lists.find([form, within])),
    anywhere: (form) => (form > most ? NONE : rowsOf(by_form, form)),
  };
}
const NONE = new Uint32Array(0);

/** More streets of one name are not compared by their lines. */
const MAX_COMPARED = 16;

function nearestOf(
  intake: Intake,
  streets: Streets,
  candidates: Uint32Array,
  point: Point7,
): number {
  const own = Int32Array.of(point.lat7, point.lon7, point.lat7, point.lon7);
  const boxes = streets.boxes.view();
  const near: { street: number; metres: number }[] = [];
  for (const street of candidates) {
    const metres = gapOf(boxes, own, { i: street });
    if (metres <= FAR_M) near.push({ street, metres });
  }
  if (near.length <= 1) return near[0]?.street ?? -1;
  near.sort((a, b) => a.metres - b.metres || a.street - b.street);
  let best = { street: near[0]!.street, metres: Infinity };
  for (const { street, metres } of near.slice(0, MAX_COMPARED)) {
    if (metres >= best.metres) break;
    const ways = waysOf(streets, street);
    if (ways.length === 0) continue;
    const foot = footOnWays(intake, ways, point);
    if (foot.metres < best.metres) best = { street, metres: foot.metres };
  }
  return best.street;
}
