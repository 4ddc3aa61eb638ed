/** What would be a right answer to a task, by the simulator's truth. */
import { distance } from "../../sandbox/geo.ts";

export type Wants = {
  thing:
    | "vehicle"
    | "station"
    | "service"
    | "transit"
    | "departure"
    | "place"
    | "weather"
    | "change"
    | "ride"
    | "best";
  /** Its members are asked for, not which one it is. */
  detail?: boolean;
  mode?: string;
  type?: string;
  least_charge?: number;
  least_available?: number;
  least_docks?: number;
  open?: boolean;
  fee?: boolean;
  connector?: string;
  free?: boolean;
  least_kw?: number;
  wheelchair?: boolean;
  /** On foot. */
  within_minutes?: number;
};
type Point = { lat: number; lon: number };
export type Truth = {
  kind: string;
  name: string;
  location: Point;
  distance_m: number;
  [member: string]: unknown;
};
/** `isNearest`: the nearest is asked for; else any within the circle will do. */
export type Here = { time_zone: string; now_ms: number; isNearest: boolean };

/** Sources draw a place at most so far from where it is, on either side. */
const PIN_M = 40;
/** A thing that is so much farther than the nearest one is not the nearest. */
const FARTHER_M = 2 * PIN_M;

/** true: right; null: no source says; false: wrong. */
export function judge(
  chosen: Record<string, unknown>,
  wants: Wants,
  truth: readonly Truth[],
  here: Here,
): boolean | null {
  const at = chosen["location"] as Point | undefined;
  if (!at) return false;
  const stored = truth.map((thing) => ({ thing, holds: holds(thing, wants, here) }));
  const nearest = Math.min(
    ...stored.filter((each) => each.holds === true).map(({ thing }) => thing.distance_m),
  );
  const around = stored.filter(
    ({ thing, holds: value }) => value !== false && distance(thing.location, at) <= PIN_M,
  );
  const right = around.filter(
    ({ thing, holds: value }) =>
      value === true && (!here.isNearest || thing.distance_m <= nearest + FARTHER_M),
  );
  if (right.length > 0) return true;
  return around.some(({ holds: value }) => value === null) ? null : false;
}

/** A vehicle that is still there is drawn where it was. */
const SAME_M = 3;
/** Members of a station's change, as the simulator calls them. */
const COUNTS = [
  ["vehicles", "available"],
  ["docks", "docks"],
] as const;

/** Whether what an answer says of now is so: counts of a station, a vehicle that is there or not. */
export function judgeChange(
  { change, kind, mode, location, after }: Record<string, unknown>,
  truth: readonly Truth[],
): boolean {
  const at = location as Point;
  const near = (of: string, within_m: number): Truth[] =>
    truth.filter((thing) => thing.kind === of && distance(thing.location, at) <= within_m);
  // Any other answer is none to what changed; stations of the simulator stay.
  if (change === undefined || (kind === "station" && change === "left")) return false;
  if (kind === "station") {
    const reported = after as Record<string, unknown>;
    const stated = COUNTS.filter(([name]) => typeof reported[name] === "number");
    return near("station", PIN_M).some((thing) =>
      stated.every(([name, own]) => thing[own] === reported[name]),
    );
  }
  const available = near("vehicle", change === "left" ? SAME_M : PIN_M).filter(
    (thing) => thing["mode"] === mode && thing["docked_at"] === null,
  );
  return change === "left" ? available.length === 0 : available.length > 0;
}

/** null: not known of the thing. */
export function holds(thing: Truth, wants: Wants, here: Here): boolean | null {
  switch (wants.thing) {
    case "vehicle":
      // A station that rents is as good, where no level is asked for.
      if (thing.kind === "station" && wants.least_charge === undefined)
        return holds(thing, { ...wants, thing: "station", least_available: 1 }, here);
      return (
        thing.kind === "vehicle" &&
        thing["mode"] === wants.mode &&
        thing["available"] === 1 &&
        (thing["docked_at"] === null || thing["docked_at_virtual"] === true) &&
        least(thing["charge"], wants.least_charge)
      );
    case "station":
      return (
        thing.kind === "station" &&
        (thing["modes"] as string[]).includes(wants.mode ?? "") &&
        thing["is_installed"] === true &&
        (wants.least_docks === undefined || thing["is_returning"] === true) &&
        (wants.least_available === undefined || thing["is_renting"] === true) &&
        least(thing["available"], wants.least_available) &&
        least(thing["docks"], wants.least_docks)
      );
    case "service":
      return thing["service_type"] === wants.type || isWater(thing, wants)
        ? holdsService(thing, wants, here)
        : false;
    case "transit": {
      if (thing.kind !== "transit_station") return false;
      if (!(thing["modes"] as string[]).includes(wants.mode ?? "")) return false;
      if (wants.wheelchair !== true || thing["wheelchair"] === "yes") return true;
      return thing["wheelchair"] === "unknown" ? null : false;
    }
    default:
      return false;
  }
}

