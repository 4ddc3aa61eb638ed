/** Ways of riding from one place to another: the best of each network and mode, the quickest first. */
import { distance_m } from "#kit/geo.ts";
import { ESTIMATE, reaches, rideMinutes, toTenths } from "./estimate.ts";
import type { Leaving, PlanPoint, Taking } from "./ends.ts";
import { type PlanWalk, secondsOf } from "./foot.ts";
import type { LeaveRule } from "./leave.ts";

/** One way. `leaving` null: the vehicle is left at the destination itself, under `rule`. */
export type Option = {
  taking: Taking;
  leaving: Leaving | null;
  rule: Exclude<LeaveRule, "forbidden" | "stations_only">;
  walk_to: PlanWalk;
  /** A straight line, metres. */
  ride_m: number;
  /** null: it is left at the destination itself. */
  walk_from: PlanWalk | null;
  /** All legs together; null: a way on foot, or the speed of the mode, is not known. */
  minutes: number | null;
  /** Of the legs that are known. */
  known_minutes: number;
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
  /** From the start to what is taken, and from a station to the destination. */
  walkTo: (taking: Taking) => PlanWalk;
  walkFrom: (leaving: Leaving) => PlanWalk;
};

/** Plans the ride; ids decide between equals, so that equal worlds have equal plans. */
export function planOptions(journey: Journey): Options {
  const stations = indexByNetwork(journey.leavings);
  const best = new Map<string, Option>();
  const left_out = { range_too_small: 0, nowhere_to_leave: 0 };
  for (const taking of journey.takings) {
    const ways = listWays(taking, stations, journey);
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
  stations: ReadonlyMap<string, Leaving[]>,
  journey: Journey,
): Option[] {
  if (taking.returns === "roundtrip_station") return [];
  const own = new Set(taking.network_ids.flatMap((id) => stations.get(id) ?? []));
  const ways = [...own]
    .filter(({ id }) => id !== taking.id)
    .map((leaving) => toOption(taking, leaving, { journey, rule: "unknown" }));
  if (taking.kind === "station" || taking.returns === "any_station") return ways;
  const rule = journey.ruleOf(taking);
  if (rule === "forbidden" || rule === "stations_only") return ways;
  return [...ways, toOption(taking, null, { journey, rule })];
}

function toOption(
  taking: Taking,
  leaving: Leaving | null,
  { journey, rule }: { journey: Journey; rule: Option["rule"] },
): Option {
  const { lat, lon } = taking.location;
  const end = leaving?.location ?? journey.to;
  const walk_to = journey.walkTo(taking);
  const walk_from = leaving && journey.walkFrom(leaving);
  const ride_m = Math.round(distance_m(lat, lon, end.lat, end.lon));
  const legs = [
    ...[walk_to.minutes, rideMinutes(ride_m, taking.mode), walk_from ? walk_from.minutes : 0],
    ...[ESTIMATE.take_minutes, ESTIMATE.leave_minutes],
  ];
  const known = legs.filter((minutes) => minutes !== null);
  const known_minutes = toTenths(known.reduce((sum, minutes) => sum + minutes, 0));
  return {
    ...{ taking, leaving, rule, walk_to, ride_m, walk_from, known_minutes },
    minutes: known.length === legs.length ? known_minutes : null,
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

/** Of equally quick ones that with less on foot; those of unknown minutes last. */
function compareOptions(a: Option, b: Option): number {
  const known_count = Number(b.known) - Number(a.known);
  return known_count || (a.minutes ?? LAST) - (b.minutes ?? LAST) || onFoot(a) - onFoot(b);
}

const LAST = Number.MAX_SAFE_INTEGER;

function onFoot({ walk_to, walk_from }: Option): number {
  return secondsOf(walk_to) + secondsOf(walk_from);
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
