/** Counts of shared mobility around one place, by mode and by network; unknown is null, never 0. */
import type { NearbyBodyValue } from "#api/nearby.ts";

type Results = NearbyBodyValue["results"];
type Station = Results["stations"][number];
type Vehicle = Results["vehicles"][number];

/** Counts of a group; null: everything that could be counted has no known count. */
export type Counts = {
  stations: number;
  /** That can be picked up now, at stations or parked freely. */
  vehicles: number | null;
  /** Free docks of stations that take vehicles back now. */
  docks: number | null;
  /** Stations and free vehicles of which it is unknown whether they can be used. */
  vehicles_unknown: number;
  /** Stations whose free docks are unknown. */
  docks_unknown: number;
};

type NetworkCounts = Counts & { id: string; name: string | null };

export type PlaceCounts = {
  totals: Counts;
  by_mode: Record<string, Counts>;
  /** Those with most vehicles first, then by id. */
  networks: NetworkCounts[];
};

type Tally = { known: number; sum: number; unknown: number };
type Group = { stations: number; vehicles: Tally; docks: Tally };

/** One observation, added to the total, its mode and its network. */
type Seen = {
  mode: string | null;
  network_id: string;
  name: string | null;
  /** null: unknown; undefined: it says nothing of them. */
  vehicles?: number | null;
  docks?: number | null;
  stations: 0 | 1;
};

/**
 * Counts what can be used now. A vehicle that its station counts as well is counted once. `forms`: form
 * factors whose vehicles are counted; null: all.
 */
export function countPlace(
  { stations, vehicles }: Pick<Results, "stations" | "vehicles">,
  modes: readonly string[],
  forms: ReadonlySet<string> | null = null,
): PlaceCounts {
  const totals = newGroup();
  const by_mode = new Map<string, Group>();
  const networks = new Map<string, { name: string | null; group: Group }>();
  for (const seen of [
    ...stations.flatMap((each) => seenAt(each, modes, forms)),
    ...vehicles.flatMap((each) => seenOf(each, forms)),
  ]) {
    add(totals, seen);
    add(grouped(by_mode, seen.mode ?? "other", newGroup), seen);
    const network = grouped(networks, seen.network_id, () => ({
      name: seen.name,
      group: newGroup(),
    }));
    network.name ??= seen.name;
    add(network.group, seen);
  }
  const listed = [...networks].map(([id, { name, group }]) => ({ id, name, ...toCounts(group) }));
  return {
    totals: toCounts(totals),
    by_mode: Object.fromEntries([...by_mode].map(([mode, group]) => [mode, toCounts(group)])),
    networks: listed.sort(
      (a, b) => (b.vehicles ?? -1) - (a.vehicles ?? -1) || (a.id < b.id ? -1 : 1),
    ),
  };
}

/** The station itself with its docks, and its vehicles by mode. */
function seenAt(
  station: Station,
  modes: readonly string[],
  forms: ReadonlySet<string> | null,
): Seen[] {
  const { network, availability, action_state = {}, mode = null } = station;
  const of = { network_id: network.id, name: network.name };
  const docks = amountOf(action_state["return"], availability.docks);
  const self: Seen = { ...of, mode, docks, stations: 1 };
  // Its vehicles are in the list of vehicles.
  if (station.vehicles_listed) return [self];
  const pickup = action_state["pickup"];
  if (forms !== null) return [{ ...self, vehicles: amountOf(pickup, countForms(station, forms)) }];
  const counted = Object.entries(availability.by_mode ?? {});
  if (counted.length === 0) return [{ ...self, vehicles: amountOf(pickup, availability.vehicles) }];
  const counts = counted
    .filter(([each]) => modes.includes(each))
    .map(([each, count]): Seen => {
      return { ...of, mode: each, vehicles: amountOf(pickup, count), stations: 0 };
    });
  return [self, ...counts];
}

/** Of these forms; null: not known. */
function countForms(
  { availability: { by_type }, vehicle_types }: Station,
  forms: ReadonlySet<string>,
): number | null {
  const isOne = ({ form_factor }: { form_factor?: string | null }): boolean =>
    forms.has(form_factor ?? "");
  if (by_type !== undefined)
    return by_type.filter(isOne).reduce((sum, { count }) => sum + count, 0);
  const isKnown = vehicle_types !== undefined && vehicle_types.length > 0;
  return isKnown && !vehicle_types.some(isOne) ? 0 : null;
}

/** None: it is known to be of another form. */
function seenOf({ source, network_id }: Vehicle, forms: ReadonlySet<string> | null): Seen[] {
  const { mode, brand = null, action_state, vehicle_type } = source;
  const form = vehicle_type?.form_factor;
  if (forms !== null && form !== undefined && !forms.has(form)) return [];
  const one = forms !== null && form === undefined ? null : 1;
  const vehicles = amountOf(action_state["pickup"], one);
  return [{ network_id, name: brand, mode, vehicles, stations: 0 }];
}

function amountOf(state: string | undefined, count: number | null): number | null {
  if (state === "unavailable_now") return 0;
  return state === "available_now" ? count : null;
}

function newGroup(): Group {
  return { stations: 0, vehicles: newTally(), docks: newTally() };
}

function newTally(): Tally {
  return { known: 0, sum: 0, unknown: 0 };
}

function grouped<T>(groups: Map<string, T>, key: string, create: () => T): T {
  const stored = groups.get(key);
  if (stored) return stored;
  const made = create();
  groups.set(key, made);
  return made;
}

function add(group: Group, { vehicles, docks, stations }: Seen): void {
  group.stations += stations;
  note(group.vehicles, vehicles);
  note(group.docks, docks);
}

function note(tally: Tally, amount: number | null | undefined): void {
  if (amount === undefined) return;
  if (amount === null) tally.unknown++;
  else {
    tally.known++;
    tally.sum += amount;
  }
}

function toCounts({ stations, vehicles, docks }: Group): Counts {
  return {
    stations,
    vehicles: toSum(vehicles),
    docks: toSum(docks),
    vehicles_unknown: vehicles.unknown,
    docks_unknown: docks.unknown,
  };
}

function toSum({ known, sum, unknown }: Tally): number | null {
  return known === 0 && unknown > 0 ? null : sum;
}
