/** Members of operations as the tools of agents show them: what has another name or place there. */
import type { TSchema } from "typebox";
import type { AgentToolName } from "#api/agent-tools.ts";
import type { Operation } from "#api/operation.ts";
import { findOperation, type OperationId } from "#api/operations.ts";
import { pathsOf } from "./schema-paths.ts";

/** Where a tool shows what its operation answers. */
export type Rules = {
  operation: OperationId;
  /** Where that of the tool has the members of a part of the operation's answer. */
  parts: Readonly<Record<string, string>>;
  /** Members that the tool shows under another name, or in the words of another member. */
  as: Readonly<Record<string, string>>;
  /** How docs/agents.md calls the things of a part. */
  things: Readonly<Record<string, string>>;
  /** How it calls what is in none of them. */
  rest?: string;
};

/** Ways, notices and sources, which every tool says in its own members. */
const SHARED = {
  walking: "walking",
  "notices.message": "notices",
};

/** Members of one result as an answer to a wish has them, for each of the lists of an operation. */
function toWished(
  operation: OperationId,
  things: Readonly<Record<string, string>>,
  as: Readonly<Record<string, string>>,
): Rules {
  const lists = Object.keys(things);
  const members = Object.entries({ walk: "walk_minutes", unknown: "lacks", ...as });
  const known = pathsOf(bodyOf(findOperation(operation)));
  const renamed = lists
    .flatMap((list) => members.map(([from, to]) => [`${list}.${from}`, `answers.unknown.${to}`]))
    .filter(([from]) => known.has(from!));
  return {
    operation,
    parts: Object.fromEntries(lists.map((list) => [list, "answers.unknown"])),
    as: {
      walking: "walking",
      ...Object.fromEntries(renamed),
      ...(known.has("radius") && { radius: "answers.within_meters" }),
      ...(known.has("attributions") && { attributions: "attribution" }),
    },
    things: Object.fromEntries(
      Object.entries(things).map(([list, thing]) => [list, `${thing} of a wish`]),
    ),
    rest: "answers to wishes",
  };
}

const OF_A_PLACE = {
  "attributes.usable": "true_until",
  "attributes.charging": "count",
  "attributes.fee": "price",
  "attributes.charge": "price",
  source_id: "proof",
};

