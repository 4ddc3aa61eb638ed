/** Pairs about ways on foot: there and back, and more time to walk (docs/walking.md). */
import { type Way } from "./laws/walks.ts";
import { toReachAnswer, toWayAnswer, type WayAnswer } from "./laws/ways.ts";
import { bodyOf, type Json, type Kind, meta, replace, text } from "./pairs.ts";

/** Parameters of ways on foot, in the order of the description. */
export const ON_FOOT = ["walk", "sort", "within_minutes", "profile", "speed"] as const;

/** Lengths that are summed in another order, and rounded. */
const SLACK = 1;
/** Minutes of the shorter of two questions. */
const SHORT = 6;

const SEARCHES = [
  ...["getNearby", "getTransportNearby", "getServicesNearby"],
  ...["getParkingNearby", "getChargingNearby"],
];

export const WALK_TWINS: Readonly<Record<string, Kind>> = {
  "way back": {
    of: ["getWalk"],
    pair: (request, { values }) => [
      replace(request, { format: "json" }),
      replace(request, { from: values["to"], to: values["from"], format: "json" }),
    ],
    problem: (there, back) => {
      const [a, b] = [bodyOf(there), bodyOf(back)];
      if (!a || !b) return `${there.status} there, ${back.status} back`;
      const [way, other] = [toWayAnswer(a), toWayAnswer(b)];
      if (isSame(way, turned(other))) return null;
      return `there\n${measuresOf(way)}\nback\n${measuresOf(other)}`;
    },
  },
  "feature and object": {
    of: ["getWalk", "getReach"],
    pair: (request) => [
      replace(request, { format: "json" }),
      replace(request, { format: "geojson" }),
    ],
    problem: (plain, geo) => {
      const [a, b] = [bodyOf(plain), bodyOf(geo)];
      if (!a || !b) return `${plain.status} and ${geo.status}`;
      const read = b["type"] === "Feature" ? toWayAnswer : toReachAnswer;
      const one = sorted(read(a));
      const other = sorted(read(b));
      return one === other ? null : `as an object\n${one}\nas GeoJSON\n${other}`;
    },
  },
  "more minutes": {
    of: ["getReach"],
    pair: (request) => [
      replace(request, { minutes: SHORT, format: "json" }),
      replace(request, { minutes: 2 * SHORT, format: "json" }),
    ],
    problem: (short, long) => {
      const [a, b] = [bodyOf(short), bodyOf(long)];
      if (!a || !b) return `${short.status} in less time, ${long.status} in more`;
      const [less, more] = [toReachAnswer(a).reached, toReachAnswer(b).reached];
      for (const [name, family] of Object.entries(less)) {
        const other = more[name];
        if (!family || !other) continue;
        if (other.count < family.count)
          return `${family.count} ${name} in less time, ${other.count} in more`;
        const [near, nearest] = [family.nearest?.walk.seconds, other.nearest?.walk.seconds];
        if (near !== undefined && near !== nearest)
          return `the nearest ${name} is ${near} s away in less time, ${nearest} s in more`;
      }
      return null;
    },
  },
  "more time": {
    of: SEARCHES,
    pair: (request) => {
      const within = (minutes: number): Json => ({
        within_minutes: minutes,
        walk: true,
        limit: 100,
      });
      const plain = { offset: 0, format: "json", debug: false };
      const members = request.target.startsWith("/v1/nearby") ? plain : {};
      return [
        replace(request, { ...members, ...within(SHORT) }),
        replace(request, { ...members, ...within(2 * SHORT) }),
      ];
    },
    problem: (short, long) => {
      const [a, b] = [bodyOf(short), bodyOf(long)];
      if (!a || !b) return `${short.status} in less time, ${long.status} in more`;
      const [less, more] = [Number(meta(a)["total"]), Number(meta(b)["total"])];
      return less <= more ? null : `${less} in less time, ${more} in more`;
    },
  },
};

/** The way back as the way there. */
function turned(way: WayAnswer): WayAnswer {
  const { from, to, from_snap_meters, to_snap_meters, reason } = way;
  const ends = { start_off_network: "target_off_network", target_off_network: "start_off_network" };
  const other = ends[reason as keyof typeof ends] ?? reason;
  return {
    ...way,
    from: to,
    to: from,
    from_snap_meters: to_snap_meters,
    to_snap_meters: from_snap_meters,
    ...(other === undefined ? {} : { reason: other }),
  };
}

/** Where both ends are off the streets, either may be named. */
function isSame(way: WayAnswer, other: WayAnswer): boolean {
  const isOff = [way, other].every(({ reason }) => reason?.endsWith("_off_network"));
  if (way.status !== other.status || (way.reason !== other.reason && !isOff)) return false;
  const names = ["meters", "seconds", "from_snap_meters", "to_snap_meters"] as const;
  return way.step_free === other.step_free && names.every((name) => isNear(way[name], other[name]));
}

function isNear(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= SLACK;
}

function measuresOf(way: WayAnswer): string {
  const { geometry: _, walking: __, message: ___, notices: ____, ...measures } = way;
  return text(measures);
}

/** JSON with members in order of name, without the form. */
function sorted(value: object): string {
  return JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

type Walked = { walk?: Way | null; source?: object };

/**
 * Two lists of the same results, without the ways that only one of them knows: a longer page is
 * searched farther.
 */
export function sameWays(
  one: readonly unknown[],
  other: readonly unknown[],
): [unknown[], unknown[]] {
  const isKnown = (i: number): boolean => !!wayOf(one[i]) && !!wayOf(other[i]);
  return [
    one.map((each, i) => (isKnown(i) ? each : withoutWay(each))),
    other.map((each, i) => (isKnown(i) ? each : withoutWay(each))),
  ];
}

/** Of a vehicle it is in its source, of a feature in its properties. */
function wayOf(result: unknown): unknown {
  const { walk, source, properties } = result as Walked & { properties?: object };
  if (walk !== undefined) return walk;
  const inner = source ?? properties;
  return inner === undefined ? undefined : wayOf(inner);
}

function withoutWay(result: unknown): unknown {
  return JSON.parse(
    JSON.stringify(result, (name, value: unknown) => (name === "walk" ? undefined : value)),
  );
}
