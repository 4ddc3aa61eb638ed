/** Charging stations around a point (§4.6, §4.7; places.md 7.1). The key is never part of the url. */
import type { AroundLookup, AroundQuery } from "#providers/lookup.ts";
import descriptor, { type OcmSettings } from "#providers/openchargemap/index.ts";
import { toStation } from "#providers/openchargemap/station.ts";
import { readPlaces, REFUSAL_BYTES, toDegrees } from "#providers/place-rows.ts";

/** There is no paging, and some of what comes is private or gone: twice as many are asked for. */
const SPARE = 2;
const MIN_RESULTS = 40;
const MAX_RESULTS = 400;

/** Charging stations of Open Charge Map around a point. */
export const openChargeMap: AroundLookup<OcmSettings> = {
  id: `${descriptor.id}.getChargingNearby`,
  provider: descriptor,
  keyOf: (query) => JSON.stringify([query.lat, query.lon, query.radius_m, countOf(query)]),
  request: (query, { url, timeout_ms, api_key }) => {
    const parameters = new URLSearchParams({
      output: "json",
      latitude: toDegrees(query.lat),
      longitude: toDegrees(query.lon),
      distance: String(Math.ceil(query.radius_m) / 1_000),
      distanceunit: "KM",
      maxresults: String(countOf(query)),
      // Ids instead of the texts behind them, which would be ten times as long.
      compact: "true",
      verbose: "false",
    });
    return {
      url: `${url}/v3/poi?${parameters.toString()}`,
      headers: { accept: "application/json" },
      auth: { kind: "headers", headers: { "X-API-Key": api_key } },
      ...{ max_bytes: descriptor.limits.max_bytes, refusal_bytes: REFUSAL_BYTES, timeout_ms },
    };
  },
  read: (wire, _query, { trail }) =>
    readPlaces(
      wire,
      {
        list: (json) => (Array.isArray(json) ? json : null),
        id_member: "ID",
        toPlace: (row, id) => toStation(row, id, trail),
      },
      trail,
    ),
};

function countOf({ limit }: AroundQuery): number {
  return Math.min(Math.max(limit * SPARE, MIN_RESULTS), MAX_RESULTS);
}
