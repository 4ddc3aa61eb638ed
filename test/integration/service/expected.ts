/**
 * What /v1/nearby must say of each thing that the simulator says is there: R4 to R9 once more,
 * written from the rules and from the truth alone, without a line of the service.
 */
import { createWorld } from "../../../sandbox/world/world.ts";

/** One thing of GET /__sandbox/truth; the members that only one kind has are absent on the other. */
export type Truth = {
  kind: "station" | "vehicle";
  mode: string;
  modes: string[];
  name: string;
  location: { lat: number; lon: number };
  distance_m: number;
  available: number;
  disabled: number;
  docks: number | null;
  capacity: number;
  is_installed: boolean;
  is_renting: boolean;
  is_returning: boolean;
  is_virtual: boolean;
  is_charging: boolean;
  rents_vehicles: boolean;
  closed_by_alert: boolean;
  last_reported: string;
  is_reserved: boolean;
  is_disabled: boolean;
  docked_at: string | null;
  docked_at_virtual: boolean | null;
  available_until: string | null;
  /** Gone, and still listed by the one source. */
  stale?: true;
  sources: Observation[];
};

/** `apart`: under an id of the source's own, by which it is unknown which thing it is. */
type Observation = { source: string; network_id: string; source_id: string; apart?: true };

type State = "available_now" | "unavailable_now" | "unknown";
type Flags = Record<"pickup" | "return" | "park" | "charge" | "reserve" | "navigate", boolean>;
type States = Record<keyof Flags, State>;

export type Expected = {
  kind: Truth["kind"];
  source_id: string;
  network_id: string;
  location: { lat: number; lon: number };
  /** In tenths of metres, rounded half up (R12). */
  distance_dm: number;
  mode: string;
  entity_type: string | null;
  service_status: string;
  capabilities: Flags;
  action_state: States;
  /** Every source that observes it, sorted. */
  sources: string[];
  /** Of stations. */
  counts?: Record<string, unknown>;
};

/** Toilets, trains and the like are judged elsewhere. */
const isMobility = ({ kind }: { kind: string }): boolean =>
  kind === "station" || kind === "vehicle";

/** Everything that an answer about the circle must hold, in no order. */
export function expectAll(things: readonly Truth[], seed: number, now_ms: number): Expected[] {
  const operators = new Map(createWorld(seed).operators.map((operator) => [operator.id, operator]));
  return things
    .filter(isMobility)
    .filter(isShown)
    .flatMap(oneByOne)
    .map((thing) => {
      if (thing.stale) return expectStale(thing);
      const { network_id } = thing.sources[0]!;
      const operator = operators.get(network_id)!;
      const published = {
        // 1.0 has neither types with a reservation time nor a flag for charging.
        reserve: operator.versions[0] !== "1.0" && (operator.reserve_min ?? 0) > 0,
        charge: operator.versions[0] !== "1.0" && thing.is_charging,
        unlimited_docks: operator.versions[0] !== "1.0",
      };
      return thing.kind === "station"
        ? expectStation(thing, published, now_ms)
        : expectVehicle(thing, published, now_ms);
    });
}

/** What a source publishes under an id of its own is listed next to what it is. */
function oneByOne({ sources, ...thing }: Truth): Truth[] {
  const [entry, apart] = [false, true].map((is) =>
    sources.filter((source) => (source.apart ?? false) === is),
  );
  return [entry!, ...apart!.map((source) => [source])].map((own) => ({ ...thing, sources: own }));
}

/** Not reported for years, and nothing is known of its docks. */
function expectStale(thing: Truth): Expected {
  const capabilities: Flags = {
    pickup: true,
    return: true,
    park: false,
    charge: false,
    reserve: false,
    navigate: true,
  };
  const unknown = "unknown" as const;
  return {
    ...frame(thing),
    entity_type: "bicycle_station",
    service_status: "unknown",
    capabilities,
    action_state: bounded(capabilities, {
      pickup: unknown,
      return: unknown,
      park: unknown,
      charge: unknown,
      reserve: unknown,
      navigate: "available_now",
    }),
    counts: { name: thing.name },
  };
}

type Published = { reserve: boolean; charge: boolean; unlimited_docks: boolean };

/** R5: a station that is not installed, and a vehicle that its dock already counts, are left out. */
function isShown(thing: Truth): boolean {
  if (thing.kind === "station") return thing.is_installed;
  return thing.docked_at === null || thing.docked_at_virtual === true;
}

