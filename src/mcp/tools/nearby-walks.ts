/** Ways on foot to what a stored search holds. They are of now: the dataset has none, and stays as it is. */
import { LIMITS } from "#api/limits.ts";
import { walkInTurns } from "#app/walk/walk-in-turns.ts";
import { countLeftOut, type OnFoot, selectOnFoot } from "#app/walk/walking.ts";
import type { Location } from "#kit/geo.ts";
import type { Walks } from "#ports/walks.ts";
import { type FootArguments, sayWalking } from "../on-foot.ts";

export type WalkedList<I> = {
  rows: OnFoot<I>[];
  /** Whether ways are known at the point. */
  known: boolean;
  walking: string;
  /** How many are left out since their way is not known. */
  left_out: number;
};

/**
 * Items in the order of their ways on foot, those without one last, and without those that are known
 * to be farther than asked for; `strict`: or not known to be near enough. `items`: the nearest in a straight line first.
 */
export async function listOnFoot<I extends { location: Location | undefined }>(
  walks: Walks,
  start: Location,
  items: readonly I[],
  { profile, within_minutes }: FootArguments,
  strict = false,
): Promise<WalkedList<I>> {
  const within_s = within_minutes === undefined ? null : within_minutes * 60;
  const wish = { profile, speed: LIMITS.walk.speed_default, within_s, sorts: true, strict };
  const locations = items.map(({ location }) => location);
  const { ways, walking, notice } = await walkInTurns(walks, start, locations, wish);
  const rows = selectOnFoot(items, ways, wish);
  const unknown = rows.filter(({ walk }) => walk === null).length;
  return {
    rows,
    left_out: countLeftOut(ways, wish),
    known: walking.reason === undefined,
    walking: sayWalking(walking, { within_minutes, unknown }, notice),
  };
}
