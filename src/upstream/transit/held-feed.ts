/** A timetable of a deployment as questions see it, and whether it may say something of a place. */
import type { OpenFeed } from "#transit/schedule/feed-pack.ts";
import { UNOPENED } from "#transit/schedule/other-version.ts";
import type { Location } from "#kit/geo.ts";
import type { LiveFeed } from "./live-state.ts";

/** A feed as it is held; null: it has not been imported yet, or could not be. */
export type HeldFeed = {
  feed_id: string;
  /** Of what is held: live data belong to one. */
  version: number;
  feed: OpenFeed | null;
  /** Why there is none, or why the last attempt to renew it failed. */
  failure: string | null;
  realtime: boolean | null;
  alerts: boolean | null;
  /** Its live data; null: none are configured. */
  live: LiveFeed | null;
  /** Where it is known to be, before it was read; null: anywhere. */
  box: { south: number; west: number; north: number; east: number } | null;
};

/**
 * Generous: a box that is unknown may be anywhere. But one in the store that cannot be opened, and whose
 * place is unknown, must not make every answer on Earth incomplete (decisions, Second edition).
 */
export function touches({ box, feed, failure }: HeldFeed, { lat, lon }: Location): boolean {
  if (!box) return feed !== null || failure === null || !UNOPENED.includes(failure);
  const margin = 0.1;
  const inside = lat >= box.south - margin && lat <= box.north + margin;
  return inside && lon >= box.west - margin && lon <= box.east + margin;
}
