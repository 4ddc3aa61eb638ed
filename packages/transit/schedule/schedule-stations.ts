/**
 * A feed's stations before they are packed, and the rules that need no file: accessibility of a
 * station from its platforms (mobility.md 3.1), a point for a station without one.
 */
import type { Location } from "#kit/geo.ts";
import { wrapLon } from "#kit/geo.ts";
import type { AccessDraft } from "../access/access-draft.ts";
import type { TimetableDraft } from "../timetable/timetable-draft.ts";
import type { TransitOperator, TransitRoute, Wheelchair } from "./station.ts";

export type FeedStation = Location & {
  /** The station as the feed knows it. */
  id: string;
  name: string;
  wheelchair: Wheelchair;
  /** Places in `routes` of the feed, ascending, each once; never empty. */
  routes: readonly number[];
};

/** Everything that is kept of a feed. */
export type TransitFeed = {
  feed_id: string;
  region: string | null;
  fetched_at_ms: number;
  licence: string | null;
  attribution: string | null;
  /** Whether live departures and alerts exist for the feed; null: unknown. */
  realtime: boolean | null;
  alerts: boolean | null;
  operators: readonly TransitOperator[];
  routes: readonly TransitRoute[];
  stations: readonly FeedStation[];
  /** null: the feed's departures are not known. */
  timetable: TimetableDraft | null;
  /** Ways within its stations; null, absent: none are known. */
  access?: AccessDraft | null;
};

/** Its own word, else any platform's yes, else no when all of them say no. */
export function wheelchairOf(wheelchair: Wheelchair, platforms: readonly Wheelchair[]): Wheelchair {
  if (wheelchair !== "unknown" || platforms.length === 0) return wheelchair;
  if (platforms.includes("yes")) return "yes";
  return platforms.every((platform) => platform === "no") ? "no" : "unknown";
}

/** Returns a point that is meant: on the globe, and not the zero that means unknown. */
export function stationLocation(lat: number | null, lon: number | null): Location | null {
  if (lat === null || lon === null) return null;
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) return null;
  return lat === 0 && lon === 0 ? null : { lat, lon };
}

/** The middle of a few points that lie together, also over the antimeridian; null for none. */
export function meanOf(points: readonly Location[]): Location | null {
  const first = points[0];
  if (first === undefined) return null;
  let lat = 0;
  let east = 0;
  for (const point of points) {
    lat += point.lat / points.length;
    east += wrapLon(point.lon - first.lon) / points.length;
  }
  return { lat, lon: wrapLon(first.lon + east) };
}
