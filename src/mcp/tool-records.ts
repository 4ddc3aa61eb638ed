/** Results with all that is known of them (get_place), as brief.ts has them with what decides. */
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { ReplyAt } from "#api/operations.ts";
import { AROUND } from "#api/agent-around.ts";
import type { OneResult } from "#app/nearby-one.ts";
import type { SystemZones } from "#app/zone-items.ts";
import type { AnswerOf } from "./tool.ts";
import { isAmong } from "#stations/shard/vehicle-type.ts";
import { cleanText } from "#kit/text/clean.ts";

type Results = NearbyBodyValue["results"];
type Station = Results["stations"][number];
type Vehicle = Results["vehicles"][number];
type Service = ReplyAt<"/v1/services/nearby">["results"][number];
type Transit = ReplyAt<"/v1/transport/nearby">["results"]["stations"][number];

/** Members of `place` by name, the foremost first. */
export type PlaceRecord = AnswerOf<"get_place">["place"] & Record<string, unknown>;

/** What only software goes on with is left out, and what other members of the answer say. */
export function toStationRecord(station: Station, alerts: Results["alerts"]): PlaceRecord {
  const { type: _, provenance: __, context_actions: ___, ...members } = station;
  const { id, name, location, distance_meters, network, availability, ...rest } = members;
  return {
    kind: "station",
    id,
    name,
    location,
    distance_meters,
    network,
    availability,
    ...rest,
    ...toAlerts(alerts, { network_id: network.id, station_id: id }),
  };
}

/** `zones`, `price`: null where nothing is known of riding and parking there, or of what it costs. */
export function toVehicleRecord(
  vehicle: Vehicle,
  { zones, price }: Pick<OneResult, "zones" | "price">,
  alerts: Results["alerts"],
): PlaceRecord {
  const { source, source_id, network_id, conflicts = [] } = vehicle;
  const { context_actions: _, id: __, source_kind: ___, capabilities: ____, ...members } = source;
  const { name, location, distance_meters, station_id, action_state, ...rest } = members;
  const { pickup = "unknown", reserve = "unknown" } = action_state;
  return {
    kind: "vehicle",
    id: source_id,
    ...(name === undefined ? {} : { name }),
    // An answer about what is there now has both.
    location: location!,
    distance_meters: distance_meters!,
    network_id,
    // Whether it may be left somewhere is said by rules of zones, never by the vehicle.
    action_state: { pickup, reserve },
    ...rest,
    ...(station_id === undefined ? {} : { station_id }),
    price,
    zone_rules: zones && rulesFor(zones.rules, rest.vehicle_type),
    ...(conflicts.length === 0 ? {} : { conflicts }),
    ...toAlerts(alerts, { network_id, station_id: station_id ?? null }),
  };
}

export function toServiceRecord(service: Service): PlaceRecord {
  const { type: _, id, attributes, ...rest } = service;
  return { kind: "service", id, ...rest, attributes: { ...attributes } };
}

/** Every line once, by its mode and the name it shows. */
export function toTransitRecord(station: Transit): PlaceRecord {
  const { id, name, location, distance_meters, modes, routes, operators } = station;
  const lines = routes.map(({ short_name, long_name, mode }) => ({
    name: short_name ?? long_name,
    mode,
  }));
  const once = new Map(lines.map((line) => [JSON.stringify(line), line]));
  return {
    kind: "transit_station",
    id,
    name,
    location,
    distance_meters,
    modes,
    lines: [...once.values()],
    lines_total: Math.max(once.size, station.route_count ?? 0),
    wheelchair: station.accessibility.wheelchair,
    ...(station.step_free === undefined ? {} : { step_free: station.step_free }),
    operators: operators.map((operator) => operator.name),
  };
}

type Rule = SystemZones["rules"][number];
type VehicleType = Vehicle["source"]["vehicle_type"];

/** Those of all vehicles, and of kinds that it is of, or may be of. */
function rulesFor(rules: readonly Rule[], type: VehicleType): Rule[] {
  return rules.filter(
    ({ vehicle_types: kinds }) => kinds === undefined || isAmong(kinds, type ?? null) !== false,
  );
}

/** Alerts of the whole network, and of the one station. */
function toAlerts(
  alerts: Results["alerts"],
  of: { network_id: string; station_id: string | null },
) {
  const own_alerts = alerts.filter(
    ({ network_id, station_ids }) =>
      network_id === of.network_id &&
      (station_ids.length === 0 || station_ids.some((id) => id === of.station_id)),
  );
  if (own_alerts.length === 0) return {};
  const listed = own_alerts.slice(0, AROUND.alerts_max);
  return {
    alerts: listed.map(({ type, summary, description, url, starts_at, ends_at }) => ({
      ...{ type, summary, description, url, starts_at, ends_at },
    })),
    alerts_total: own_alerts.length,
  };
}

/** Sources' texts, and names of members: without what is not seen. */
export function cleanAll<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [cleanText(name), clean(each)]),
  );
}
