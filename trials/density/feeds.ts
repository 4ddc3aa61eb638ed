/**
 * Hostile but valid GBFS: as many stations and vehicles in one circle as the bounds of a feed admit
 * (packages/kit/feed-bounds), alerts that close hundreds of stations each, zones with all corners and rules
 * that are allowed. Nothing of it is renewed while the trial runs.
 */
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import type { Place } from "../hostile/wire.ts";

export type FeedName = keyof typeof FEEDS;
type Documents = Readonly<Record<string, () => string>>;

/** Where each feed is: far from the others, so that a question meets one of them. */
export const FEEDS = {
  stations: { at: { lat: 10, lon: 10 }, documents: stationsOf },
  vehicles: { at: { lat: 12, lon: 10 }, documents: vehiclesOf },
  alerts: { at: { lat: 14, lon: 10 }, documents: alertsOf },
  zones: { at: { lat: 16, lon: 10 }, documents: zonesOf },
} as const satisfies Record<
  string,
  { at: Place; documents: (at: Place, rows: number) => Documents }
>;

/** Document of a feed by its file; null: it has none of that name. */
export function makeDocument(feed: FeedName, file: string, rows: number): string | null {
  const { at, documents } = FEEDS[feed];
  const all: Documents = { ...commonOf(feed), ...documents(at, rows) };
  const make = Object.hasOwn(all, file) ? all[file] : undefined;
  return make ? make() : null;
}

/** Files of a feed besides its index. */
export function filesOf(feed: FeedName): string[] {
  const { at, documents } = FEEDS[feed];
  return [...Object.keys(commonOf(feed)), ...Object.keys(documents(at, 0))];
}

/** Rows of a square lattice of 800 m around a point. */
function lattice({ lat, lon }: Place, rows: number): (row: number) => Place {
  const side = Math.ceil(Math.sqrt(rows));
  const step = 800 / side / 111_195;
  const narrow = Math.cos((lat * Math.PI) / 180);
  return (row) => ({
    lat: lat + (Math.floor(row / side) - side / 2) * step,
    lon: lon + ((row % side) - side / 2) * (step / narrow),
  });
}

function commonOf(feed: string): Documents {
  return {
    system_information: () =>
      documentOf(`"system_id":"${feed}","language":"en","name":"Lime ${feed}","timezone":"UTC"`),
    vehicle_types: () =>
      listOf(
        "vehicle_types",
        1,
        () =>
          `{"vehicle_type_id":"b","form_factor":"scooter","propulsion_type":"electric","max_range_meters":9000}`,
      ),
  };
}

function stationsOf(at: Place, rows: number): Documents {
  const place = lattice(at, rows);
  return {
    station_information: () =>
      listOf("stations", rows, (i) => {
        const { lat, lon } = place(i);
        return `{"station_id":"s${i}","name":"Dock ${i}","lat":${lat.toFixed(6)},"lon":${lon.toFixed(6)},"capacity":9}`;
      }),
    station_status: () =>
      listOf(
        "stations",
        rows,
        (i) =>
          `{"station_id":"s${i}","num_bikes_available":3,"num_docks_available":6,"is_installed":1,"is_renting":1,"is_returning":1}`,
      ),
  };
}

function vehiclesOf(at: Place, rows: number): Documents {
  const place = lattice(at, rows);
  return {
    free_bike_status: () =>
      listOf("bikes", rows, (i) => {
        const { lat, lon } = place(i);
        return `{"bike_id":"v${i}","lat":${lat.toFixed(6)},"lon":${lon.toFixed(6)},"is_reserved":0,"is_disabled":0,"vehicle_type_id":"b"}`;
      }),
  };
}

/** Every alert closes as many stations as one may, all of them in the circle. */
function alertsOf(at: Place): Documents {
  const { alerts, alert_ids } = FEED_BOUNDS;
  const stations = alert_ids * 5;
  const ids = (first: number): string =>
    Array.from({ length: alert_ids }, (_, i) => `"s${(first + i) % stations}"`).join();
  return {
    ...stationsOf(at, stations),
    system_alerts: () =>
      listOf(
        "alerts",
        alerts,
        (i) =>
          `{"alert_id":"a${i}","type":"STATION_CLOSURE","summary":"Closed ${"because of works ".repeat(8)}","station_ids":[${ids(i * 7)}]}`,
      ),
  };
}

/** Rings of forty corners, every other one around the middle, each with the rules that one zone may have. */
function zonesOf(at: Place): Documents {
  const { zones, zone_corners, zone_rules } = FEED_BOUNDS;
  const corners = Math.floor(zone_corners / zones) - 2;
  const rules = Math.floor(zone_rules / zones);
  const ring = (zone: number): string => {
    const radius = 0.001 + (zone % 100) * 0.00001;
    const middle = at.lon + (zone % 2) * 0.0025;
    return Array.from({ length: corners + 1 }, (_, i) => {
      const angle = ((i % corners) / corners) * 2 * Math.PI;
      return `[${(middle + radius * Math.cos(angle)).toFixed(5)},${(at.lat + radius * Math.sin(angle)).toFixed(5)}]`;
    }).join();
  };
  const rule = `{"vehicle_type_id":["b"],"ride_allowed":false,"ride_through_allowed":true,"maximum_speed_kph":10}`;
  return {
    ...stationsOf(at, 20),
    geofencing_zones: () =>
      documentOf(
        `"geofencing_zones":{"type":"FeatureCollection","features":[${Array.from(
          { length: zones - 1 },
          (_, i) =>
            `{"type":"Feature","properties":{"name":"Zone ${i}","rules":[${Array.from({ length: rules }, () => rule).join()}]},"geometry":{"type":"MultiPolygon","coordinates":[[[${ring(i)}]]]}}`,
        ).join()}]}`,
      ),
  };
}

function listOf(member: string, rows: number, row: (index: number) => string): string {
  return documentOf(`"${member}":[${Array.from({ length: rows }, (_, i) => row(i)).join()}]`);
}

/** Not polled again within the trial. */
export function documentOf(data: string): string {
  const last_updated = Math.floor(Date.now() / 1000);
  return `{"last_updated":${last_updated},"ttl":86400,"version":"2.3","data":{${data}}}`;
}
