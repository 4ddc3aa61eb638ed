// What is really inside a circle, and under which name each source publishes it.
import { distance, type Point } from "./geo.ts";
import { rangeOf } from "./gbfs/context.ts";
import { listClosed } from "./gbfs/notices.ts";
import { listPlans } from "./gbfs/plans.ts";
import type { AloneStation, Observation, Source } from "./source.ts";
import { spacesOf } from "./world/car-parks.ts";
import { listPlugs } from "./world/chargers.ts";
import type { City, Mode, Operator, StationThing, Thing, VehicleThing } from "./world/model.ts";
import type { ServiceThing } from "./world/service-model.ts";
import { modesOf as transitModesOf, type TransitStation } from "./world/transit-model.ts";
import type { World } from "./world/world.ts";

export type TrueThing = {
  readonly kind: (Thing | ServiceThing | TransitStation)["kind"];
  /** Of stations and vehicles. */
  readonly mode?: Mode;
  readonly name: string;
  readonly location: Point;
  readonly distance_m: number;
  readonly sources: readonly Observation[];
  readonly [member: string]: unknown;
};

type Circle = Point & { readonly radius: number };

/** Lots and bays may be next to the docks of another operator, whose reach may be the longer one. */
const NEXT_DOOR_M = 500;

/** Sorted by distance, then by the first source's id. */
export function listTruth(
  world: World,
  sources: readonly Source[],
  circle: Circle,
  now_ms: number,
): TrueThing[] {
  // The docks of an operator that was replaced are its successor's, and copied vehicles another's.
  const near = world.operators.filter(
    ({ city, reach_m, successor, copies }) =>
      successor === undefined &&
      copies === undefined &&
      distance(city, circle) <= circle.radius + reach_m * 1.1 + NEXT_DOOR_M,
  );
  const matches = near.flatMap((operator) => {
    const scene = world.getScene(operator, now_ms);
    const closed = listClosed(operator, now_ms / 1000);
    return [
      ...scene.stations.map((station) => toStation(station, circle, sources, closed)),
      ...scene.vehicles.map((vehicle) => toVehicle(vehicle, circle, sources)),
      ...sources
        .flatMap((source) => source.alone?.(operator) ?? [])
        .map((each) => toAlone(each, circle)),
    ];
  });
  const services = listServices(world, sources, circle, now_ms);
  return [...matches, ...services, ...listTransit(world, sources, circle)]
    .filter((thing) => thing.distance_m <= circle.radius)
    .toSorted(byDistance);
}

function byDistance(a: TrueThing, b: TrueThing): number {
  const [left, right] = [a.sources[0]?.source_id ?? "", b.sources[0]?.source_id ?? ""];
  return a.distance_m - b.distance_m || (left < right ? -1 : left > right ? 1 : 0);
}

const observed = (
  thing: Thing | ServiceThing | TransitStation,
  sources: readonly Source[],
): Observation[] => sources.flatMap((source) => [...source.observe(thing)]);

/** How far from its centre the services of a city reach. */
const SERVICES_REACH_M = 5000;

/** Only what some source knows can be asked for. */
function listServices(
  world: World,
  sources: readonly Source[],
  circle: Circle,
  now_ms: number,
): TrueThing[] {
  return world.cities
    .filter((city) => distance(city, circle) <= circle.radius + SERVICES_REACH_M)
    .flatMap((city) => world.listServices(city))
    .filter((thing) => distance(circle, thing) <= circle.radius)
    .map((thing) => toService(thing, circle, observed(thing, sources), now_ms))
    .filter((thing) => thing.sources.length > 0);
}

/** How far from its centre the stations of a city reach. */
const TRANSIT_REACH_M = 6500;

/** Stations that some trip serves. */
function listTransit(world: World, sources: readonly Source[], circle: Circle): TrueThing[] {
  return world.cities
    .filter((city) => distance(city, circle) <= circle.radius + TRANSIT_REACH_M)
    .flatMap((city) => world.getNetwork(city).stations)
    .filter((station) => station.lines.length > 0 && distance(circle, station) <= circle.radius)
    .map((station) => toTransit(station, circle, observed(station, sources)));
}

function toTransit(
  station: TransitStation,
  circle: Circle,
  sources: readonly Observation[],
): TrueThing {
  const { kind, name, lat, lon, lines, wheelchair } = station;
  return {
    kind,
    name,
    location: { lat, lon },
    distance_m: distance(circle, station),
    modes: transitModesOf(station),
    wheelchair,
    routes: lines.length,
    /** A line of two feeds is two routes. */
    routes_published: lines.reduce((sum, { parts }) => sum + parts.length, 0),
    operators: [...new Set(lines.map(({ operator }) => operator.name))],
    sources,
  };
}

