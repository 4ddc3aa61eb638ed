// Laying lines through a city: where each calls, and the stations that are built there.
import { distance, offset, type Point } from "../geo.ts";
import { between, hash, unit } from "../rng.ts";
import type { Part, TransitMode } from "./transit-model.ts";

type DraftPlatform = {
  readonly mode: TransitMode;
  readonly part: Part;
  readonly parts: readonly Part[];
  readonly lines: number[];
};

export type Draft = Point & {
  readonly form: "station" | "pole";
  readonly across: { readonly station: number; readonly distance_m: number } | null;
  readonly platforms: DraftPlatform[];
};

export type Course = {
  readonly line: number;
  readonly key: number;
  readonly mode: TransitMode;
  readonly part: Part;
  readonly parts: readonly Part[];
  /** How many lines of the mode were laid before. */
  readonly nth: number;
};

/** Place where a line calls: at the same place both ways, or at the poles on both sides of the street. */
export type Visit = {
  readonly outbound: { readonly station: number; readonly platform: number };
  readonly back: { readonly station: number; readonly platform: number };
};

type Habit = {
  readonly step_m: number;
  readonly stops: number;
  /** What it builds where nothing is near: a station, one pole, or one on each side. */
  readonly builds: "station" | "pole" | "poles";
  /** It calls at a station that is so near. */
  readonly joins_m: number;
};

const HABITS: Readonly<Record<TransitMode, Habit>> = {
  metro: { step_m: 620, stops: 11, builds: "station", joins_m: 260 },
  tram: { step_m: 340, stops: 9, builds: "station", joins_m: 200 },
  bus: { step_m: 330, stops: 9, builds: "poles", joins_m: 130 },
  rail: { step_m: 2300, stops: 5, builds: "station", joins_m: 420 },
  rapid_transit: { step_m: 1450, stops: 7, builds: "station", joins_m: 300 },
  ferry: { step_m: 1100, stops: 4, builds: "pole", joins_m: 0 },
  coach: { step_m: 2500, stops: 4, builds: "pole", joins_m: 420 },
  cable_transport: { step_m: 380, stops: 5, builds: "station", joins_m: 100 },
};

/** Stations of different names stay further apart than any source's pin is off. */
const APART_M = 90;
const GOLDEN_TURN = 0.381966;

/** Adds what is missing to the drafts. */
export function layLine(centre: Point, drafts: Draft[], course: Course): Visit[] {
  const { step_m, stops } = HABITS[course.mode];
  const visits: Visit[] = [];
  for (let n = 0; n < stops; n += 1) {
    const middle = Math.floor(stops / 2);
    const jitter = n === middle ? 0 : (unit(course.key, n, 1) - 0.5) * 0.3;
    const visit = call(drafts, course, pointOf(centre, course, (n - middle + jitter) * step_m));
    const isKnown = visits.some(({ outbound }) => outbound.station === visit.outbound.station);
    if (!isKnown) visits.push(visit);
  }
  return visits;
}

/** The first line of a mode passes the centre, the others next to it. */
function pointOf(centre: Point, { key, line, nth }: Course, along_m: number) {
  const aside_m = nth === 0 ? 80 * unit(key, 2) : 250 + 1500 * unit(key, 2);
  const angle = 2 * Math.PI * (line * GOLDEN_TURN + 0.05 * unit(key, 3));
  const [east, north] = [Math.sin(angle), Math.cos(angle)];
  const at = (forth_m: number, beside_m: number): Point =>
    offset(centre, east * forth_m + north * beside_m, north * forth_m - east * beside_m);
  return (shift_m: number, beside_m: number): Point => at(along_m + shift_m, aside_m + beside_m);
}

type Spot = (shift_m: number, beside_m: number) => Point;

function call(drafts: Draft[], course: Course, spot: Spot): Visit {
  const habit = HABITS[course.mode];
  const joined = nearestIn(drafts, spot(0, 0), habit);
  if (joined === null) return build(drafts, course, habit, spot);
  const station = drafts[joined];
  // Both ways from one pole each: whichever of the two was nearer.
  if (station?.form === "pole" && station.across !== null) {
    const [first, second] = [joined, station.across.station].toSorted((a, b) => a - b);
    return { outbound: stopAt(drafts, course, first, 0), back: stopAt(drafts, course, second, 0) };
  }
  return {
    outbound: stopAt(drafts, course, joined, 0),
    back: stopAt(drafts, course, joined, isOneSided(course.mode) ? 0 : 1),
  };
}

