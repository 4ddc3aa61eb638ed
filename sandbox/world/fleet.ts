// Vehicles that are rented by themselves. Each repeats parked-then-ridden cycles for ever; the cycle
// number is its trip, and with every trip come a new place and a new id. During a ride it is nowhere.
import { around, distance, offset, type Point } from "../geo.ts";
import { between, hash, hashText, pick, unit, uuid } from "../rng.ts";
import type { FleetPlan, Operator, Place, VehicleThing } from "./model.ts";
import { spread } from "./places.ts";

const BROKEN_SHARE = 0.04;
const RESERVED_MINUTES = 5;

type Trip = {
  readonly number: number;
  readonly riding: boolean;
  readonly minutes_left: number;
  readonly parked_min: number;
};

/** The operator's vehicles that are parked somewhere in this minute. */
export function listVehicles(
  operator: Operator,
  places: readonly Place[],
  minute: number,
): VehicleThing[] {
  const { fleet } = operator;
  if (fleet === null) return [];
  const standing = places.filter((place) => place.condition !== "not_installed");
  const room = new Map(standing.map((place) => [place.id, place.capacity]));
  const vehicles: VehicleThing[] = [];
  for (let index = 0; index < fleet.count; index += 1) {
    const trip = findTrip(operator, index, minute);
    if (trip.riding) continue;
    const dock = claimDock({ operator, fleet, standing, room, index, trip });
    vehicles.push(toVehicle({ operator, standing, index, trip, dock, minute }));
  }
  return vehicles;
}

/** Of this many vehicles an aggregator publishes one. */
const COPIED_OF = 4;
/** Of this many that it publishes, one has an id of its own. */
const APART_OF = 4;
/** An aggregator hands on what it was told some minutes ago. */
const COPY_LAG_S = 400;

/** Returns what an aggregator calls a vehicle of another operator; null: it does not publish it. */
export function copyOf(
  copier: Operator,
  { id, index }: Pick<VehicleThing, "id" | "index">,
): { readonly id: string; readonly apart: boolean } | null {
  if (index % COPIED_OF !== 0) return null;
  const apart = (index / COPIED_OF) % APART_OF === 0;
  return { id: apart ? uuid(copier.key, hashText(id)) : `CRF:Vehicle:${id}`, apart };
}

/** The vehicles of another operator that an aggregator publishes once more. */
export function listCopies(copier: Operator, originals: readonly VehicleThing[]): VehicleThing[] {
  return originals.flatMap((vehicle) => {
    const copy = copyOf(copier, vehicle);
    if (copy === null) return [];
    const last_reported_s = vehicle.last_reported_s - COPY_LAG_S;
    return [{ ...vehicle, operator: copier, id: copy.id, last_reported_s }];
  });
}

function findTrip(operator: Operator, index: number, minute: number): Trip {
  const { key } = operator;
  const period = between(25, 150, key, index, 20);
  const at = minute + (hash(key, index, 21) % period);
  const number = Math.floor(at / period);
  const since = at - number * period;
  const ride_min = between(4, 13, key, index, number, 22);
  return {
    number,
    riding: since < ride_min,
    minutes_left: period - since,
    parked_min: since - ride_min,
  };
}

type Claim = {
  readonly operator: Operator;
  readonly fleet: FleetPlan;
  readonly standing: readonly Place[];
  readonly room: Map<string, number>;
  readonly index: number;
  readonly trip: Trip;
};

/** A dock, if this vehicle is of the docked kind on this trip and the station has room. */
function claimDock({ operator, fleet, standing, room, index, trip }: Claim): Place | null {
  if (standing.length === 0 || operator.stations?.model !== "fleet") return null;
  if (unit(operator.key, index, trip.number, 23) >= fleet.docked_share) return null;
  const wanted = fleet.roundtrip === true ? index : hash(operator.key, index, trip.number, 24);
  const place = pick(standing, wanted);
  const left = room.get(place.id) ?? 0;
  if (left === 0) return null;
  room.set(place.id, left - 1);
  return place;
}

type Draft = {
  readonly operator: Operator;
  readonly standing: readonly Place[];
  readonly index: number;
  readonly trip: Trip;
  readonly dock: Place | null;
  readonly minute: number;
};

function toVehicle({ operator, standing, index, trip, dock, minute }: Draft): VehicleThing {
  const { key } = operator;
  const draw = (salt: number): number => unit(key, index, trip.number, salt);
  const is_disabled = draw(25) < BROKEN_SHARE;
  const at = dock ?? clearOfStations(parkedAt(operator, index, trip.number), standing);
  const hired_until = operator.fleet?.roundtrip === true && draw(27) < 0.3;
  return {
    kind: "vehicle",
    lat: at.lat,
    lon: at.lon,
    operator,
    index,
    id:
      operator.ids === "uuids"
        ? uuid(key, index, trip.number, 28)
        : shortId(operator, index, trip.number),
    type: pick(operator.types, hash(key, index, 29)),
    docked_at: dock,
    is_reserved: !is_disabled && trip.minutes_left <= RESERVED_MINUTES && draw(26) < 0.7,
    is_disabled,
    charge: Math.round((0.12 + 0.88 * draw(30)) * 100) / 100,
    last_reported_s: minute * 60 - between(1, 170, key, index, minute, 31),
    available_until_s: hired_until ? (minute + trip.minutes_left + 60) * 60 : null,
  };
}

const shortId = (operator: Operator, index: number, trip: number): string =>
  hash(operator.key, index, trip, 28).toString(16).padStart(8, "0") +
  hash(operator.key, trip, index, 32).toString(16).padStart(8, "0");

function parkedAt(operator: Operator, index: number, trip: number): Point {
  const { key, city, reach_m } = operator;
  return around(city, unit(key, index, trip, 33), reach_m * spread(unit(key, index, trip, 34)));
}

/** A vehicle that is not docked is never on the very point of a station either. */
function clearOfStations(at: Point, standing: readonly Place[]): Point {
  const touching = standing.find(
    (place) => Math.abs(place.lat - at.lat) < 1e-4 && distance(place, at) < 3,
  );
  return touching === undefined ? at : offset(at, 6, 4);
}