function toService(
  thing: ServiceThing,
  circle: Circle,
  sources: readonly Observation[],
  now_ms: number,
): TrueThing {
  const { service_type, name, lat, lon, access, opening_hours, potable, parking } = thing;
  return {
    kind: "service",
    service_type,
    name,
    location: { lat, lon },
    distance_m: distance(circle, thing),
    access,
    opening_hours,
    ...(potable === undefined ? {} : { drinking_water: toWord(potable) }),
    ...(parking === undefined ? {} : { parking, spaces: spacesOf(thing, now_ms) }),
    ...(thing.charging === undefined ? {} : { charging: toCharging(thing, now_ms) }),
    sources,
  };
}

const toWord = (potable: boolean | null): string =>
  potable === null ? "unknown" : potable ? "yes" : "no";

/** Counts of plugs in this minute; null where no source reports them. */
function toCharging(thing: ServiceThing, now_ms: number): unknown {
  const plugs = listPlugs(thing, now_ms);
  const live = thing.charging?.live === true;
  const count = (status: string): number | null =>
    live ? plugs.filter((plug) => plug.status === status).length : null;
  return {
    connectors: thing.charging?.connectors ?? [],
    connector_count: plugs.length,
    available_count: count("AVAILABLE"),
    /** Of each standard that has any. */
    available_by_standard: live
      ? Object.fromEntries(
          Map.groupBy(
            plugs.filter((plug) => plug.status === "AVAILABLE"),
            ({ standard }) => standard,
          )
            .entries()
            .map(([standard, free]) => [standard, free.length]),
        )
      : null,
    out_of_service_count: count("OUTOFORDER"),
  };
}

function toStation(
  station: StationThing,
  circle: Circle,
  sources: readonly Source[],
  closed: Set<number>,
): TrueThing {
  const { place } = station;
  const modes = modesOf(place.operator);
  return {
    kind: "station",
    mode: modes[0] ?? "bicycle",
    modes,
    name: localName(place.name, place.operator.city),
    location: { lat: place.lat, lon: place.lon },
    distance_m: distance(circle, place),
    available: station.available,
    disabled: station.disabled,
    docks: station.docks,
    capacity: place.capacity,
    is_installed: station.is_installed,
    is_renting: station.is_renting,
    is_returning: station.is_returning,
    is_virtual: place.virtual,
    is_charging: place.charging,
    rents_vehicles: place.operator.stations?.model !== "bays",
    closed_by_alert: closed.has(place.index),
    last_reported: new Date(station.last_reported_s * 1000).toISOString(),
    sources: observed(station, sources),
  };
}

function toVehicle(vehicle: VehicleThing, circle: Circle, sources: readonly Source[]): TrueThing {
  const { operator, type, docked_at } = vehicle;
  return {
    kind: "vehicle",
    mode: type.mode,
    name: localName(type.names, operator.city),
    location: { lat: vehicle.lat, lon: vehicle.lon },
    distance_m: distance(circle, vehicle),
    available: vehicle.is_reserved || vehicle.is_disabled ? 0 : 1,
    is_reserved: vehicle.is_reserved,
    is_disabled: vehicle.is_disabled,
    docked_at: docked_at === null ? null : `${operator.id}:${docked_at.id}`,
    docked_at_virtual: docked_at?.virtual ?? null,
    vehicle_type: type.id,
    form_factor: type.form_factor,
    propulsion: type.propulsion,
    range_m: rangeOf(vehicle),
    charge: type.max_range_m === null ? null : vehicle.charge,
    price: priceOf(operator),
    available_until:
      vehicle.available_until_s === null
        ? null
        : new Date(vehicle.available_until_s * 1000).toISOString(),
    last_reported: new Date(vehicle.last_reported_s * 1000).toISOString(),
    sources: observed(vehicle, sources),
  };
}

/** Of the plan that all vehicles of a system have, in the money of its city. */
function priceOf(operator: Operator): unknown {
  const [plan] = listPlans(operator);
  const [step] = plan?.by_minute ?? [];
  return { currency: operator.city.currency, unlock: plan?.unlock, per_minute: step?.rate };
}

/** A dock that is gone, as its one remaining source lists it: its counts are unknown. */
function toAlone({ place, location, name, sources }: AloneStation, circle: Circle): TrueThing {
  const modes = modesOf(place.operator);
  return {
    kind: "station",
    mode: modes[0] ?? "bicycle",
    modes,
    name,
    location,
    distance_m: distance(circle, location),
    is_installed: true,
    stale: true,
    sources,
  };
}

/** In the order in which a station of several modes is named by one of them. */
const MODES: readonly Mode[] = ["bicycle", "scooter", "moped", "car"];
const modesOf = (operator: Operator): Mode[] =>
  MODES.filter((mode) => operator.types.some((type) => type.mode === mode));

function localName(text: Readonly<Record<string, string>>, city: City): string {
  const tag = city.languages[0] ?? "en";
  return text[tag] ?? text[tag.split("-")[0] ?? ""] ?? Object.values(text)[0] ?? "";
}
