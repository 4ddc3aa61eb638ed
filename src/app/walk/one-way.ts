/** GET /v1/walk: the way on foot from one point to another, along the streets of one base. */
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import type { NoWayReason, WAY_PARAMETERS } from "#api/way.ts";
import { isPartial, judgeStatus } from "#core/coverage.ts";
import { toEnded } from "#core/notices.ts";
import { ofNoWay } from "#core/way-notices.ts";
import { distance_m } from "#kit/geo.ts";
import type { LostBase } from "#osm/base/other-version.ts";
import type { WalkBase, WaysBetween } from "#ports/walks.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { Search } from "../search-reply.ts";
import { toWalkBody } from "./walking.ts";

export type WayQuestion = Decoded<typeof WAY_PARAMETERS>;
type Way = ReplyAt<"/v1/walk">;
export type FindWay = Search<WayQuestion, Way>;
type WayDeps = { clock: Pick<Clock, "schedule">; walks: WaysBetween };

/** What is not known for want of a base is no "there is none" (§3). */
const UNKNOWN: ReadonlySet<NoWayReason> = new Set<NoWayReason>([
  "outside_bases",
  "base_without_walking",
  "base_unreadable",
  "different_bases",
  "not_looked",
]);

export function createFindWay({ clock, walks }: WayDeps): FindWay {
  return async ({ question, deadline_ms, signal: client }) => {
    const { from, to, profile, speed } = question;
    using deadline = createDeadline(clock, deadline_ms - REPLY_MARGIN_MS, client);
    const options = { most_m: LIMITS.walk.meters_max, signal: deadline.signal };
    using pinned = await walks.pinBetween(from, to, options);
    const { base } = pinned;
    const drawn = typeof base === "string" ? base : drawWay(base, question);
    const unread = typeof base === "string" ? pinned.lost : lostEnd(base, drawn, question);
    const lost = unread ?? null;
    // Next to streets that could not be read it is not known that there are none.
    const way = lost === null ? drawn : "base_unreadable";
    const found = typeof way !== "string";
    const status = judgeStatus({ isIncomplete: !found && UNKNOWN.has(way), found });
    const unknown = isPartial({ status });
    return {
      body: {
        status,
        ...(found ? {} : explain(way, question, { base, lost })),
        from,
        to,
        ...(found ? way : { reason: way, ...NOTHING }),
        walking: {
          profile,
          speed_meters_per_second: speed,
          within_meters:
            typeof base === "string" ? LIMITS.walk.meters_max : Math.floor(base.walker.looked_m),
          base: typeof base === "string" || lost !== null ? null : base.statement,
        },
      },
      max_age_s: unknown ? null : LIMITS.cache_max_age_s,
      metered: { void: unknown, objects: found ? 1 : 0, maps_categories: 0 },
    };
  };
}

const NOTHING = {
  meters: null,
  seconds: null,
  step_free: null,
  from_snap_meters: null,
  to_snap_meters: null,
  geometry: null,
} as const;

function drawWay({ walker, coversCircle }: WalkBase, { from, to, profile, speed }: WayQuestion) {
  const most_m = LIMITS.walk.meters_max;
  const way = walker.drawWay(from, to, { most_m, profile });
  // A search that ended early leaves longer ways unknown, and the end of the base those around it.
  if (way === "not_reached") {
    const isApart = distance_m(from.lat, from.lon, to.lat, to.lon) > most_m;
    const isLeft = coversCircle?.({ ...from, radius_m: most_m }) === false;
    return !isApart && (walker.looked_m < most_m || isLeft) ? "not_looked" : way;
  }
  if (typeof way === "string") return way;
  return {
    ...toWalkBody(way, speed),
    from_snap_meters: Math.floor(way.from_snap_meters + 0.5),
    to_snap_meters: Math.floor(way.to_snap_meters + 0.5),
    geometry: { type: "LineString", coordinates: way.line } as const,
  };
}

/** The base whose streets next to an end could not be read, where none is known there. */
function lostEnd(
  base: WalkBase,
  way: NoWayReason | object,
  { from, to }: WayQuestion,
): LostBase | null {
  if (way !== "start_off_network" && way !== "target_off_network") return null;
  return base.lostAt?.(way === "start_off_network" ? from : to) ?? null;
}

function explain(
  reason: NoWayReason,
  question: WayQuestion,
  { base, lost }: { base: WalkBase | string; lost: LostBase | null },
) {
  const within_m = typeof base === "string" ? LIMITS.walk.meters_max : base.walker.looked_m;
  const notice = toEnded(ofNoWay(reason, { ...question, within_m: Math.floor(within_m), lost }));
  return { message: notice.message, notices: [notice] };
}
