// Ways within a station, from its doors over a hall to its platforms; lifts, and when they are out of
// order. Stations with one door have none that anybody has surveyed.
import { distance } from "../geo.ts";
import { hash } from "../rng.ts";
import type { Part, TransitStation } from "./transit-model.ts";

/** Kinds of GTFS (pathway_mode). */
export const MODES = { walkway: 1, stairs: 2, escalator: 4, lift: 5 } as const;

export type StationPlace =
  | { readonly kind: "door"; readonly n: number }
  | { readonly kind: "hall" }
  /** `area`: of a platform with marked places on it one of these. */
  | { readonly kind: "platform"; readonly index: number; readonly area: number | null };

export type StationWay = {
  readonly from: StationPlace;
  readonly to: StationPlace;
  readonly mode: (typeof MODES)[keyof typeof MODES];
  readonly both: boolean;
  /** Of a lift it is not said. */
  readonly length_m: number | null;
  /** A share; null: level. */
  readonly slope: number | null;
  /** Number of the lift in its station, from 1; null: it is none. */
  readonly lift: number | null;
};

/** Stations with two doors or more: those that have levels. */
export const isLevelled = ({ entrances, platforms, lines, form }: TransitStation): boolean =>
  form === "station" && entrances.length > 1 && platforms.length > 0 && lines.length > 0;

/** `lifts`: stairs everywhere, and lifts; `stairs`: nothing else; `street`: the hall is on the street. */
export type Build = "lifts" | "stairs" | "street";
const BUILDS: readonly Build[] = ["lifts", "stairs", "street"];

export const buildOf = ({ key }: TransitStation): Build =>
  BUILDS[hash(key, 0x6c76) % BUILDS.length]!;

/** Platforms that lifts lead to. */
const LIFTED = 2;
const STEEP = 0.09;
const DEEP_M = 18;

/** Ways to the platforms of one feed. */
export function listStationWays(station: TransitStation, part: Part): StationWay[] {
  if (!isLevelled(station)) return [];
  const build = buildOf(station);
  const hall: StationPlace = { kind: "hall" };
  const doors = station.entrances.map((at, n): StationWay => {
    const way = { from: { kind: "door", n } as const, to: hall, length_m: distance(at, station) };
    if (build === "street" && n === 0) return { ...way, ...LEVEL };
    if (build === "lifts" && n === 1) return { ...way, ...LIFT, lift: 1 };
    return n === 2 ? { ...way, ...ESCALATOR } : { ...way, ...STAIRS };
  });
  const platforms = station.platforms.filter(({ parts }) => parts.includes(part));
  const below = platforms.flatMap((platform) => {
    const areas = Array.from({ length: platform.areas }, (_, n) => n);
    return (areas.length > 0 ? areas : [null]).flatMap((area): StationWay[] => {
      const to: StationPlace = { kind: "platform", index: platform.index, area };
      const way = { from: hall, to, length_m: DEEP_M + distance(platform, station) };
      const stairs = { ...way, ...STAIRS };
      if (build === "street" && platform.index === 1) return [stairs, { ...way, ...RAMP }];
      const lift = liftTo(build, platform.index);
      return lift === null ? [stairs] : [stairs, { ...way, ...LIFT, lift }];
    });
  });
  return [...doors, ...below];
}

function liftTo(build: Build, platform: number): number | null {
  if (build === "street") return platform === 0 ? 1 : null;
  return build === "lifts" && platform < LIFTED ? platform + 2 : null;
}

const LEVEL = { mode: MODES.walkway, both: true, slope: null, lift: null } as const;
const RAMP = { ...LEVEL, slope: STEEP } as const;
const STAIRS = { ...LEVEL, mode: MODES.stairs } as const;
const ESCALATOR = { ...LEVEL, mode: MODES.escalator, both: false } as const;
const LIFT = { ...LEVEL, mode: MODES.lift, length_m: null } as const;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export type Outage = { readonly day: number; readonly from_ms: number; readonly to_ms: number };

/** Of the day of a moment, by UTC: of four lifts one is out of order from six to eighteen o'clock. */
export function outageOf({ key }: TransitStation, lift: number, at_ms: number): Outage | null {
  const day = Math.floor(at_ms / DAY_MS);
  if (hash(key, lift, day, 0x6f75) % 4 > 0) return null;
  return { day, from_ms: day * DAY_MS + 6 * HOUR_MS, to_ms: day * DAY_MS + 18 * HOUR_MS };
}

export function isOut(station: TransitStation, lift: number, at_ms: number): boolean {
  const outage = outageOf(station, lift, at_ms);
  return outage !== null && at_ms >= outage.from_ms && at_ms < outage.to_ms;
}

/** Numbers of the lifts of a station, in any of its feeds. */
export const liftsOf = (station: TransitStation): number[] => [
  ...new Set(
    ([0, 1] as const).flatMap((part) =>
      listStationWays(station, part).flatMap(({ lift }) => lift ?? []),
    ),
  ),
];
