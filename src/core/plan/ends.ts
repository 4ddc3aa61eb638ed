/** The two ends of a ride: what can be taken near the start, and stations with room near the destination. */
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { EnergyEstimate } from "./estimate.ts";
import { returnOf, type Returns } from "./returns.ts";

type Results = NearbyBodyValue["results"];
type Station = Results["stations"][number];
type Vehicle = Results["vehicles"][number];
export type PlanVehicleType = NonNullable<Vehicle["source"]["vehicle_type"]>;
export type PlanPoint = { lat: number; lon: number };

/** A station or vehicle at one end. */
type End = {
  id: string;
  name: string | null;
  /** Every id under which a source knows its network; the first is the one that is shown. */
  network_ids: readonly string[];
  network_name: string | null;
  location: PlanPoint;
  /** From the end of the journey, metres in a straight line. */
  distance_m: number;
  /** The action is known to be possible now; false: its source does not say. */
  known: boolean;
  /** RFC 3339; null: unknown. */
  observed_at: string | null;
};

/** A vehicle that is parked freely, or a station by one mode of its vehicles. */
export type Taking = End & {
  kind: "station" | "vehicle";
  mode: string | null;
  /** Of that mode at a station; null: unknown; undefined: it is itself a vehicle. */
  vehicles?: number | null;
  type: PlanVehicleType | null;
  /** GBFS `return_constraint` of its kind; null: not known. */
  returns: string | null;
  energy: EnergyEstimate;
  links: Station["rental_uris"];
  /** Of a vehicle: the id of its pricing plan; null: not known, or it is a station. */
  plan_id: string | null;
};

/** A station; `docks` null: unknown, or without a limit where `known`. */
export type Leaving = End & { docks: number | null };

/**
 * Lists what can be taken: vehicles that are available now, and stations unless they are known to
 * have none. A station is listed by each of `modes` that it counts vehicles of.
 */
export function listTakings(
  { stations, vehicles }: Pick<Results, "stations" | "vehicles">,
  modes: readonly string[],
  returns: Returns,
): Taking[] {
  const takings = [
    ...stations.flatMap((station) => takingsOf(station, modes)),
    ...vehicles.flatMap(takingOf),
  ];
  return takings.map((taking) => {
    return { ...taking, returns: returnOf(returns, taking.network_ids[0]!, taking.mode) };
  });
}

type TakenEnd = Omit<Taking, "returns">;

function takingsOf(station: Station, modes: readonly string[]): TakenEnd[] {
  const end = toEnd(station, "pickup");
  if (end === null) return [];
  const { by_mode, vehicles } = station.availability;
  const rest = {
    kind: "station",
    type: null,
    energy: {},
    links: station.rental_uris,
    plan_id: null,
  } as const;
  const counted = Object.entries(by_mode ?? {});
  if (counted.length === 0)
    return vehicles === 0 ? [] : [{ ...end, ...rest, mode: station.mode ?? null, vehicles }];
  return counted.flatMap(([mode, count]) =>
    count > 0 && modes.includes(mode) ? [{ ...end, ...rest, mode, vehicles: count }] : [],
  );
}

function takingOf({ source, source_id, network_id }: Vehicle): TakenEnd[] {
  const { location, distance_meters, battery, range_m } = source;
  if (!location || distance_meters === undefined) return [];
  if (source.action_state["pickup"] !== "available_now") return [];
  return [
    {
      kind: "vehicle",
      id: source_id,
      name: source.name ?? null,
      network_ids: [network_id],
      network_name: source.brand ?? null,
      mode: source.mode ?? null,
      location,
      distance_m: distance_meters,
      known: true,
      observed_at: null,
      type: source.vehicle_type ?? null,
      energy: { battery, range_m },
      links: source.rental_uris,
      plan_id: source.pricing_plan_id ?? null,
    },
  ];
}

/** Lists the stations that are not known to take nothing back. */
export function listLeavings({ stations }: Pick<Results, "stations">): Leaving[] {
  return stations.flatMap((station) => {
    const end = toEnd(station, "return");
    const { docks } = station.availability;
    return end === null || docks === 0 ? [] : [{ ...end, docks }];
  });
}

/** Null: the action is known to be impossible now. */
function toEnd(station: Station, action: "pickup" | "return"): End | null {
  const { id, name, network, location, distance_meters, availability } = station;
  const state = station.action_state?.[action] ?? "unknown";
  if (state === "unavailable_now") return null;
  const others = (station.provenance ?? []).map(({ network_id }) => network_id);
  return {
    id,
    name,
    network_ids: [...new Set([network.id, ...others])],
    network_name: network.name,
    location,
    distance_m: distance_meters,
    known: state === "available_now",
    observed_at: availability.observed_at,
  };
}
