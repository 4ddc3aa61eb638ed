/**
 * Ways on foot in the answers of tools (docs/agents.md, On foot): members of a result, and one sentence
 * about all of them. No way is ever a straight line.
 */
import { LIMITS } from "#api/limits.ts";
import type { Immutable } from "#api/operations.ts";
import type { WalkBody, WalkingBody } from "#api/walk.ts";
import type { WalkWish } from "#app/walk/walking.ts";
import { isOfLostWalks, type Notice, ofNoWalks, toEnded, toSentence } from "#core/notices.ts";

export type FootArguments = Pick<WalkWish, "profile"> & { within_minutes?: number | undefined };

/** Members of a result (packages/api/agent-walk). */
export type FootMembers = {
  walk_minutes?: number | null;
  walk_meters?: number;
  step_free?: boolean | null;
};

/** `known`: whether ways are known at the point at all. */
export type FootHow = Pick<WalkWish, "profile"> & { known: boolean };

/** Steps are said where they were asked about. */
export function toFoot(walk: WalkBody | null | undefined, how: FootHow): FootMembers {
  if (!how.known) return {};
  if (!walk) return { walk_minutes: null };
  const { meters, seconds, step_free } = walk;
  const steps = how.profile === "step_free" ? { step_free } : {};
  return { walk_minutes: toFootMinutes(seconds), walk_meters: meters, ...steps };
}

/** Tenths of a minute, rounded up: who leaves by them is not late. */
export function toFootMinutes(seconds: number): number {
  return Math.ceil(seconds / SECONDS_PER_TENTH) / 10;
}

const SECONDS_PER_TENTH = 6;
const SECONDS_PER_MINUTE = 60;

/** Members of a question of a search whose nearest on foot comes first. */
export function toFootQuestion({ profile, within_minutes }: FootArguments) {
  const { speed_default: speed } = LIMITS.walk;
  return { walk: true, sort: "walk", profile, speed, within_minutes } as const;
}

/** What the sentence needs of the ways that were looked for. */
export type Looked = Pick<
  WalkingBody,
  "profile" | "speed_meters_per_second" | "within_meters" | "step_free_unknown"
> & { reason?: WalkingBody["reason"] | undefined };

/** What it says of a list by ways; `unknown`: results without a known way. */
export type ListCounts = { within_minutes?: number | undefined; unknown: number };

/**
 * Says how ways are known and in which order results are; `list` null: they are in no order of ways.
 * `notice`: why no result has one, where that is said of it.
 */
export function sayWalking(
  looked: Looked,
  list: ListCounts | null,
  notice: Pick<Notice, "message"> | null = null,
): string {
  const { profile, speed_meters_per_second: speed, reason, step_free_unknown } = looked;
  if (reason !== undefined) {
    const order = list === null ? "" : "; the nearest in a straight line first";
    const { message } = notice ?? ofNoWalks(reason);
    return toSentence(`${message.replace(/\.$/, "")}${order}`);
  }
  const isStepFree = profile === "step_free";
  const steps = isStepFree ? ", without a known step" : "";
  const order = list === null ? "" : "; the nearest on foot first";
  const doubt = isStepFree && step_free_unknown > 0;
  return [
    `Minutes on foot along streets at ${speed} m/s${steps}${order}.`,
    ...(list === null ? [] : sayCounts(looked, list)),
    ...(doubt ? [`Not certain to be without a step (step_free null): ${step_free_unknown}.`] : []),
  ].join(" ");
}

function sayCounts({ within_meters }: Looked, { within_minutes, unknown }: ListCounts): string[] {
  const isBound = within_minutes !== undefined;
  const bound = isBound ? [`Left out: what is farther than ${within_minutes} minutes.`] : [];
  const most = isBound ? "a known way" : `a known way of at most ${within_meters} metres`;
  return [...bound, ...(unknown === 0 ? [] : [`Last, without ${most}: ${unknown}.`])];
}

/** A result as the order sees it. */
export type Footed = {
  id: string;
  distance_meters: number;
  walk?: WalkBody | null | undefined;
};

/** The nearest in a straight line, where another is nearer on foot; `results`: in their order on foot. */
export function toNearestStraight(
  results: readonly Footed[],
  how: FootHow,
): { nearest_straight?: { id: string; distance_meters: number } & FootMembers } {
  const [first] = results;
  if (!first?.walk) return {};
  const nearest = results.reduce((least, each) =>
    each.distance_meters < least.distance_meters ? each : least,
  );
  // Some results go last for another reason.
  if (nearest.walk && nearest.walk.seconds <= first.walk.seconds) return {};
  const { id, distance_meters, walk } = nearest;
  return { nearest_straight: { id, distance_meters, ...toFoot(walk, how) } };
}

/** When to leave on foot for a departure, in words. */
export function toLeave({
  leave_in_seconds: left_s,
}: {
  leave_in_seconds?: number | null | undefined;
}): {
  leave?: string | null;
} {
  if (left_s === undefined) return {};
  return { leave: left_s === null ? null : sayLeave(left_s) };
}

/** Whole minutes, so that who leaves by them is not late. */
function sayLeave(left_s: number): string {
  if (left_s < 0) return `missed by ${Math.ceil(-left_s / SECONDS_PER_MINUTE)} min`;
  const minutes = Math.floor(left_s / SECONDS_PER_MINUTE);
  return minutes === 0 ? "now" : `in ${minutes} min`;
}

type Stated = Pick<Notice, "cause" | "message">;
type Body = { walking?: Immutable<WalkingBody> | undefined };

/** Whether ways are known at the point of an answer. */
export function hasWalks({ walking }: Body): boolean {
  return walking !== undefined && walking.reason === undefined;
}

/** The sentence about the ways of an answer; `isByTime`: its results are in the order of time. */
export function toWalking(
  { walking, notices }: Body & { notices?: readonly Stated[] | undefined },
  { within_minutes, isByTime = false }: FootArguments & { isByTime?: boolean },
): { walking?: string } {
  if (walking === undefined) return {};
  const { not_reached, unknown } = walking;
  const isBound = within_minutes !== undefined;
  const counts = { within_minutes, unknown: isBound ? unknown : unknown + not_reached };
  const lost = notices?.find(isOfLostWalks);
  return { walking: sayWalking(walking, isByTime ? null : counts, lost) };
}

/** The notices of an answer but for what the sentence says. */
export function withoutWalks<N extends Stated>({
  walking,
  notices,
}: Body & { notices?: readonly N[] | undefined }): readonly N[] | undefined {
  const reason = walking?.reason;
  if (reason === undefined) return notices;
  const { message } = toEnded(ofNoWalks(reason));
  return notices?.filter((notice) => notice.message !== message && !isOfLostWalks(notice));
}
