/**
 * Filters over what a search has found (packages/api/nearby-filters), before it is ordered and cut. Only
 * a question that sets one pays for them.
 */
import type { FORM_FACTORS, PROPULSIONS } from "#api/tokens.ts";
import { fold } from "#kit/names/fold.ts";
import { createFilterJudge, type HitFilter } from "./fits.ts";
import { caseOf, type Hits, isVehicle, type UnknownHits } from "./nearby-hits.ts";

type Propulsion = (typeof PROPULSIONS)[number];
type FormFactor = (typeof FORM_FACTORS)[number];

/** Makes the filter of a question; null: none is set. */
export function toHitFilter(question: {
  min_vehicles: number;
  min_docks: number;
  propulsion?: readonly Propulsion[] | undefined;
  form_factors?: readonly FormFactor[] | undefined;
  operators?: string | undefined;
}): HitFilter | null {
  const { min_vehicles, min_docks, propulsion, form_factors, operators } = question;
  const isCounted = min_vehicles > 0 || min_docks > 0;
  if (!isCounted && !propulsion && !form_factors && operators === undefined) return null;
  const names = operators?.split(",").map((name) => fold(name.trim()));
  return {
    min_vehicles,
    min_docks,
    propulsion: propulsion ? new Set(propulsion) : null,
    form_factors: form_factors ? new Set(form_factors) : null,
    operators: names ? new Set(names) : null,
  };
}

/** Leaves out of the list what is known not to fit; the counts by system follow. */
export function filterHits(hits: Hits, filter: HitFilter): UnknownHits {
  const unknown: Required<UnknownHits> = {
    unknown_vehicles: 0,
    unknown_docks: 0,
    unknown_propulsion: 0,
    unknown_form_factors: 0,
  };
  const judges = hits.systems.map((system) => createFilterJudge(system.shard, filter));
  let stored = 0;
  for (let hit = 0; hit < hits.count; hit++) {
    const judge = judges[hits.system[hit]!]!;
    const match = caseOf(hits, hit);
    const row = hits.row[hit]!;
    const fits = isVehicle(hits.state[hit]!) ? judge.vehicle(row) : judge.station(row, match);
    if (fits.includes(false)) {
      hits.matched[hits.system[hit]!]!--;
      continue;
    }
    NAMES.forEach((name, i) => (unknown[name] += fits[i] === null ? 1 : 0));
    moveHit(hits, hit, stored++);
  }
  hits.count = stored;
  return {
    ...(filter.min_vehicles > 0 ? { unknown_vehicles: unknown.unknown_vehicles } : {}),
    ...(filter.min_docks > 0 ? { unknown_docks: unknown.unknown_docks } : {}),
    ...(filter.propulsion ? { unknown_propulsion: unknown.unknown_propulsion } : {}),
    ...(filter.form_factors ? { unknown_form_factors: unknown.unknown_form_factors } : {}),
  };
}

/** As the first members of a verdict; whose a thing is is always known. */
const NAMES = [
  ...(["unknown_vehicles", "unknown_docks"] as const),
  ...(["unknown_propulsion", "unknown_form_factors"] as const),
] as const;

/** Overwrites one hit of the list by another. */
export function moveHit(hits: Hits, from: number, to: number): void {
  hits.system[to] = hits.system[from]!;
  hits.row[to] = hits.row[from]!;
  hits.state[to] = hits.state[from]!;
  hits.case_at[to] = hits.case_at[from]!;
  hits.decimetres[to] = hits.decimetres[from]!;
}
