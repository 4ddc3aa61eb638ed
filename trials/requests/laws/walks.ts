/**
 * What ways on foot to listed results mean (docs/walking.md): never shorter than the straight line,
 * at the pace of the question, within its time, and counted.
 */
import type { Question } from "../verdict.ts";
import { greatCircle, type Point } from "./geo.ts";

export type Way = { meters: number; seconds: number; step_free: boolean | null };
/** A result; without the member, no ways were asked for. */
export type OnFoot = { id: string; location: Point; walk?: Way | null | undefined };

export type Walking = {
  profile: string;
  speed_meters_per_second: number;
  within_meters: number;
  reached: number;
  not_reached: number;
  unknown: number;
  step_free_unknown: number;
  reason?: string;
  base: object | null;
};

/** What a question says of ways on foot. */
export type Wish = {
  profile: string;
  speed: number;
  within_s: number | null;
  sorts: boolean;
  /** What is unknown is left out. */
  strict: boolean;
};

const DEFAULT_SPEED = 1.33;
/** No way is longer. */
export const MOST_M = 4_500;
/** Results that are looked at. */
const MOST_LOOKED = 500;
/** Metres are rounded, and the earth is round in two ways. */
export const SLACK_M = 1;

/** null: it asks for none. */
export function readWish({ values }: Pick<Question, "values">): Wish | null {
  const { walk, sort, within_minutes, profile = "foot", speed = DEFAULT_SPEED } = values;
  const strict = values["strict"] === true;
  const sorts = sort === "walk";
  const within_s = within_minutes === undefined ? null : 60 * Number(within_minutes);
  const wish = { profile: String(profile), speed: Number(speed), within_s, sorts, strict };
  const isPlain = !sorts && within_s === null && profile === "foot" && speed === DEFAULT_SPEED;
  return isPlain && walk !== true ? null : wish;
}

/** For an order on foot: what has no known way comes last. Absent: the order is that of distance. */
export function secondsOf(
  question: Pick<Question, "values">,
  { walk }: Pick<OnFoot, "walk">,
): number | undefined {
  return readWish(question)?.sorts ? (walk?.seconds ?? Infinity) : undefined;
}

type Listed = {
  walking: Walking | undefined;
  results: readonly OnFoot[];
  /** How many there are; null: it is not counted in results that are walked to. */
  total: number | null;
  /** Whether steps of a station are among those of the way. */
  inside?: boolean;
};

export function findWalksProblem(question: Question, listed: Listed): string | null {
  const wish = readWish(question);
  const { walking, results, inside = false } = listed;
  if (wish === null) {
    const isNone = walking === undefined && results.every(({ walk }) => walk === undefined);
    return isNone ? null : "ways on foot, which were not asked for";
  }
  if (walking === undefined) return "ways on foot were asked for, and nothing is said of them";
  const without = results.find(({ walk }) => walk === undefined);
  if (without !== undefined) return `${without.id} says nothing of the way to it`;
  const wrong = results.map((result) => {
    const problem =
      farProblem(question, result, wish) ??
      (result.walk ? wayProblem(result.walk, wish, beelineTo(question, result)) : null) ??
      (result.walk && isLonger(result.walk, walking) ? "beyond what was looked for" : null) ??
      (!inside && isStepped(result, wish) ? "steps on a way without steps" : null);
    return problem === null ? null : `${result.id}: ${problem}`;
  });
  return (
    paceProblem(walking, wish) ??
    wrong.find((problem) => problem !== null) ??
    countsProblem(walking, wish, listed)
  );
}

const beelineTo = (from: Point, { location }: Pick<OnFoot, "location">): number =>
  greatCircle(from, location);
const isLonger = ({ meters }: Way, { within_meters }: Walking): boolean =>
  meters > within_meters + SLACK_M;
const isStepped = ({ walk }: OnFoot, { profile }: Wish): boolean =>
  profile === "step_free" && walk?.step_free === false;

/** What is too far by straight line is left out, whatever is known of streets. */
function farProblem(from: Point, result: OnFoot, { within_s, speed }: Wish): string | null {
  const beeline_m = beelineTo(from, result);
  const isFar = within_s !== null && beeline_m > within_s * speed + SLACK_M;
  return isFar ? `${beeline_m} m away, which is not walked in ${within_s} s` : null;
}

/** One way, in any answer. */
export function wayProblem(
  { meters, seconds }: Way,
  { speed, within_s }: Pick<Wish, "speed" | "within_s">,
  beeline_m: number,
): string | null {
  if (meters < beeline_m - SLACK_M) return `${meters} m on foot, ${beeline_m} m by straight line`;
  const least = Math.ceil((meters - 0.5) / speed - 1e-6);
  const most = Math.ceil((meters + 0.5) / speed + 1e-6);
  if (seconds < least || seconds > most) return `${seconds} s for ${meters} m at ${speed} m/s`;
  return within_s !== null && seconds > within_s
    ? `${seconds} s, and ${within_s} s are asked for`
    : null;
}

/** Of `walking`: the pace of the question, and a bound that its time allows. */
export function paceProblem(
  walking: Pick<Walking, "profile" | "speed_meters_per_second" | "within_meters">,
  { profile, speed, within_s }: Pick<Wish, "profile" | "speed" | "within_s">,
): string | null {
  if (walking.profile !== profile) return `walking.profile is ${walking.profile}`;
  if (walking.speed_meters_per_second !== speed)
    return `walking.speed_meters_per_second is ${walking.speed_meters_per_second}`;
  const most_m = Math.min(MOST_M, within_s === null ? MOST_M : within_s * speed + 1e-3);
  return walking.within_meters > most_m
    ? `walking.within_meters is ${walking.within_meters}`
    : null;
}

function countsProblem(walking: Walking, wish: Wish, { results, total }: Listed): string | null {
  const { reached, not_reached, unknown, step_free_unknown, reason, base } = walking;
  const looked = reached + not_reached + unknown;
  const known = results.filter(({ walk }) => walk !== null).length;
  const isNone = reason !== undefined && reason !== "start_off_network";
  if ((base === null) !== isNone) return `walking.base is there, and walking.reason is ${reason}`;
  if (reason !== undefined && reached > 0) return `${reached} reached, though ${reason}`;
  if (step_free_unknown > reached)
    return `${step_free_unknown} of ${reached} ways without certainty`;
  if (looked > MOST_LOOKED) return `${looked} were looked at`;
  if (total === null) return null;
  if (known > reached) return `${known} ways are shown, ${reached} are counted`;
  const isChosen = wish.sorts || wish.within_s !== null;
  const kept = wish.strict ? reached : reached + unknown;
  if (wish.within_s !== null && total !== kept)
    return `${total} in all, ${reached} reached and ${unknown} unknown`;
  if (!isChosen && looked !== results.length) return `${looked} looked at, ${results.length} shown`;
  if (wish.within_s === null && isChosen && looked !== Math.min(total, MOST_LOOKED))
    return `${looked} looked at of ${total}`;
  return null;
}
