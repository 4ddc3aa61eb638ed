// GET /reverse: one object or none, and none is an answer too.
import type { Point } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import type { Addresses } from "../world/addresses.ts";
import type { Spot, SpotKind } from "../world/gazetteer.ts";
import { toObject } from "./object.ts";
import { badRequest, readFormat, readNumber, tongueIn, WRONG_FORMAT } from "./parameters.ts";

/** How far away from a point an address may be. */
const REACH_M = 500;

export function answerReverse(request: SandboxRequest, addresses: Addresses): Reply {
  const { query } = request;
  const format = readFormat(query, true);
  if (format === null) return badRequest(WRONG_FORMAT);
  const at = { lat: readNumber(query, "lat"), lon: readNumber(query, "lon") };
  for (const name of ["lat", "lon"] as const) {
    if (!query.has(name)) return badRequest(`Parameter '${name}' missing.`);
    if (!Number.isFinite(at[name])) return badRequest(`Parameter '${name}' must be a number.`);
  }
  const zoom = query.has("zoom") ? readNumber(query, "zoom") : 18;
  if (!Number.isFinite(zoom)) return badRequest("Parameter 'zoom' must be a number.");
  const spot = Math.abs(at.lat) > 90 ? undefined : findSpot(addresses, at, zoom);
  if (spot === undefined) return answerJson(200, { error: "Unable to geocode" });
  return answerJson(200, toObject(spot, tongueIn(request)(spot), format));
}

/** The finest kinds that a zoom level shows. */
const LEVELS: readonly (readonly [zoom: number, kinds: readonly SpotKind[]])[] = [
  [5, ["country"]],
  [10, ["region", "country"]],
  [14, ["city", "region", "country"]],
  [16, ["neighbourhood", "city", "country"]],
];

function findSpot(addresses: Addresses, at: Point, zoom: number): Spot | undefined {
  const areas = addresses.holding(at);
  const level = LEVELS.find(([below]) => zoom < below);
  if (level !== undefined) return areas.find(({ kind }) => level[1].includes(kind));
  const near = addresses.near(at, REACH_M).map(({ spot }) => spot);
  const fine = zoom < 18 ? near.find(({ kind }) => kind === "street") : near[0];
  return fine ?? areas.find(({ kind }) => kind !== "postcode");
}
