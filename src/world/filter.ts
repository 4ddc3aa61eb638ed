/**
 * Filters over what a search has found (packages/api/nearby-filters), before it is ordered and cut. Only
 * a question that sets one pays for them.
 */
import type { FORM_FACTORS, PROPULSIONS } from "#api/tokens.ts";
import { fold } from "#kit/names/fold.ts";
import { judgeFits, kindsOfForm, KNOWN, LEFT_OUT } from "#core/filter-match.ts";
import { createFilterJudge, HIT_FILTERS, type HitFilter } from "./fits.ts";
import { caseOf, compareIds, type Hits, isVehicle, type UnknownHits } from "./nearby-hits.ts";

type Propulsion = (typeof PROPULSIONS)[number];
type FormFactor = (typeof FORM_FACTORS)[number];

/** Makes the filter of a question; null: none is set. */
export function toHitFilter(question: {
  min_vehicles: number;
  min_docks: number;
  propulsion?: readonly Propulsion[] | undefined;
  form_factors?: readonly FormFactor[] | undefined;
  operators?: string | undefined;
  strict?: boolean;
}): HitFilter | null {
  const { min_vehicles, min_docks, propulsion, form_factors, operators } = question;
  const { strict = false } = question;
  const isCounted = min_vehicles > 0 || min_docks > 0;
  if (!isCounted && !propulsion && !form_factors && operators === undefined) return null;
  const names = operators?.split(",").map((name) => fold(name.trim()));
  return {
    min_vehicles,
    min_docks,
    propulsion: propulsion ? new Set(propulsion) : null,
    form_factors: form_factors ? new Set(form_factors.flatMap(kindsOfForm)) : null,
    operators: names ? new Set(names) : null,
    strict,
  };
}

/**
 * Bit of a vehicle that is parked freely where stations are counted: it stays, and nothing says that it
 * fits. With the verdict KNOWN no filter has judged it.
 */
export const NOT_COUNTED = 1 << 7;

/** Leaves out of the list what is known not to fit; the counts by system follow. */
export function filterHits(hits: Hits, filter: HitFilter): UnknownHits {
  // A vehicle is one, and has no docks.
  const ofVehicles = filter.min_docks > 0 || filter.min_vehicles > 1 ? NOT_COUNTED : 0;
  const counts = HIT_FILTERS.map(() => 0);
  const judges = hits.systems.map((system) => createFilterJudge(system.shard, filter));
  let [stored, left_out] = [0, 0];
  for (let hit = 0; hit < hits.count; hit++) {
    const judge = judges[hits.system[hit]!]!;
    const match = caseOf(hits, hit);
    const row = hits.row[hit]!;
    const vehicle = isVehicle(hits.state[hit]!);
    const verdict = judgeFits(vehicle ? judge.vehicle(row) : judge.station(row, match));
    const isLeftOut = filter.strict && verdict !== LEFT_OUT && verdict !== KNOWN;
    if (isLeftOut) left_out++;
    if (isLeftOut || verdict === LEFT_OUT) {
      hits.matched[hits.system[hit]!]!--;
      continue;
    }
    HIT_FILTERS.forEach((_, i) => (counts[i]! += verdict & (1 << i) ? 1 : 0));
    moveHit(hits, hit, stored);
    hits.doubts[stored++] = verdict | (vehicle ? ofVehicles : 0);
  }
  hits.count = stored;
  const [unknown_vehicles = 0, unknown_docks = 0, ...of_kinds] = counts;
  const [unknown_propulsion = 0, unknown_form_factors = 0] = of_kinds;
  return {
    ...(filter.min_vehicles > 0 ? { unknown_vehicles } : {}),
    ...(filter.min_docks > 0 ? { unknown_docks } : {}),
    ...(filter.propulsion ? { unknown_propulsion } : {}),
    ...(filter.form_factors ? { unknown_form_factors } : {}),
    ...(filter.strict ? { unknown_left_out: left_out } : {}),
  };
}

/** The nearest hit that is known to fit the filters, by distance, then id; -1: none is. */
export function findKnownHit(hits: Hits): number {
  let first = -1;
  for (let hit = 0; hit < hits.count; hit++) {
    if (hits.doubts[hit] !== KNOWN) continue;
    const metres = hits.decimetres[hit]!;
    const least = first === -1 ? Number.POSITIVE_INFINITY : hits.decimetres[first]!;
    if (metres < least || (metres === least && compareIds(hits, hit, first) < 0)) first = hit;
  }
  return first;
}

/** Overwrites one hit of the list by another. */
export function moveHit(hits: Hits, from: number, to: number): void {
  hits.system[to] = hits.system[from]!;
  hits.row[to] = hits.row[from]!;
  hits.state[to] = hits.state[from]!;
  hits.case_at[to] = hits.case_at[from]!;
  hits.decimetres[to] = hits.decimetres[from]!;
}
