/** The way on foot from a point of the caller's to one result (get_place). */
import type { AnswerOf, ToolDeps } from "../tool.ts";
import { LIMITS } from "#api/limits.ts";
import { findWalks, type WalkWish } from "#app/walk/walking.ts";
import type { Location } from "#kit/geo.ts";
import { sayWalking, toFootMinutes } from "../on-foot.ts";
import type { PlaceRecord } from "../tool-records.ts";

export type WalkToWish = { start: Location } & Pick<WalkWish, "profile">;

type Members = Pick<AnswerOf<"get_place">, "walk" | "walking">;

export function walkToPlace(
  { walks }: Pick<ToolDeps, "walks">,
  { location }: PlaceRecord,
  { start, profile }: WalkToWish,
): Members {
  const wish = { profile, speed: LIMITS.walk.speed_default, within_s: null, sorts: false };
  const { ways, walking } = findWalks(walks, start, [location], wish);
  const [way = "not_reached"] = ways;
  const walk =
    typeof way === "string"
      ? { from: start, minutes: null, reason: way }
      : {
          from: start,
          minutes: toFootMinutes(way.seconds),
          meters: way.meters,
          step_free: way.step_free,
        };
  return { walk, walking: sayWalking(walking, null) };
}
