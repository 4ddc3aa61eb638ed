/** One configured system as the world knows it, and the circle of a request. */
import type { FailureWord } from "#api/sources.ts";
import type { Box } from "#kit/geo.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Roles } from "#world/identity/world-identity.ts";
import type { Closures } from "#world/closures.ts";
import type { LinkedSystem } from "#world/vehicles/vehicle-links.ts";
import type { StationHours } from "#world/station-hours.ts";
import type { Tails } from "#world/tails.ts";

export type Circle = { lat: number; lon: number; radius_m: number };

export type SystemEntry = {
  readonly source_id: string;
  /** ISO 3166-1 alpha-2, upper case; null: not stated, so it may be anywhere. */
  country: string | null;
  /** Set for a list of systems that has not been read: why, once that is known. */
  unread: { name: string; problem: FailureWord | null } | null;
  /** null while not surveyed, or when the system has no located entity. */
  box: Box | null;
  surveyed: boolean;
  /** It could not be surveyed, and nothing suggests where it is. */
  lost: boolean;
  shard: Shard | null;
  /** Rendered ends of its stations; rebuilt with the statics. */
  tails: Tails | null;
  /** Rendered ends of its vehicles; rebuilt with them. */
  vehicle_tails: Tails | null;
  /** Closure alerts of the shard by station row; null: none (the usual case). */
  closures: Closures | null;
  /** Published hours of its stations; null: none that can be evaluated (the usual case). */
  hours: StationHours | null;
  /** Result of identity resolution for its stations; null: each is itself (the usual case). */
  roles: Roles | null;
  /** Systems whose vehicles are among its own (world/vehicles/links); null: none (the usual case). */
  vehicle_links: LinkedSystem["vehicle_links"];
};

/** What an entry says besides its snapshot. */
export type Standing = Pick<
  SystemEntry,
  "source_id" | "country" | "unread" | "box" | "surveyed" | "lost"
>;
