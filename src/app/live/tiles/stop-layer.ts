/** Stations of imported timetables, merged and named as GET /v1/transport/nearby shows them. */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import { runSteps } from "#kit/run/turn.ts";
import { NEAR_M } from "#transit/schedule/merge-boards.ts";
import { toTransitItems } from "#transit/schedule/schedule-results.ts";
import type { TransitFinder } from "#app/transit/transit-finder.ts";
import type { LookUp } from "./looked-up.ts";

/** `finder`: of the timetables of this deployment; it answers from memory. */
export function createStopLookUp(finder: Pick<TransitFinder, "isThere" | "find">): LookUp {
  return async (circle, { now_ms, deadline_ms, signal, turn }) => {
    if (finder.isThere?.() === false) return NO_STOPS;
    // Of a station on the edge also the pins that lie outside.
    const wide = { ...circle, radius_m: circle.radius_m + NEAR_M };
    const { groups, status, cut, gaps } = await finder.find({
      ...{ circle: wide, now_ms, until_ms: deadline_ms, signal },
      ...{ language: null, keyed: false, freshness: null },
    });
    const steps = toTransitItems(groups, { ...circle, modes: TRANSPORT_MODES }, groups);
    const items = await runSteps(steps, turn);
    return {
      things: items.map(({ id, name, modes, location }) => ({
        location,
        properties: [
          ["id", id],
          ["name", name],
          ["modes", modes.join(",")],
        ],
      })),
      isWhole: cut == null,
      lacks: status !== "ok" || cut != null || (gaps ?? []).some((gap) => gap.status !== "ok"),
      until_ms: Infinity,
    };
  };
}

const NO_STOPS = { things: [], isWhole: true, lacks: false, until_ms: Infinity };
