/**
 * The GeoJSON form of /v1/nearby (§4.9, RFC 7946): one Feature per station and vehicle, in the
 * order and page of the JSON form; `[lon, lat]` is written here and nowhere else.
 */
import type { Location } from "#core/entities.ts";

type Item = Record<string, unknown>;

/** The members of a JSON answer that the other form is made of. */
export type NearbyJson = {
  status: string;
  message?: string;
  query_origin: Location;
  radius: number;
  total: number;
  limit: number;
  warnings?: unknown[];
  results: { stations: Item[]; vehicles: Item[]; zones?: unknown[] };
  available_actions: unknown[];
};

export function toFeatureCollection(body: NearbyJson, offset: number): Record<string, unknown> {
  const { status, message, total, radius, limit, warnings } = body;
  const { zones } = body.results;
  return {
    type: "FeatureCollection",
    query_origin: body.query_origin,
    features: mergedByRank(body.results.stations, body.results.vehicles),
    available_actions: body.available_actions,
    meta: {
      status,
      ...(message === undefined ? {} : { message }),
      total,
      radius,
      limit,
      offset,
      ...(warnings === undefined ? {} : { warnings }),
      ...(zones === undefined ? {} : { zones }),
    },
  };
}

/** Both arrays are sorted by (distance, id bytes); the merge restores the one list of the page. */
function mergedByRank(stations: readonly Item[], vehicles: readonly Item[]): Item[] {
  const features: Item[] = [];
  let s = 0;
  let v = 0;
  while (s < stations.length || v < vehicles.length) {
    const station = stations[s];
    const vehicle = vehicles[v];
    if (station && (!vehicle || isBefore(rankOfStation(station), rankOfVehicle(vehicle)))) {
      features.push(stationFeature(station));
      s++;
    } else if (vehicle) {
      features.push(vehicleFeature(vehicle));
      v++;
    }
  }
  return features;
}

type Rank = { distance: number; id: string };

function rankOfStation(item: Item): Rank {
  return { distance: item["distance_meters"] as number, id: item["id"] as string };
}

function rankOfVehicle(item: Item): Rank {
  const source = item["source"] as Item;
  return { distance: source["distance_meters"] as number, id: item["source_id"] as string };
}

function isBefore(a: Rank, b: Rank): boolean {
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

function stationFeature(item: Item): Item {
  const { location, ...properties } = item;
  return feature(item["id"] as string, location as Location, properties);
}

function vehicleFeature(item: Item): Item {
  const { location, ...source } = item["source"] as Item;
  const id = (item["svc_id"] ?? item["source_id"]) as string;
  return feature(id, location as Location, { ...item, source });
}

function feature(id: string, location: Location, properties: Item): Item {
  const coordinates = [rounded(location.lon), rounded(location.lat)];
  return { type: "Feature", id, geometry: { type: "Point", coordinates }, properties };
}

/** Seven decimals are a centimetre (mobility.md 8.1). */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
