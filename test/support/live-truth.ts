/**
 * What is shown of a drawn world, by brute force: the answers of GET /v1/nearby around its two places,
 * put into the form of the live layer. Nothing of src/app/live or src/world/live is used.
 */
import assert from "node:assert/strict";
import type { LiveItemValue } from "#api/live.ts";
import { QUERY_MODES } from "#api/nearby-items.ts";
import type { Location } from "#kit/geo.ts";
import { type Deployment, readBody, type Station, toInput, type Vehicle } from "./answers.ts";

/** An item that is shown somewhere, and the observations it is made of, as `source_id`. */
export type Truth = { item: LiveItemValue; of: readonly string[] };

/** All that is shown within 400 m of any of these points. */
export async function listTruth(
  deployment: Deployment,
  around: readonly Location[],
): Promise<Map<string, Truth>> {
  const known = new Map<string, Truth>();
  for (const at of around) {
    const all = await askAt(deployment, at, [...QUERY_MODES]);
    const modes = new Map<string, LiveItemValue["modes"]>();
    for (const mode of QUERY_MODES) {
      const { stations, vehicles } = await askAt(deployment, at, [mode]);
      for (const id of [...stations.map(idOf), ...vehicles.map(idOf)])
        modes.set(id, [...(modes.get(id) ?? []), mode]);
    }
    for (const station of all.stations) {
      assert.ok(!known.has(station.id), `two docks have the id ${station.id}`);
      known.set(station.id, {
        item: toStation(station, modes.get(station.id)!),
        of: listSources(station),
      });
    }
    for (const vehicle of all.vehicles)
      known.set(vehicle.source_id, {
        item: toVehicle(vehicle, modes.get(vehicle.source_id)!),
        of: listSources(vehicle),
      });
  }
  return known;
}

async function askAt(
  deployment: Deployment,
  { lat, lon }: Location,
  modes: (typeof QUERY_MODES)[number][],
): Promise<{ stations: readonly Station[]; vehicles: readonly Vehicle[] }> {
  const body = readBody(await deployment.nearby(toInput(deployment, { lat, lon, modes })));
  assert.ok(body.total <= body.limit, "more than one page");
  return body.results;
}

function idOf(one: Station | Vehicle): string {
  return "id" in one ? one.id : one.source_id;
}

function listSources({ provenance }: Station | Vehicle): string[] {
  return (provenance ?? []).map(({ source_id }) => source_id);
}

function toStation(station: Station, modes: LiveItemValue["modes"]): LiveItemValue {
  const { id, location, network, name, availability, capacity = null } = station;
  return {
    ...{ id, kind: "station", location, modes, network_id: network.id, name },
    state: station.service_status!.state,
    pickup: station.action_state!["pickup"]!,
    return: station.action_state!["return"]!,
    ...{ vehicles: availability.vehicles, docks: availability.docks, capacity },
  };
}

function toVehicle(vehicle: Vehicle, modes: LiveItemValue["modes"]): LiveItemValue {
  const { source_id, source, network_id } = vehicle;
  const { battery, vehicle_type, location } = source;
  return {
    ...{ id: source_id, kind: "vehicle", location: location!, modes, network_id },
    state: source.service_status.state,
    pickup: source.action_state["pickup"]!,
    battery: battery === undefined ? null : Math.floor(battery / 10) * 10,
    form_factor: vehicle_type?.form_factor ?? null,
  };
}
