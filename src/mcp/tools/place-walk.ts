/** The way on foot from a point of the caller's to one result (get_place), and when to leave for it. */
import { LIMITS } from "#api/limits.ts";
import type { WalkBody } from "#api/walk.ts";
import { findWalks, pinWalks, type WalkWish, withoutInside } from "#app/walk/walking.ts";
import type { Location } from "#kit/geo.ts";
import { parseRfc3339 } from "#kit/time.ts";
import { sayWalking, toFootMinutes, toLeave } from "../on-foot.ts";
import type { PlaceRecord } from "../tool-records.ts";
import type { AnswerOf, ToolDeps } from "../tool.ts";

export type WalkToWish = { start: Location } & Pick<WalkWish, "profile">;

type Walked = {
  members: Pick<AnswerOf<"get_place">, "walk" | "walking">;
  /** The result; its departures say when to leave. */
  record: PlaceRecord;
};

export async function walkToPlace(
  { walks }: Pick<ToolDeps, "walks">,
  record: PlaceRecord,
  { start, profile, now_ms }: WalkToWish & { now_ms: number },
): Promise<Walked> {
  const wish = { profile, speed: LIMITS.walk.speed_default, within_s: null, sorts: false };
  using pinned = await pinWalks(walks, start, [record.location], wish);
  const walked = findWalks(pinned, start, [record.location], wish);
  const { ways, walking, notice } =
    record.kind === "transit_station" ? withoutInside(walked) : walked;
  const [way = "not_reached"] = ways;
  const walk = typeof way === "string" ? { minutes: null, reason: way } : toMembers(way);
  const members = { walk: { from: start, ...walk }, walking: sayWalking(walking, null, notice) };
  const departures = record["departures"];
  if (!Array.isArray(departures)) return { members, record };
  const known = typeof way === "string" ? null : way;
  const leaving = (departures as Departure[]).map((each) => ({
    ...each,
    ...toLeave({ leave_in_seconds: leaveIn_s(each, known, now_ms) }),
  }));
  return { members, record: { ...record, departures: leaving } };
}

function toMembers({ seconds, meters, step_free }: WalkBody) {
  return { minutes: toFootMinutes(seconds), meters, step_free };
}

type Departure = Pick<
  AnswerOf<"find_departures">["results"][number],
  "status" | "planned_at" | "expected_at" | "headway_seconds"
>;

/** As GET /v1/departures/nearby says it; null: not known, or it does not leave. */
function leaveIn_s(
  { status, planned_at, expected_at, headway_seconds }: Departure,
  walk: WalkBody | null,
  now_ms: number,
): number | null {
  // Where only an interval is promised, the planned time is one of many.
  const at = expected_at ?? (headway_seconds === undefined ? planned_at : null);
  const at_ms = at === null ? null : parseRfc3339(at);
  if (at_ms === null || walk === null || status === "cancelled" || status === "skipped")
    return null;
  return Math.floor((at_ms - now_ms) / 1_000 - walk.seconds);
}