/** Fountains known to be potable are drinking water. */
const isWater = (thing: Truth, { type }: Wants): boolean =>
  type === "drinking_water" &&
  thing["service_type"] === "fountain" &&
  thing["drinking_water"] === "yes";

function holdsService(thing: Truth, wants: Wants, here: Here): boolean | null {
  const verdicts: (boolean | null)[] = [];
  if (wants.open) verdicts.push(isOpen(thing["opening_hours"] as string | null, here));
  if (wants.fee !== undefined) {
    const fee = (thing["parking"] as { fee: boolean | null }).fee;
    verdicts.push(fee === null ? null : fee === wants.fee);
  }
  const charging = thing["charging"] as TrueCharging | undefined;
  const connectors = charging?.connectors ?? [];
  if (wants.connector !== undefined)
    verdicts.push(connectors.some(({ standard }) => standard === wants.connector));
  if (wants.least_kw !== undefined)
    verdicts.push(connectors.some(({ power_kw }) => power_kw >= wants.least_kw!));
  if (wants.free) {
    const free = charging?.available_by_standard ?? null;
    verdicts.push(free === null ? null : (free[wants.connector ?? ""] ?? 0) > 0);
  }
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

type TrueCharging = {
  connectors: { standard: string; power_kw: number }[];
  available_by_standard: Record<string, number> | null;
};

const least = (value: unknown, bound: number | undefined): boolean =>
  bound === undefined || (typeof value === "number" && value >= bound);

const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** Of the few forms in which the simulator writes hours: `24/7`, or rules `Mo-Fr 08:00-20:00`. */
function isOpen(hours: string | null, { time_zone, now_ms }: Here): boolean | null {
  if (hours === null) return null;
  if (hours === "24/7") return true;
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: time_zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(now_ms);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const day = WEEKDAYS.indexOf(of("weekday").slice(0, 2));
  const clock = `${of("hour")}:${of("minute")}`;
  return hours.split("; ").some((rule) => {
    const [, from = "", to = from, opens = "", closes = ""] =
      /^(\w\w)(?:-(\w\w))? (\d\d:\d\d)-(\d\d:\d\d)$/.exec(rule) ?? [];
    const runs = WEEKDAYS.indexOf(from) <= day && day <= WEEKDAYS.indexOf(to || from);
    return runs && opens <= clock && clock < closes;
  });
}

type Leg = { kind: string; at?: Point; of?: string; leave?: string };

/** A ride: what is taken is there to be taken, and a station at its end has room. */
export function judgeRide(
  chosen: Record<string, unknown>,
  { mode = "" }: Wants,
  { start, end }: { start: readonly Truth[]; end: readonly Truth[] },
): boolean {
  const legs = chosen["legs"] as readonly Leg[];
  const legOf = (kind: string): Leg => legs.find((leg) => leg.kind === kind) ?? { kind };
  const [take, leave] = [legOf("take"), legOf("leave")];
  const isAt = (thing: Truth, at: Point | undefined): boolean =>
    at !== undefined && distance(thing.location, at) <= PIN_M;
  const here: Here = { time_zone: "UTC", now_ms: 0, isNearest: false };
  const taken = start.filter((thing) => isAt(thing, take.at));
  const left = end.filter((thing) => isAt(thing, leave.at));
  const taking: Wants = { thing: "vehicle", mode };
  const leaving: Wants = { thing: "station", mode, least_docks: 1 };
  const isLeft =
    leave.leave !== "station" || left.some((thing) => holds(thing, leaving, here) === true);
  return isLeft && taken.some((thing) => holds(thing, taking, here) === true);
}

/** Sources see a world that is some seconds older. */
const COUNTS_APART = 3;

/** The best of several places: none has more, as far as counts of different moments say. */
export function isBest(
  chosen: Record<string, unknown>,
  wants: Wants,
  places: readonly { text: string; things: readonly Truth[] }[],
): boolean {
  const amountOf = (things: readonly Truth[]): number =>
    things.reduce((sum, thing) => sum + countOf(thing, wants), 0);
  const own_place = places.find(({ text }) => text === chosen["place"]);
  const most = Math.max(...places.map(({ things }) => amountOf(things)));
  return own_place !== undefined && amountOf(own_place.things) >= most - COUNTS_APART;
}

function countOf(thing: Truth, { mode = "", least_docks }: Wants): number {
  if (thing.kind === "vehicle")
    return Number(
      least_docks === undefined &&
        thing["mode"] === mode &&
        thing["available"] === 1 &&
        thing["docked_at"] === null,
    );
  if (thing.kind !== "station" || !(thing["modes"] as string[]).includes(mode)) return 0;
  if (least_docks === undefined)
    return thing["is_renting"] === true ? Number(thing["available"] ?? 0) : 0;
  return thing["is_returning"] === true ? Number(thing["docks"] ?? 0) : 0;
}
