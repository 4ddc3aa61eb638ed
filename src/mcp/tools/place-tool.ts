/**
 * get_place: one result of another tool, in full and as it is now. Its id says of which kind it is, and
 * so which operation is asked; no source can be asked for an id, so it is found again around its point.
 */
import { cutText } from "#kit/text/cut.ts";
import { localAt, toLocal } from "../local.ts";
import { cleanAll } from "../tool-records.ts";
import { shorten } from "../shorten.ts";
import { toCredits } from "../answer-sources.ts";
import { isOnEarth, readPoint } from "../near-argument.ts";
import type { Refused, RunTool, ToolDeps } from "../tool.ts";
import { findMobility } from "./place-mobility.ts";
import { findService } from "./place-service.ts";
import { findTransit } from "./place-transit.ts";
import type { FindPlace, PlaceMatch, PlaceMissing } from "./place-kinds.ts";
import { walkToPlace, type WalkToWish } from "./place-walk.ts";

export function createGetPlace(deps: ToolDeps): RunTool<"get_place"> {
  return async ({ id, lat, lon, from, profile }, query) => {
    const find = kindOf(id);
    if (!find) return refuse("invalid_request", NO_ID);
    const start = from === undefined ? null : readPoint(from);
    if (start && !isOnEarth(start)) return refuse("invalid_request", NO_START);
    // Without a point both are absent (mcp/near).
    const at = (lat as number | undefined) === undefined ? null : { lat, lon };
    if (!at && !id.startsWith("svc_station_") && find !== findTransit)
      return refuse("invalid_request", NO_POINT);
    const match = await find(deps, { id, at }, query);
    switch (match.kind) {
      case "found":
        return toAnswer(deps, match, start && { start, profile });
      case "missing":
        return refuseMissing(id, match);
      case "unplaced":
        return refuse("invalid_request", UNPLACED);
    }
  };
}

function kindOf(id: string): FindPlace | null {
  if (id.startsWith("svc_transport_station_")) return findTransit;
  if (id.startsWith("svc_place_")) return findService;
  // A vehicle is named by its source, then its own id.
  return id.startsWith("svc_station_") || id.includes(":") ? findMobility : null;
}

const NO_ID =
  "arguments.id must be the id of a result: of a docking station, a vehicle, a service or a transit station";
const NO_POINT =
  "arguments.lat and arguments.lon are required for this id: those of the result's location, or near in place of both";
const NO_START = "arguments.from must be lat,lon from -90 to 90 and from -180 to 180";
const UNPLACED =
  "arguments.lat and arguments.lon are required: no station is known by this id alone (any more)";

function refuse(code: string, message: string): Refused {
  return { kind: "refused", charged: false, code, message };
}

/** A source that failed may know it: it is not known to be gone, then. */
function refuseMissing(id: string, missing: PlaceMissing): Refused {
  const { radius_m, unknown, elsewhere = false, requested } = missing;
  const match = cutText(id, ID_SHOWN);
  const [code, message] =
    unknown.length > 0
      ? ["result_unknown", `whether ${match} is still there is unknown: ${unknown.join(" ")}`]
      : [
          "result_not_found",
          `nothing within ${radius_m} metres of the point has the id ${match} now; ${elsewhere ? ELSEWHERE : MOVED}`,
        ];
  return { kind: "refused", charged: false, code, message: cleanAll(message), requested };
}

/** Characters of an id that a message repeats. */
const ID_SHOWN = 120;
const MOVED = "it may have moved or gone: search again";
const ELSEWHERE = "no source around the point can know it: give the result's own lat and lon";

async function toAnswer(
  deps: ToolDeps,
  match: PlaceMatch,
  wish: WalkToWish | null,
): ReturnType<RunTool<"get_place">> {
  const { reported, query_origin, local, sources, max_age_s, freshness, requested } = match;
  const now_ms = deps.clock.now();
  const walked = wish && (await walkToPlace(deps, match.record, { ...wish, now_ms }));
  const times = local ? toLocal(local.local_time, local.time_zone) : null;
  const head = cleanAll({
    ...reported,
    query_origin,
    distances: "straight_line" as const,
    ...walked?.members,
    ...(times ?? (await localAt(deps, query_origin, { at_ms: now_ms, sources }))),
    untrusted_text: true as const,
  });
  const tail = {
    provenance: cleanAll(match.provenance),
    sources,
    freshness: {
      answered_at: new Date(now_ms).toISOString(),
      valid_for_s: max_age_s,
      ...freshness,
    },
    attribution: toCredits([{ sources }], deps.termsOf),
  };
  const answer = shorten(cleanAll(walked?.record ?? match.record), (place, omitted) => ({
    ...head,
    place,
    ...(omitted.length === 0 ? {} : { omitted }),
    ...tail,
  }));
  return { kind: "answered", answer, requested };
}