/** By tool; one of several operations has rules for each. */
export const TOOLS: Partial<Record<AgentToolName, Rules | readonly Rules[]>> = {
  ask_here: [
    toWished(
      "getNearby",
      { "results.stations": "stations", "results.vehicles": "vehicles" },
      {
        action_state: "lacks",
        "availability.vehicles": "count",
        "availability.docks": "count",
        "availability.electric": "count",
        "availability.by_mode": "count",
        "availability.by_type": "count",
        "availability.last_reported": "proof",
        provenance: "proof",
        source_id: "id",
        "source.walk": "walk_minutes",
        "source.name": "name",
        "source.brand": "name",
        "source.location": "location",
        "source.distance_meters": "distance_meters",
        "source.action_state": "lacks",
        "source.battery": "battery",
        "source.pricing_plan_id": "price",
      },
    ),
    toWished("getServicesNearby", { results: "services" }, OF_A_PLACE),
    toWished("getPlacesNearby", { results: "places" }, OF_A_PLACE),
    toWished(
      "getTransportNearby",
      { "results.stations": "transit stations" },
      { sources: "proof", accessibility: "lacks" },
    ),
    toWished(
      "getDeparturesNearby",
      { "results.departures": "departures" },
      {
        "station.id": "id",
        "station.name": "name",
        "station.location": "location",
        "station.distance_meters": "distance_meters",
        "line.short_name": "line",
        "line.long_name": "line",
        "line.id": "line",
        headsign: "toward",
        planned_at: "departs_at",
        expected_at: "departs_at",
        leave_in_seconds: "leave",
        wheelchair: "lacks",
        sources: "proof",
      },
    ),
  ],
  search_mobility_nearby: {
    operation: "getNearby",
    parts: {
      "results.stations": "results",
      "results.vehicles.source": "results",
      "results.vehicles": "results",
      "results.places": "results",
      "results.lines": "lines",
      "results.alerts": "alerts",
      "results.zones": "zones",
      "results.prices": "prices",
    },
    as: {
      ...SHARED,
      "results.stations.walk": "results.walk_minutes",
      "results.stations.network.name": "results.network",
      "results.stations.service_status": "results.state",
      "results.stations.action_state": "results.state",
      "results.stations.availability.last_reported": "results.availability.observed_at",
      "results.stations.provenance": "results.sources",
      "results.vehicles.source.walk": "results.walk_minutes",
      "results.vehicles.source.service_status": "results.state",
      "results.vehicles.source.action_state": "results.pickup",
      "results.vehicles.source.rental_uris": "results.rental_url",
      "results.vehicles.source.vehicle_type.form_factor": "results.vehicle_type",
      "results.vehicles.source.vehicle_type.propulsion": "results.vehicle_type",
      "results.vehicles.source.vehicle_type.return_constraint": "results.return_constraint",
      "results.vehicles.source.vehicle_type.rider_capacity": "results.rider_capacity",
      "results.vehicles.source_id": "results.id",
      "results.vehicles.provenance": "results.sources",
      "results.places.walk": "results.walk_minutes",
      "results.places.source_id": "results.sources",
      "results.prices.vehicle_types": "prices.plans.vehicle_types",
      "results.zones.rules.vehicle_types": "zones.rules.vehicle_types",
      "results.zones.zones.rules.vehicle_types": "zones.zones.rules.vehicle_types",
      "available_actions.id": "available_actions",
    },
    things: {
      "results.stations": "stations",
      "results.vehicles.source": "vehicles",
      "results.vehicles": "vehicles",
      "results.places": "services",
      "results.lines": "lines",
      "results.prices": "prices",
      available_actions: "actions",
    },
  },
  find_urban_services: {
    operation: "getServicesNearby",
    parts: {},
    as: {
      ...SHARED,
      "results.walk": "results.walk_minutes",
      "results.source_id": "results.sources",
      attributions: "attribution",
    },
    things: { results: "services" },
  },
  find_places: {
    operation: "getPlacesNearby",
    parts: {},
    as: {
      ...SHARED,
      "results.walk": "results.walk_minutes",
      "results.source_id": "results.sources",
      attributions: "attribution",
    },
    things: { results: "services" },
  },
  find_transit_stations: {
    operation: "getTransportNearby",
    parts: { "results.stations": "results" },
    as: {
      ...SHARED,
      "results.stations.walk": "results.walk_minutes",
      "results.stations.step_free.to_street": "results.to_street",
      "results.stations.step_free.lifts": "results.lifts",
      "results.stations.routes": "results.lines",
      "results.stations.route_count": "results.lines_total",
      "results.stations.accessibility": "results.wheelchair",
      "results.stations.realtime.available": "results.realtime",
      "results.stations.sources.provider": "results.sources",
    },
    things: { "results.stations": "transit stations" },
  },
  find_departures: {
    operation: "getDeparturesNearby",
    parts: { "results.departures": "results", "results.alerts": "alerts" },
    as: {
      ...SHARED,
      "results.departures.station.id": "results.station_id",
      "results.departures.station.name": "results.station",
      "results.departures.station.distance_meters": "results.distance_meters",
      "results.departures.platform": "results.platform",
      "results.departures.line.short_name": "results.line",
      "results.departures.line.mode": "results.mode",
      "results.departures.walk": "results.walk_minutes",
      "results.departures.leave_in_seconds": "results.leave",
      "results.departures.missed": "results.leave",
      "results.departures.alert_count": "results.alerts_total",
      "results.departures.sources.provider": "results.sources",
      "results.alerts.active_periods": "alerts.to",
    },
    things: { "results.departures": "departures", "results.alerts": "alerts of public transport" },
  },
  geocode: {
    operation: "geocode",
    parts: { meta: "" },
    as: { "results.source_id": "results.sources" },
    things: { results: "candidates" },
  },
  reverse_geocode: {
    operation: "reverseGeocode",
    parts: { meta: "" },
    as: { "results.source_id": "results.sources" },
    things: { results: "candidates" },
  },
};

/** Every tool with the operations that it answers from. */
export const ROWS = (Object.entries(TOOLS) as [AgentToolName, Rules | readonly Rules[]][]).flatMap(
  ([name, rules]) => [rules].flat().map((each): [AgentToolName, Rules] => [name, each]),
);

/** Of the reply that an operation gives on success. */
export function bodyOf(operation: Operation): TSchema {
  const { content } = operation.success as { content: Record<string, { schema: TSchema }> };
  return content["application/json"]!.schema;
}
