/**
 * The GeoJSON form of /v1/nearby (§4.9, RFC 7946; decisions, Second edition, GeoJSON): one Feature
 * per station, vehicle and place, in the order and page of the JSON form. Lines and alerts, which
 * have no place of their own, are in `meta`. `[lon, lat]` is written here and nowhere else.
 */
import type { Location } from "./geo.ts";

type Item = Record<string, unknown>;

/** The members of a JSON answer that the other form is made of. */
export type NearbyJson = {
  status: string;
  message?: string;
  query_origin: Location;
  radius: number;
  total: number;
  summary?: object;
  limit: number;
  warnings?: unknown[];
  notices?: unknown[];
  results: {
    places: Item[];
    lines: Item[];
    stations: Item[];
    vehicles: Item[];
    alerts: Item[];
    zones?: unknown[];
  };
  available_actions: unknown[];
  debug?: unknown;
};

/** `include`: families that were asked for, of which none is an empty list, and no missing one. */
export function toFeatureCollection(
  body: NearbyJson,
  { offset, include }: { offset: number; include: readonly string[] },
): Record<string, unknown> {
  const { status, message, total, summary, radius, limit, warnings, notices, debug } = body;
  const { places, lines, stations, vehicles, alerts, zones } = body.results;
  return {
    type: "FeatureCollection",
    query_origin: body.query_origin,
    features: mergedByRank([
      stations.map(toStation),
      vehicles.map(toVehicle),
      places.map(toStation),
    ]),
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
      ...(include.includes("lines") ? { lines } : {}),
      ...(include.includes("alerts") ? { alerts } : {}),
      ...(debug === undefined ? {} : { debug }),
      ...(zones === undefined ? {} : { zones }),
    },
  };
}

type Ranked = { distance: number; id: string; feature: Item };

/** Each list is sorted by (distance, id bytes); the merge restores the one list of the page. */
function mergedByRank(lists: readonly (readonly Ranked[])[]): Item[] {
  const features: Item[] = [];
  const at = lists.map(() => 0);
  for (;;) {
    let next = -1;
    for (const [i, list] of lists.entries()) {
      const head = list[at[i]!];
      if (head && (next < 0 || isBefore(head, lists[next]![at[next]!]!))) next = i;
    }
    if (next < 0) return features;
    features.push(lists[next]![at[next]!++]!.feature);
  }
}

function isBefore(a: Ranked, b: Ranked): boolean {
  return a.distance === b.distance ? compareBytes(a.id, b.id) < 0 : a.distance < b.distance;
}

/** Order of the UTF-8 bytes, which for text is the order of the code points. */
export function compareBytes(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A place is ranked and shown as a station is. */
function toStation(item: Item): Ranked {
  const { location, ...properties } = item;
  const id = item["id"] as string;
  const distance = item["distance_meters"] as number;
  return { distance, id, feature: feature(id, location as Location, properties) };
}

function toVehicle(item: Item): Ranked {
  const { location, ...source } = item["source"] as Item;
  const id = item["source_id"] as string;
  const shown_id = (item["svc_id"] ?? id) as string;
  return {
    distance: source["distance_meters"] as number,
    id,
    feature: feature(shown_id, location as Location, { ...item, source }),
  };
}

function feature(id: string, location: Location, properties: Item): Item {
  const coordinates = [rounded(location.lon), rounded(location.lat)];
  return { type: "Feature", id, geometry: { type: "Point", coordinates }, properties };
}

/** Seven decimals are a centimetre (mobility.md 8.1). */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
