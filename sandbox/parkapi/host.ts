// ParkAPI 3: the car parks of the simulated cities as one server has them, static and live members in
// one row, with what publishers hand through.
import { isInParkApi, parkApiIdOf } from "../listing.ts";
import { around } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { answerTagged, dayOf, listAll, numberIn, observe, once, written } from "../registry.ts";
import type { RegistryDeps } from "../registry.ts";
import { unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { publishedFree, publishedTime, spacesOf } from "../world/car-parks.ts";
import type { ServiceThing, Spaces } from "../world/service-model.ts";

const ROOT = "/upstreams/parkapi";
const SITES = "/api/public/v3/parking-sites";
const OFF_M = 8;

export function createParkApi({ world, now, origin }: RegistryDeps): Source {
  const listed = once(() => listAll(world).filter(isInParkApi));
  return {
    id: "parkapi",
    description: "ParkAPI 3, car parks and their free spaces",
    parts: [],
    partsOf: () => [],
    // Both halves are in one document.
    upstream: { url: `${origin}${ROOT}${SITES}` },
    observe(thing) {
      if (thing.kind !== "service" || !isInParkApi(thing)) return [];
      const { source, uid } = parkApiIdOf(thing);
      return observe("parkapi", `${source}/${uid}`);
    },
    handle: (request) => answer(request, listed(), now()),
  };
}

function answer(request: SandboxRequest, listed: readonly ServiceThing[], now_ms: number): Reply {
  if (request.pathname.slice(ROOT.length) !== SITES)
    return answerJson(404, { error: { code: "not_found", message: "route not found" } });
  const limit = numberIn(request, "limit") ?? Number.POSITIVE_INFINITY;
  const start = numberIn(request, "start") ?? 0;
  const rows = listed.map((thing) => toRow(thing, now_ms));
  const all = [...rows, ...oddRows(rows)];
  const items = all.slice(start, start + limit);
  const next =
    start + limit < all.length ? `${ROOT}${SITES}?limit=${limit}&start=${start + limit}` : null;
  const document = {
    items,
    total_count: all.length,
    ...(next === null ? {} : { next_path: next }),
  };
  return answerTagged(request, JSON.stringify(document), "application/json");
}

type Row = Record<string, unknown>;

const TYPES = {
  garage: "CAR_PARK",
  lot: "OFF_STREET_PARKING_GROUND",
  street: "ON_STREET",
} as const;

function toRow(thing: ServiceThing, now_ms: number): Row {
  const { key, city, street, street_number, post_code, opening_hours, parking, operator } = thing;
  const { source, uid } = parkApiIdOf(thing);
  const spaces = spacesOf(thing, now_ms);
  const at = around(thing, unit(key, 291), OFF_M * unit(key, 292));
  // Decimals are texts in one release, numbers in another.
  const degrees = (value: number): unknown => (key % 2 === 0 ? value.toFixed(7) : value);
  return {
    id: 1000 + (key % 1_000_000),
    source_id: source,
    original_uid: uid,
    name: written(thing) || `P ${thing.index + 1}`,
    operator_name: operator,
    address: `${street} ${street_number}, ${post_code} ${city.name}`,
    type: TYPES[parking?.kind ?? "lot"],
    purpose: "CAR",
    lat: degrees(at.lat),
    lon: degrees(at.lon),
    ...(parking?.fee === null ? {} : { has_fee: parking?.fee }),
    ...(opening_hours === null ? {} : { opening_hours }),
    capacity: parking?.capacity,
    static_data_updated_at: dayOf(key),
    ...(spaces === null ? { has_realtime_data: false } : liveOf(spaces, key)),
  };
}

function liveOf(spaces: Spaces, key: number): Row {
  const { capacity, slip, disabled } = spaces;
  return {
    has_realtime_data: true,
    realtime_data_updated_at: new Date(publishedTime(spaces) * 1000).toISOString(),
    realtime_opening_status: slip === "unknown" ? "UNKNOWN" : "OPEN",
    realtime_capacity: capacity,
    ...(slip === "unknown" ? {} : { realtime_free_capacity: publishedFree(spaces) }),
    ...(disabled.capacity === 0 ? {} : groupOf(disabled, key)),
  };
}

/** Old releases have a member for each group, new ones a list. */
const groupOf = ({ capacity, free }: Spaces["disabled"], key: number): Row =>
  key % 3 === 0
    ? {
        capacity_disabled: capacity,
        realtime_capacity_disabled: capacity,
        realtime_free_capacity_disabled: free,
      }
    : {
        restrictions: [
          { type: "DISABLED", capacity, realtime_capacity: capacity, realtime_free_capacity: free },
        ],
      };

/** Bicycles, a single space, a place in metres, one without a place, a doubled row, and none at all. */
function oddRows([first, second]: readonly Row[]): readonly unknown[] {
  const { lat: _, lon: __, ...placeless } = second!;
  return [
    { ...first, original_uid: "bikes-1", type: "SHED", purpose: "BIKE" },
    { ...first, original_uid: "bay-1", parking_site_id: 1, realtime_status: "AVAILABLE" },
    { ...first, original_uid: "metres-1", lat: 5_428_437.2, lon: 512_345.6 },
    { ...placeless, original_uid: "placeless-1" },
    first,
    null,
  ];
}
