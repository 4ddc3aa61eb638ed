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
    | "change";
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
  const held = truth.map((thing) => ({ thing, holds: holds(thing, wants, here) }));
  const nearest = Math.min(
    ...held.filter((each) => each.holds === true).map(({ thing }) => thing.distance_m),
  );
  const around = held.filter(
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
  if (kind === "station") {
    const said = after as Record<string, unknown>;
    const stated = COUNTS.filter(([name]) => typeof said[name] === "number");
    return near("station", PIN_M).some((thing) =>
      stated.every(([name, own]) => thing[own] === said[name]),
    );
  }
  const there = near("vehicle", change === "left" ? SAME_M : PIN_M).filter(
    (thing) => thing["mode"] === mode && thing["docked_at"] === null,
  );
  return change === "left" ? there.length === 0 : there.length > 0;
}

/** null: not known of the thing. */
function holds(thing: Truth, wants: Wants, here: Here): boolean | null {
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
