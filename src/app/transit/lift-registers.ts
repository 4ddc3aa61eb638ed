/**
 * What registers of lifts say of the stations of an answer: of a lift that the configuration names,
 * else of some lift of a station that it names, or that lies next to it.
 */
import { distance_m } from "#kit/geo.ts";
import type { LiftStatement } from "#transit/access/lift-states.ts";
import type { Network } from "#transit/access/station-network.ts";
import type { OpenFeed } from "#transit/schedule/feed-pack.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import { WAY } from "#transit/access/access-draft.ts";
import type { LiftSettings, RegisteredLift } from "#providers/lift-register.ts";
import type { Ask, AskOptions } from "#upstream/lookup/ask-source.ts";
import { heldOf } from "../lookup-outcome.ts";

/** A station of a timetable whose ways are known. */
export type KnownStation = {
  stored: HeldFeed;
  feed: OpenFeed;
  row: number;
  source_id: string;
  network: Network;
};

export type LiftRegister = {
  settings: LiftSettings;
  ask: Ask<null, RegisteredLift[]>;
};

/** What all registers say of the lifts of a station. */
export type StatementsOf = (station: KnownStation) => {
  statements: readonly LiftStatement[];
  /** A register that the configuration joins with the station cannot be read. */
  is_register_lost: boolean;
};

type Question = Pick<AskOptions, "signal" | "keyed"> & { now_ms: number };

export async function readRegisters(
  registers: readonly LiftRegister[],
  stations: readonly KnownStation[],
  question: Question,
): Promise<StatementsOf> {
  const readings = await Promise.all(
    registers.map((register) => readRegister(register, stations, question)),
  );
  return (station) => {
    const each = readings.map((statementsOf) => statementsOf(station));
    return {
      statements: each.flatMap(({ statements }) => statements),
      is_register_lost: each.some(({ is_register_lost }) => is_register_lost),
    };
  };
}

async function readRegister(
  { settings, ask }: LiftRegister,
  stations: readonly KnownStation[],
  { signal, keyed, now_ms }: Question,
): Promise<StatementsOf> {
  const stored = heldOf(await ask(null, { signal, keyed, freshness: null }));
  const isOld = stored !== null && now_ms - stored.fetched_at_ms > settings.max_age_s * 1_000;
  const lifts = stored?.value.map((lift) => (isOld ? { ...lift, state: UNKNOWN } : lift)) ?? null;
  const joins = joinsOf(settings, lifts ?? [], stations);
  return (station) => {
    const named = namedLifts(settings, station);
    const statements = named.map(({ lift, pathways }): LiftStatement => {
      // One that the register does not list may be there or not.
      const own = joins.byId.get(lift) ?? [];
      return { state: own.length === 0 ? UNKNOWN : worstOf(own), pathways };
    });
    const isJoined = named.length > 0 || isNamed(settings, station);
    return {
      statements: [...statements, ...(joins.byStation.get(station) ?? [])],
      is_register_lost: lifts === null && isJoined,
    };
  };
}

const UNKNOWN = "unknown" as const;

/** The lifts of the configuration that are ways of the station. */
function namedLifts({ lifts }: LiftSettings, { stored, network }: KnownStation) {
  const own = lifts.filter(({ feed }) => feed === stored.feed_id);
  if (own.length === 0) return [];
  const ids = new Set(network.ways.flatMap(({ mode, id }) => (mode === WAY.lift ? [id] : [])));
  return own.filter(({ pathways }) => pathways.some((id) => ids.has(id)));
}

function isNamed({ stations }: LiftSettings, { stored, source_id }: KnownStation): boolean {
  return stations.some(({ feed, stop_id }) => feed === stored.feed_id && stop_id === source_id);
}

type Joins = {
  byId: ReadonlyMap<string, RegisteredLift[]>;
  /** Statements about lifts that are not named one by one. */
  byStation: ReadonlyMap<KnownStation, LiftStatement[]>;
};

function joinsOf(
  settings: LiftSettings,
  lifts: readonly RegisteredLift[],
  stations: readonly KnownStation[],
): Joins {
  const named = new Set(settings.lifts.map(({ lift }) => lift));
  const byId = new Map<string, RegisteredLift[]>();
  const byStation = new Map<KnownStation, LiftStatement[]>();
  const add = (station: KnownStation, { state }: RegisteredLift): void => {
    const list = byStation.get(station);
    if (list) list.push({ state, pathways: null });
    else byStation.set(station, [{ state, pathways: null }]);
  };
  const near = stationsNear(settings, stations);
  for (const lift of lifts) {
    if (named.has(lift.id)) {
      const list = byId.get(lift.id);
      if (list) list.push(lift);
      else byId.set(lift.id, [lift]);
      continue;
    }
    const stated = settings.stations.filter(({ station }) => station === lift.station);
    if (stated.length === 0) for (const station of near(lift)) add(station, lift);
    for (const { feed, stop_id } of stated)
      for (const station of stations)
        if (station.stored.feed_id === feed && station.source_id === stop_id) add(station, lift);
  }
  return { byId, byStation };
}

/** Degrees of latitude that are longer than a metre anywhere. */
const DEGREES_A_METRE = 1 / 110_000;

/** Stations within reach of a lift; most lifts of a register are in other cities. */
function stationsNear({ reach_m }: LiftSettings, stations: readonly KnownStation[]) {
  const places = stations.map((station) => ({ station, ...station.feed.station(station.row) }));
  const margin = reach_m * DEGREES_A_METRE;
  const lats = places.map(({ lat }) => lat);
  const [south, north] = [Math.min(...lats) - margin, Math.max(...lats) + margin];
  return ({ location }: RegisteredLift): KnownStation[] => {
    if (location === null || reach_m === 0) return [];
    const { lat, lon } = location;
    if (lat < south || lat > north) return [];
    return places
      .filter((place) => distance_m(lat, lon, place.lat, place.lon) <= reach_m)
      .map(({ station }) => station);
  };
}

const ORDER: readonly RegisteredLift["state"][] = ["in_service", "unknown", "out_of_order"];

function worstOf(lifts: readonly RegisteredLift[]): RegisteredLift["state"] {
  return ORDER[Math.max(...lifts.map(({ state }) => ORDER.indexOf(state)))]!;
}
