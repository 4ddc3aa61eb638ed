// How full each station is in a given minute, and what it admits to.
import { between, hash, unit } from "../rng.ts";
import type { Operator, Place, StationThing, VehicleThing, VehicleType } from "./model.ts";

const DAY_MIN = 1440;
const SILENT_MIN = 2160;

type Holding = Pick<
  StationThing,
  "available" | "disabled" | "docks" | "docks_disabled" | "by_type"
>;

/** The operator's stations in this minute; `vehicles` are those parked in the same minute. */
export function listStations(
  places: readonly Place[],
  vehicles: readonly VehicleThing[],
  minute: number,
): StationThing[] {
  const docked = Map.groupBy(vehicles, (vehicle) => vehicle.docked_at?.id ?? "");
  return places.map((place) => toStation(place, docked.get(place.id) ?? [], minute));
}

function toStation(place: Place, docked: readonly VehicleThing[], minute: number): StationThing {
  const { condition } = place;
  if (condition === "retired") return toRetired(place, minute);
  const reported = condition === "silent" ? lastWord(minute) : minute;
  const flags = toFlags(condition);
  return {
    kind: "station",
    place,
    ...(flags.is_installed ? holdingOf(place, docked, reported) : nothing(place)),
    ...flags,
    last_reported_s: reported * 60 - between(1, 240, place.operator.key, place.index, reported, 40),
  };
}

/** Nothing to rent, and nothing changes but the time its server puts on every answer. */
const toRetired = (place: Place, minute: number): StationThing => ({
  kind: "station",
  place,
  ...nothing(place),
  is_installed: true,
  is_renting: false,
  is_returning: false,
  last_reported_s: minute * 60,
});

/** A station that has fallen silent last spoke a day and a half before today began. */
const lastWord = (minute: number): number => minute - (minute % DAY_MIN) - SILENT_MIN;

function toFlags(
  condition: Place["condition"],
): Pick<StationThing, "is_installed" | "is_renting" | "is_returning"> {
  const is_installed = condition !== "not_installed";
  const shut = !is_installed || condition === "closed";
  return {
    is_installed,
    is_renting: !shut && condition !== "not_renting",
    is_returning: !shut && condition !== "not_returning",
  };
}

function holdingOf(place: Place, docked: readonly VehicleThing[], minute: number): Holding {
  switch (place.operator.stations?.model) {
    case "fleet":
      return heldVehicles(place, docked);
    case "pool":
      return countedVehicles(place, minute);
    default:
      return nothing(place);
  }
}

const nothing = (place: Place): Holding => ({
  available: 0,
  disabled: 0,
  docks: place.docks_counted ? 0 : null,
  docks_disabled: 0,
  by_type:
    place.operator.stations?.model === "bays"
      ? []
      : place.operator.types.map((type) => ({ type, count: 0 })),
});

function heldVehicles(place: Place, docked: readonly VehicleThing[]): Holding {
  const broken = docked.filter((vehicle) => vehicle.is_disabled).length;
  const free = docked.filter((vehicle) => !vehicle.is_disabled && !vehicle.is_reserved);
  return {
    available: free.length,
    disabled: broken,
    docks: place.docks_counted ? Math.max(0, place.capacity - docked.length) : null,
    docks_disabled: 0,
    by_type: place.operator.types.map((type) => ({
      type,
      count: free.filter((v) => v.type.id === type.id).length,
    })),
  };
}

/** Twice a day the tide comes in and goes out; every few minutes one is taken or brought. */
function countedVehicles(place: Place, minute: number): Holding {
  const { operator, index, capacity } = place;
  const { key } = operator;
  const disabled = between(0, 2, key, index, Math.floor(minute / DAY_MIN), 41);
  const docks_disabled = between(0, 1, key, index, Math.floor(minute / DAY_MIN), 42);
  const usable = capacity - disabled - docks_disabled;
  const available = Math.min(usable, Math.max(0, Math.round(level(place, minute) * usable)));
  const docks = place.docks_counted ? usable - available : null;
  return {
    available,
    disabled,
    docks,
    docks_disabled,
    by_type: split(operator, available, unit(key, index, 43)),
  };
}

function level(place: Place, minute: number): number {
  const { key } = place.operator;
  if (place.condition === "often_empty")
    return unit(key, place.index, Math.floor(minute / 20), 44) < 0.1 ? 0.05 : 0;
  if (place.condition === "often_full")
    return unit(key, place.index, Math.floor(minute / 20), 44) < 0.1 ? 0.95 : 1;
  const phase = unit(key, place.index, 45);
  const tide = 0.26 * Math.sin(2 * Math.PI * (minute / 720 + phase));
  const beat = Math.floor((minute + (hash(key, place.index, 46) % 3)) / 3);
  return (
    0.25 + 0.5 * unit(key, place.index, 47) + tide + 0.24 * (unit(key, place.index, beat, 48) - 0.5)
  );
}

/** The first type takes what its share leaves over. */
function split(
  operator: Operator,
  total: number,
  share: number,
): { type: VehicleType; count: number }[] {
  const others = operator.types.slice(1);
  const each = others.length === 0 ? 0 : Math.floor((total * share * 0.7) / others.length);
  return operator.types.map((type, i) => ({
    type,
    count: i === 0 ? total - each * others.length : each,
  }));
}
