/**
 * The GeoJSON form of /v1/nearby (§4.9, RFC 7946; decisions, Second edition, GeoJSON): one Feature
 * per station, vehicle and place, in the order and page of the JSON form. Lines and alerts, which
 * have no place of their own, are in `meta`. `[lon, lat]` is written here and nowhere else.
 */
import type { NearbyBodyValue, NearbyGeoJsonValue } from "#api/nearby.ts";
import { compareBytes } from "#kit/bytes.ts";
import type { Location } from "#kit/geo.ts";

type Results = NearbyBodyValue["results"];
type Feature = NearbyGeoJsonValue["features"][number];

type Question = { offset: number; include: readonly string[]; sort: "distance" | "walk" };

/** `include`: families that were asked for, of which none is an empty list, and no missing one. */
export function toFeatureCollection(
  body: NearbyBodyValue,
  { offset, include, sort }: Question,
): NearbyGeoJsonValue {
  const { status, message, total, summary, radius, limit, warnings, notices, walking, debug } =
    body;
  const { nearest_known, beyond } = body;
  const { places, lines, stations, vehicles, alerts, zones, prices } = body.results;
  return {
    type: "FeatureCollection",
    query_origin: body.query_origin,
    features: mergedByRank(
      [stations.map(toStation), vehicles.map(toVehicle), places.map(toStation)],
      sort === "walk" ? isBeforeOnFoot : isBefore,
    ),
    available_actions: body.available_actions,
    meta: {
      status,
      ...(message === undefined ? {} : { message }),
      total,
      ...(summary === undefined ? {} : { summary }),
      radius,
      limit,
      offset,
      ...(warnings === undefined ? {} : { warnings }),
      ...(notices === undefined ? {} : { notices }),
      ...(walking === undefined ? {} : { walking }),
      ...(nearest_known === undefined ? {} : { nearest_known }),
      ...(beyond === undefined ? {} : { beyond }),
      ...(include.includes("lines") ? { lines } : {}),
      ...(include.includes("alerts") ? { alerts } : {}),
      ...(debug === undefined ? {} : { debug }),
      ...(zones === undefined ? {} : { zones }),
      ...(prices === undefined ? {} : { prices }),
    },
  };
}

type Ranked = {
  distance: number;
  id: string;
  /** On foot; Infinity: not known, or not asked for. */
  seconds: number;
  feature: Feature;
};

/** Each list is in the order of the answer; the merge restores the one list of the page. */
function mergedByRank(
  lists: readonly (readonly Ranked[])[],
  isFirst: (a: Ranked, b: Ranked) => boolean,
): Feature[] {
  const features: Feature[] = [];
  const at = lists.map(() => 0);
  for (;;) {
    let next = -1;
    for (const [i, list] of lists.entries()) {
      const head = list[at[i]!];
      if (head && (next < 0 || isFirst(head, lists[next]![at[next]!]!))) next = i;
    }
    if (next < 0) return features;
    features.push(lists[next]![at[next]!++]!.feature);
  }
}

/** By stated distance, then id bytes. */
function isBefore(a: Ranked, b: Ranked): boolean {
  return a.distance === b.distance ? compareBytes(a.id, b.id) < 0 : a.distance < b.distance;
}

/** By stated time on foot, unknown ones last, then as any other list. */
function isBeforeOnFoot(a: Ranked, b: Ranked): boolean {
  return a.seconds === b.seconds ? isBefore(a, b) : a.seconds < b.seconds;
}

/** A place is ranked and shown as a station is. */
function toStation(item: Results["stations"][number] | Results["places"][number]): Ranked {
  const { location, ...properties } = item;
  const { id, distance_meters: distance, walk } = item;
  return { distance, id, seconds: secondsOf(walk), feature: toFeature(id, location, properties) };
}

function toVehicle(item: Results["vehicles"][number]): Ranked {
  const { location, ...source } = item.source;
  const { source_id: id, svc_id = id } = item;
  // Only a source that is kept as its id alone has none (app/capabilities/records).
  const feature = toFeature(svc_id, location!, { ...item, source });
  return { distance: source.distance_meters!, id, seconds: secondsOf(source.walk), feature };
}

function secondsOf(walk: { seconds: number } | null | undefined): number {
  return walk?.seconds ?? Number.POSITIVE_INFINITY;
}

function toFeature(id: string, { lat, lon }: Location, properties: Feature["properties"]): Feature {
  return { type: "Feature", id, geometry: toPoint({ lat, lon }), properties };
}

export function toPoint({ lat, lon }: Location): { type: "Point"; coordinates: [number, number] } {
  return { type: "Point", coordinates: [rounded(lon), rounded(lat)] };
}

/** Seven decimals are a centimetre (mobility.md 8.1). */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
