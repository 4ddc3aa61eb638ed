/** Services around a point that are held: of /v1/reach, type by type. */
import { REACH_SERVICES, type ReachFamily } from "#api/reach.ts";
import type { QueriedSource } from "#core/coverage.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { FindHeldType, HeldOfType } from "../places/held.ts";
import { type Candidates, type FindHeldFamilies, MOST_CANDIDATES } from "./reach-candidates.ts";

export function createFindServices(find: FindHeldType): FindHeldFamilies {
  return async (families, circle, { now_ms, signal }) => {
    const turn = createTurn({});
    const named: { type: (typeof REACH_SERVICES)[number]; places: HeldOfType | null }[] = [];
    const requested = new Map<string, QueriedSource>();
    for (const type of REACH_SERVICES.filter((each) => families.includes(each))) {
      await turn();
      const places = await find(type, circle, { now_ms, signal, most: MOST_CANDIDATES });
      named.push({ type, places });
      for (const source of places?.partly ?? []) requested.set(source.source_id, source);
    }
    return {
      families: new Map<ReachFamily, Candidates | null>(
        named.map(({ type, places: held }) => [
          type,
          held?.isHeld ? toCandidates(type, held) : null,
        ]),
      ),
      gaps: {
        requested: [...requested.values()],
        unstored: named.flatMap(({ type, places: held }) => (held === null ? [type] : [])),
        unheld: named.flatMap(({ type, places: held }) => ((held?.isHeld ?? true) ? [] : [type])),
      },
    };
  };
}

/** Water that is not known to be potable is listed with drinking water, and is none. */
function toCandidates(type: string, { items, total, counted_m }: HeldOfType): Candidates {
  const listed_m = total > items.length ? (items.at(-1)?.distance_meters ?? 0) : Infinity;
  const within_m = Math.min(counted_m ?? Infinity, listed_m);
  return {
    items: items
      .filter(({ service_type }) => service_type === type)
      .map(({ id, name, location, distance_meters }) => ({
        location,
        distance_meters,
        describe: () => ({ id, name }),
      })),
    within_m: Number.isFinite(within_m) ? within_m : null,
  };
}