const DAY_MS = 86_400_000;

function expectStation(thing: Truth, published: Published, now_ms: number): Expected {
  const rents = thing.rents_vehicles;
  const silent = now_ms - Date.parse(thing.last_reported) > DAY_MS;
  const capabilities: Flags = {
    pickup: rents,
    return: true,
    park: true,
    charge: published.charge,
    reserve: rents && published.reserve,
    navigate: true,
  };
  return {
    ...frame(thing),
    entity_type: rents ? (thing.modes.includes("bicycle") ? "bicycle_station" : null) : "parking",
    service_status: stationService(thing, silent),
    capabilities,
    action_state: stationActions(thing, { capabilities, silent, published }),
    counts: {
      name: thing.name,
      capacity: thing.capacity,
      vehicles: thing.available,
      disabled_vehicles: thing.disabled,
      docks: thing.docks,
      is_installed: thing.is_installed,
      is_renting: thing.is_renting,
      is_returning: thing.is_returning,
      last_reported: toSeconds(thing.last_reported),
    },
  };
}

/** R7, first hit. */
function stationService(thing: Truth, silent: boolean): string {
  if (thing.closed_by_alert) return "unavailable";
  if (silent) return "unknown";
  if (!thing.is_renting && !thing.is_returning) return "unavailable";
  return thing.is_renting && thing.is_returning ? "operational" : "degraded";
}

type Circumstances = { capabilities: Flags; silent: boolean; published: Published };

/** R9; what an alert has closed can do nothing. */
function stationActions(thing: Truth, { capabilities, silent, published }: Circumstances): States {
  const judge = (state: State): State =>
    thing.closed_by_alert ? "unavailable_now" : silent ? "unknown" : state;
  const can = (yes: boolean): State => (yes ? "available_now" : "unavailable_now");
  const pickup = judge(can(thing.is_renting && thing.available > 0));
  const room = thing.docks === null ? published.unlimited_docks || null : thing.docks > 0;
  const back = !thing.is_returning ? "unavailable_now" : room === null ? "unknown" : can(room);
  return bounded(capabilities, {
    pickup,
    return: judge(back),
    park: judge(back),
    charge: judge(thing.is_returning ? "available_now" : "unknown"),
    reserve: pickup,
    navigate: "available_now",
  });
}

function expectVehicle(thing: Truth, published: Published, now_ms: number): Expected {
  const over = thing.available_until !== null && Date.parse(thing.available_until) <= now_ms;
  const taken = thing.is_reserved || thing.is_disabled || over;
  const pickup: State = taken ? "unavailable_now" : "available_now";
  const never = { return: false, park: false, charge: false };
  const capabilities: Flags = {
    pickup: true,
    ...never,
    reserve: published.reserve,
    navigate: true,
  };
  const no = "unavailable_now" as const;
  return {
    ...frame(thing),
    entity_type: VEHICLE_TYPES[thing.mode] ?? null,
    service_status: thing.is_disabled
      ? "maintenance"
      : thing.is_reserved
        ? "unavailable"
        : "operational",
    capabilities,
    action_state: bounded(capabilities, {
      pickup,
      return: no,
      park: no,
      charge: no,
      reserve: pickup,
      navigate: "available_now",
    }),
  };
}

/** R3. */
const VEHICLE_TYPES: Record<string, string> = {
  bicycle: "bicycle_vehicle",
  scooter: "scooter_vehicle",
  moped: "motorscooter_vehicle",
  car: "car_vehicle",
};

function frame(thing: Truth) {
  const { network_id, source_id } = thing.sources[0]!;
  return {
    kind: thing.kind,
    source_id,
    network_id,
    location: thing.location,
    distance_dm: Math.floor(thing.distance_m * 10 + 0.5),
    mode: thing.mode,
    sources: thing.sources.map((source) => source.source_id).sort(),
  };
}

/** R9: what it is not for cannot be done. */
function bounded(capabilities: Flags, states: States): States {
  const entries = Object.entries(states).map(([key, state]) => [
    key,
    capabilities[key as keyof Flags] ? state : "unavailable_now",
  ]);
  return Object.fromEntries(entries) as States;
}

const toSeconds = (time: string): number => Math.floor(Date.parse(time) / 1000);