/** Buses and coaches have one bay at a station. */
const isOneSided = (mode: TransitMode): boolean => mode === "bus" || mode === "coach";

function nearestIn(drafts: readonly Draft[], at: Point, habit: Habit): number | null {
  const near = drafts
    .map((draft, index) => ({ draft, index, distance_m: distance(at, draft) }))
    .filter(({ distance_m }) => distance_m <= habit.joins_m)
    // Buses alone call at the poles of others.
    .filter(({ draft }) => draft.form === "station" || isBusPole(draft, habit))
    .toSorted((a, b) => a.distance_m - b.distance_m);
  return near[0]?.index ?? null;
}

const isBusPole = ({ platforms }: Draft, { builds }: Habit): boolean =>
  builds === "poles" && platforms.every(({ mode }) => mode === "bus");

function build(drafts: Draft[], course: Course, { builds }: Habit, spot: Spot): Visit {
  const index = drafts.length;
  const shift_m = freeShift(drafts, (shift) => spot(shift, 0));
  const form = builds === "station" ? "station" : "pole";
  if (builds !== "poles") {
    drafts.push({ ...spot(shift_m, 0), form, across: null, platforms: [] });
    const back = builds === "station" ? 1 : 0;
    return {
      outbound: stopAt(drafts, course, index, 0),
      back: stopAt(drafts, course, index, back),
    };
  }
  const distance_m = between(15, 40, course.key, index, 4);
  const side = (station: number, beside_m: number): Draft => ({
    ...spot(shift_m, beside_m),
    form,
    across: { station, distance_m },
    platforms: [],
  });
  drafts.push(side(index + 1, distance_m / 2), side(index, -distance_m / 2));
  return { outbound: stopAt(drafts, course, index, 0), back: stopAt(drafts, course, index + 1, 0) };
}

function freeShift(drafts: readonly Draft[], at: (shift_m: number) => Point): number {
  for (let shift_m = 0; ; shift_m += 25)
    if (drafts.every((other) => distance(at(shift_m), other) >= APART_M)) return shift_m;
}

/** The platform of that mode and side, built where there is none. */
function stopAt(
  drafts: readonly Draft[],
  { mode, part, parts, line }: Course,
  station: number | undefined,
  side: 0 | 1,
): Visit["outbound"] {
  const draft = drafts[station ?? -1];
  if (draft === undefined || station === undefined) throw new Error("a call at no station");
  const fitting = draft.platforms.flatMap((each, index) =>
    draft.form === "pole" || (each.mode === mode && each.part === part) ? [index] : [],
  );
  const platform = fitting[side] ?? draft.platforms.length;
  if (platform === draft.platforms.length) draft.platforms.push({ mode, part, parts, lines: [] });
  const lines = draft.platforms[platform]?.lines;
  if (lines?.includes(line) === false) lines.push(line);
  return { station, platform };
}

/** Adds a terminus by the centre, where the first line of every mode passes. */
export function addTerminus(centre: Point, drafts: Draft[], key: number): void {
  const at = spotAt(centre, 2 * Math.PI * unit(key, 6), 40);
  drafts.push({ ...at, form: "station", across: null, platforms: [] });
}

/** Built, but served by no line: a station and a pole. */
export function addForgotten(centre: Point, drafts: Draft[], key: number): void {
  for (const form of ["station", "pole"] as const) {
    const far_m = form === "pole" ? 260 : 700;
    const turn = 2 * Math.PI * unit(hash(key, 5, far_m));
    const shift_m = freeShift(drafts, (shift) => spotAt(centre, turn, far_m + shift));
    const platforms: DraftPlatform[] = [{ mode: "bus", part: 0, parts: [0], lines: [] }];
    drafts.push({ ...spotAt(centre, turn, far_m + shift_m), form, across: null, platforms });
  }
}

const spotAt = (centre: Point, angle: number, far_m: number): Point =>
  offset(centre, Math.sin(angle) * far_m, Math.cos(angle) * far_m);
