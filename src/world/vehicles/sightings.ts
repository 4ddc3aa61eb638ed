/**
 * What a question shows of a vehicle that several feeds publish: the row of the fresher one, once, with
 * the others behind it. Looked up per hit, and only in systems that have such vehicles.
 */
import { RESOLVED } from "#stations/shard/bits.ts";
import { NO_VEHICLE } from "#stations/identity/vehicle-pairs.ts";
import type { LiveState, Shard } from "#stations/shard/shard.ts";
import type { LinkedSystem, VehicleLink } from "./vehicle-links.ts";

/** R6, R7 for vehicles: unknown after 15 minutes, gone after an hour. */
export const VEHICLE_UNKNOWN_S = 900;
export const VEHICLE_GONE_S = 3600;

/** R6: vehicles of a document that is older than an hour are left out. */
export function areVehiclesGone(live: LiveState, now_ms: number): boolean {
  return now_ms / 1000 - live.doc_s > VEHICLE_GONE_S;
}

/** Another feed's row of a vehicle that is listed. */
export type Sighting = { readonly shard: Shard; readonly row: number };

export const NO_SIGHTINGS: readonly Sighting[] = [];

/** What a row is in an answer: the vehicle (RESOLVED), or shown by another feed's row. */
export const SHOWN_ELSEWHERE = -1;

/** The links of a system that hold at this moment. */
export type Links = readonly VehicleLink<LinkedSystem>[];

/**
 * Returns the links of a system whose other side may be shown now; null: none. `takes`: whether a system
 * is looked at at all.
 */
export function linksAt(
  { vehicle_links }: LinkedSystem,
  now_ms: number,
  takes?: (other: LinkedSystem) => boolean,
): Links | null {
  if (vehicle_links === null) return null;
  const remaining = vehicle_links.filter(({ other }) => {
    const live = other.shard!.vehicles!.live;
    return live !== null && !areVehiclesGone(live, now_ms) && (!takes || takes(other));
  });
  return remaining.length > 0 ? remaining : null;
}

/** Returns how a row is resolved (RESOLVED), or SHOWN_ELSEWHERE. */
export function resolveRow(shard: Shard, row: number, links: Links, now_ms: number): number {
  let resolved: number = RESOLVED.no;
  for (const link of links) {
    const other = link.same[row]!;
    if (other !== NO_VEHICLE) {
      if (isShownThere(shard, row, link, now_ms)) return SHOWN_ELSEWHERE;
      resolved = RESOLVED.merged;
    } else if (
      resolved === RESOLVED.no &&
      link.near[row] !== NO_VEHICLE &&
      areOfOneTime(shard, link)
    )
      resolved = RESOLVED.possible;
  }
  return resolved;
}

/** Rows of other feeds that are this vehicle. */
export function sightingsOf(links: Links | null, row: number): readonly Sighting[] {
  if (links === null) return NO_SIGHTINGS;
  return links.flatMap(({ other, same }) =>
    same[row] === NO_VEHICLE ? [] : [{ shard: other.shard!, row: same[row]! }],
  );
}

/** Rows of other feeds that may be this vehicle: the nearest of each. */
export function neighboursOf(shard: Shard, links: Links | null, row: number): readonly Sighting[] {
  if (links === null) return NO_SIGHTINGS;
  return links.flatMap((link) =>
    link.near[row] === NO_VEHICLE || !areOfOneTime(shard, link)
      ? []
      : [{ shard: link.other.shard!, row: link.near[row]! }],
  );
}

/** The fresher leads: a document that is not old yet, then the later report, then the better source. */
function isShownThere(
  shard: Shard,
  row: number,
  { other, same, yields }: VehicleLink<LinkedSystem>,
  now_ms: number,
): boolean {
  const [here, opposite] = [shard.vehicles!, other.shard!.vehicles!];
  const isOldHere = isOld(here.live!, now_ms);
  const isOldThere = isOld(opposite.live!, now_ms);
  if (isOldHere !== isOldThere) return isOldHere;
  const mine_s = here.data!.last_reported[row]! || here.live!.doc_s;
  const theirs_s = opposite.data!.last_reported[same[row]!]! || opposite.live!.doc_s;
  return mine_s === theirs_s ? yields : theirs_s > mine_s;
}

function isOld({ doc_s }: LiveState, now_ms: number): boolean {
  return now_ms / 1000 - doc_s > VEHICLE_UNKNOWN_S;
}

/** One document is made while the other is still realtime (R6). */
function areOfOneTime(shard: Shard, { other }: VehicleLink<LinkedSystem>): boolean {
  const [here, opposite] = [shard.vehicles!.live!, other.shard!.vehicles!.live!];
  const earlier = here.doc_s <= opposite.doc_s ? here : opposite;
  return Math.abs(here.doc_s - opposite.doc_s) <= Math.max(300, 2 * earlier.ttl_s);
}
