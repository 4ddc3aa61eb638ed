/** Ways of riding from one place to another: the best of each network and mode, the quickest first. */
import { distance_m } from "#kit/geo.ts";
import { ESTIMATE, reaches, rideMinutes, toTenths, walkMinutes } from "./estimate.ts";
import type { Leaving, PlanPoint, Taking } from "./ends.ts";
import type { LeaveRule } from "./leave.ts";

/** One way. `leaving` null: the vehicle is left at the destination itself, under `rule`. */
export type Option = {
  taking: Taking;
  leaving: Leaving | null;
  rule: Exclude<LeaveRule, "forbidden" | "stations_only">;
  /** Straight lines, metres. */
  walk_to_m: number;
  ride_m: number;
  walk_from_m: number;
  /** All legs together; null: the speed of the mode is not known. */
  minutes: number | null;
  /** Every count that it relies on is known. */
  known: boolean;
};

export type Options = {
  /** At most one for each network and mode: known counts first, then by minutes, then by id. */
  options: Option[];
  left_out: {
    /** Vehicles whose stated range or battery is too small for the ride. */
    range_too_small: number;
    /** Vehicles and stations that have no place near the destination to be left at. */
    nowhere_to_leave: number;
  };
};

export type Journey = {
  to: PlanPoint;
  takings: readonly Taking[];
  leavings: readonly Leaving[];
  /** What holds for a vehicle that is left at `to`. */
  ruleOf: (taking: Taking) => LeaveRule;
};

/** Plans the ride; ids decide between equals, so that equal worlds have equal plans. */
export function planOptions({ to, takings, leavings, ruleOf }: Journey): Options {
  const stations = indexByNetwork(leavings);
  const best = new Map<string, Option>();
  const left_out = { range_too_small: 0, nowhere_to_leave: 0 };
  for (const taking of takings) {
    const ways = listWays(taking, to, { stations, ruleOf });
    const reached = ways.filter(({ ride_m }) => reaches(taking.energy, ride_m, taking.mode));
    if (ways.length === 0) left_out.nowhere_to_leave++;
    else if (reached.length === 0) left_out.range_too_small++;
    const key = `${taking.network_ids[0]} ${taking.mode}`;
    for (const way of reached) {
      const stored = best.get(key);
      if (!stored || (compareWithin(way, stored) || compareIds(way, stored)) < 0)
        best.set(key, way);
    }
  }
  const options = [...best.values()].sort((a, b) => compareOptions(a, b) || compareIds(a, b));
  return { options, left_out };
}

function indexByNetwork(leavings: readonly Leaving[]): ReadonlyMap<string, Leaving[]> {
  const index = new Map<string, Leaving[]>();
  for (const leaving of leavings)
    for (const id of leaving.network_ids) {
      const listed = index.get(id);
      if (listed) listed.push(leaving);
      else index.set(id, [leaving]);
    }
  return index;
}

/** What must return to where it was taken goes nowhere; what must end at a station ends at one. */
function listWays(
  taking: Taking,
  to: PlanPoint,
  { stations, ruleOf }: { stations: ReadonlyMap<string, Leaving[]>; ruleOf: Journey["ruleOf"] },
): Option[] {
  if (taking.returns === "roundtrip_station") return [];
  const own = new Set(taking.network_ids.flatMap((id) => stations.get(id) ?? []));
  const ways = [...own]
    .filter(({ id }) => id !== taking.id)
    .map((leaving) => toOption(taking, leaving, { to, rule: "unknown" }));
  if (taking.kind === "station" || taking.returns === "any_station") return ways;
  const rule = ruleOf(taking);
  if (rule === "forbidden" || rule === "stations_only") return ways;
  return [...ways, toOption(taking, null, { to, rule })];
}

function toOption(
  taking: Taking,
  leaving: Leaving | null,
  { to, rule }: { to: PlanPoint; rule: Option["rule"] },
): Option {
  const { lat, lon } = taking.location;
  const end = leaving?.location ?? to;
  const walk_to_m = Math.round(taking.distance_m);
  const walk_from_m = Math.round(leaving?.distance_m ?? 0);
  const ride_m = Math.round(distance_m(lat, lon, end.lat, end.lon));
  const ride = rideMinutes(ride_m, taking.mode);
  const walks = walkMinutes(walk_to_m) + walkMinutes(walk_from_m);
  const handling = ESTIMATE.take_minutes + ESTIMATE.leave_minutes;
  return {
    ...{ taking, leaving, rule, walk_to_m, ride_m, walk_from_m },
    minutes: ride === null ? null : toTenths(walks + ride + handling),
    known: taking.known && (leaving?.known ?? true),
  };
}

/** Within a network, a place that is known to take the vehicle goes before one that is not. */
function compareWithin(a: Option, b: Option): number {
  return Number(b.known) - Number(a.known) || doubtOf(a) - doubtOf(b) || compareOptions(a, b);
}

function doubtOf({ leaving, rule }: Option): number {
  return Number(leaving === null && rule === "unknown");
}

function compareOptions(a: Option, b: Option): number {
  const known_count = Number(b.known) - Number(a.known);
  return known_count || (a.minutes ?? Infinity) - (b.minutes ?? Infinity) || 0;
}

function compareIds(a: Option, b: Option): number {
  return compareTexts(keyOf(a), keyOf(b));
}

function keyOf({ taking, leaving }: Option): string {
  return `${taking.id} ${taking.mode} ${leaving?.id ?? ""}`;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
