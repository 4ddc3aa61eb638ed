/** Stations of public transport around a point, of the timetables that are held. */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { NEAR_M } from "#transit/schedule/merge-boards.ts";
import { toTransitItems } from "#transit/schedule/schedule-results.ts";
import { listQueried } from "../search-reply.ts";
import type { TransportDeps } from "../transit/transit-search.ts";
import { type FindHeldFamilies, MOST_CANDIDATES } from "./reach-candidates.ts";

type Deps = Pick<TransportDeps, "finders" | "timetabled" | "clock">;

/** No source is called, so that neither plays a part. */
const FROM_MEMORY = { keyed: false, freshness: null } as const;

export function createFindTransit(deps: Deps): FindHeldFamilies {
  return async (families, { lat, lon, radius_m }, { now_ms, signal }) => {
    if (!families.includes("transit")) return { families: new Map(), gaps: {} };
    const own = deps.finders.filter(({ isHeld, isThere }) => isHeld && (isThere?.() ?? true));
    const nothing = new Map([["transit", null] as const]);
    if (own.length === 0) return { families: nothing, gaps: { unstored: ["public transport"] } };
    // Of a station on the edge also the pin that lies outside.
    const circle = { lat, lon, radius_m: radius_m + NEAR_M };
    const query = {
      ...{ circle, language: null, now_ms, until_ms: now_ms, signal },
      ...FROM_MEMORY,
    };
    const findings = await Promise.all(
      own.filter((each) => each.covers(query)).map((each) => each.find(query)),
    );
    if (findings.every(({ uncovered }) => uncovered))
      return { families: nothing, gaps: { uncovered: ["the timetable data"] } };
    const wish = { lat, lon, radius_m, modes: TRANSPORT_MODES };
    const groups = findings.flatMap((finding) => finding.groups);
    const all = await runSteps(
      toTransitItems(groups, wish, deps.timetabled?.(circle)),
      createTurn({}),
    );
    const items = all.slice(0, MOST_CANDIDATES);
    const ends_m = findings.flatMap(({ cut }) => cut?.within_m ?? []);
    const listed_m = items.length < all.length ? [items.at(-1)!.distance_meters] : [];
    const within_m = Math.min(...ends_m, ...listed_m);
    const gaps = findings.flatMap(({ gaps: more = [], ...finding }) => [finding, ...more]);
    const isHeld = items.length > 0 || findings.some(({ status }) => status === "ok");
    const candidates = {
      items: items.map(({ id, name, location, distance_meters }) => ({
        location,
        distance_meters,
        describe: () => ({ id, name }),
      })),
      within_m: Number.isFinite(within_m) ? within_m : null,
      hasInside: true,
    };
    return {
      families: new Map([["transit", isHeld ? candidates : null] as const]),
      gaps: { requested: listQueried(gaps, deps.clock.now()) },
    };
  };
}
