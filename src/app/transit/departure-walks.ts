/**
 * Ways on foot to the stations of departures, and when one must leave for each (docs/transit.md). What
 * cannot be reached in time is said, and nothing is left out for it.
 */
import type { WalkBody, WalkingBody, WalkParameters } from "#api/walk.ts";
import type { Notice } from "#core/notices.ts";
import type { Location } from "#kit/geo.ts";
import type { Walks } from "#ports/walks.ts";
import type { MergedDeparture } from "#transit/schedule/boards.ts";
import type { MergedStation } from "#transit/schedule/merge-boards.ts";
import { type AccessAnswers, joinStepFree } from "./station-access.ts";
import { findWalks, pinWalks, readWalkWish, type WalkWish } from "../walk/walking.ts";

/** What a departure says to who comes on foot. */
export type TimeToGo = {
  walk: WalkBody | null;
  /** Whether its platform is reached from the street without steps; absent: stations are not known. */
  platform_step_free?: boolean | null;
  leave_in_seconds: number | null;
  missed?: true;
};

export type ToStations = {
  leaveFor(departure: MergedDeparture): TimeToGo;
  walking: WalkingBody;
  /** Why no station has a way; null: they were looked for. */
  notice: Notice | null;
  /** When the first of what can still be reached is missed, epoch ms; Infinity: none will be. */
  good_until_ms: number;
};

/** The order of departures is that of time, and none is left out. */
export function readPace(
  question: Pick<WalkParameters, "walk" | "profile" | "speed">,
): WalkWish | null {
  return readWalkWish({ ...question, sort: "distance", within_minutes: undefined });
}

type Leaving = {
  wish: WalkWish;
  /** When one could leave. */
  now_ms: number;
  access?: AccessAnswers | undefined;
  /** Ends the reading of streets. */
  signal?: AbortSignal;
};

/** One way to each station of the departures. */
export async function walkToStations(
  walks: Walks | undefined,
  from: Location,
  departures: readonly MergedDeparture[],
  { wish, now_ms, access, signal }: Leaving,
): Promise<ToStations> {
  const stations = [...new Set(departures.map(({ station }) => station))];
  const places = stations.map(({ lead: { lat, lon } }) => ({ lat, lon }));
  using pinned = await pinWalks(walks, from, places, wish, signal);
  const { ways, walking, notice } = findWalks(pinned, from, places, wish);
  const walkTo = new Map<MergedStation, WalkBody | null>(
    stations.map((station, i) => [station, typeof ways[i] === "object" ? ways[i] : null]),
  );
  const toPlatform = (departure: MergedDeparture): Pick<TimeToGo, "walk" | "platform_step_free"> =>
    withPlatform(departure, walkTo.get(departure.station) ?? null, access);
  const latest = departures.flatMap((each) => leaveBy_ms(each, walkTo.get(each.station)!) ?? []);
  return {
    leaveFor(departure) {
      const reached = toPlatform(departure);
      // Who cannot take a step does not come to a platform that is behind some.
      const isShut = wish.profile === "step_free" && reached.walk?.step_free === false;
      const by_ms = isShut ? null : leaveBy_ms(departure, reached.walk);
      return { ...reached, ...toLeave(by_ms, now_ms) };
    },
    walking: { ...walking, step_free_unknown: countUnknown(departures, toPlatform) },
    notice,
    good_until_ms: Math.min(...latest.filter((by_ms) => by_ms >= now_ms)) + 1,
  };
}

/** The way to the platform of a departure. */
function withPlatform(
  { stop }: MergedDeparture,
  walk: WalkBody | null,
  access: AccessAnswers | undefined,
): Pick<TimeToGo, "walk" | "platform_step_free"> {
  if (access === undefined) return { walk: walk && joinStepFree(walk, null) };
  const platform_step_free = access.ofStop(stop ?? null);
  return { walk: walk && joinStepFree(walk, platform_step_free), platform_step_free };
}

/** Stations with a way of which, for some of its departures, steps are not known. */
function countUnknown(
  departures: readonly MergedDeparture[],
  toPlatform: (departure: MergedDeparture) => Pick<TimeToGo, "walk">,
): number {
  const unknown = departures.filter((each) => toPlatform(each).walk?.step_free === null);
  return new Set(unknown.map(({ station }) => station)).size;
}

/** When one must leave at the latest, epoch ms; null: the way or the time is not known, or it does not leave. */
function leaveBy_ms(
  { status, planned_ms, expected_ms, headway_s }: MergedDeparture,
  walk: WalkBody | null,
): number | null {
  // Where only an interval is promised, the planned time is one of many.
  const at_ms = expected_ms ?? (headway_s === null ? planned_ms : null);
  if (at_ms === null || walk === null || status === "cancelled" || status === "skipped")
    return null;
  return at_ms - walk.seconds * 1_000;
}

/** Whole seconds, down: who leaves within them is not late. */
function toLeave(by_ms: number | null, now_ms: number): Omit<TimeToGo, "walk"> {
  if (by_ms === null) return { leave_in_seconds: null };
  const leave_in_seconds = Math.floor((by_ms - now_ms) / 1_000);
  return { leave_in_seconds, ...(leave_in_seconds < 0 && { missed: true as const }) };
}
