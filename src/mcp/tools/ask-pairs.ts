/** Wishes that belong together: what answers one has to be near what answers the wish before it. */
import { LIMITS } from "#api/limits.ts";
import { walkInTurns } from "#app/walk/walk-in-turns.ts";
import type { Needs, Wish } from "#core/wishes/read-wish.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { toFootMinutes } from "../on-foot.ts";
import type { ToolDeps } from "../tool.ts";
import { type Candidate, type Found, profileOf } from "./ask-found.ts";

/** How near an answer is to that of the wish before it; minutes null: no way is known. */
export type Beside = { wish: number; meters: number; walk_minutes?: number | null };
/** `pick`: of a pair; null: the nearest of all. */
export type Chosen = { found: Found; pick: Candidate | null; beside: Beside | null };

/** So many answers of the wish before it are tried. */
const ANCHORS_MAX = 3;
/** A walk is longer than the line: what is looked for lies within these metres a minute. */
const METRES_PER_MINUTE = 80;

type Means = {
  needs: Needs;
  searchAt(wish: Wish, at: Location, within_m: number): Promise<Found>;
};

/**
 * Chooses pairs in the order of the wishes; `more`: the searches that it made. A wish whose first answers
 * have nothing near them keeps its nearest, and says so.
 */
export async function choosePairs(
  deps: ToolDeps,
  first: readonly (Found | null)[],
  wishes: readonly Wish[],
  means: Means,
): Promise<{ chosen: Chosen[]; more: Found[] }> {
  const chosen: Chosen[] = [];
  const more: Found[] = [];
  for (const [index, wish] of wishes.entries()) {
    const own = first[index] ?? null;
    const before = chosen[index - 1];
    if (wish.near === null || before === undefined) {
      chosen.push({ found: own ?? NOTHING, pick: null, beside: null });
      continue;
    }
    const pair = await findPair(deps, { own, before, wish, index }, { ...means, more });
    chosen[index - 1] = { ...before, pick: pair.anchor ?? before.pick };
    chosen.push(pair.chosen);
  }
  return { chosen, more };
}

const NOTHING: Found = {
  ...{ within_m: 0, candidates: [], failed: false, message: null, walking: null },
  requested: { operation: "getNearby", metered: { void: true, objects: 0, maps_categories: 0 } },
};

type Joint = { own: Found | null; before: Chosen; wish: Wish; index: number };
type Pair = { anchor: Candidate | null; chosen: Chosen };

async function findPair(
  deps: ToolDeps,
  { own, before, wish, index }: Joint,
  { needs, searchAt, more }: Means & { more: Found[] },
): Promise<Pair> {
  const { amount, unit } = wish.near!;
  const within_m = unit === "m" ? amount : amount * METRES_PER_MINUTE;
  const known = before.found.candidates.filter(({ lacks }) => lacks.length === 0);
  const anchors = before.pick === null ? known : [before.pick];
  let last = own;
  // Those that were found around the question are near many anchors; others are searched for at few.
  for (const anchor of anchors.slice(0, own === null ? ANCHORS_MAX : anchors.length)) {
    const found = own ?? (await searchAt(wish, anchor.location, within_m));
    if (own === null) more.push(found);
    last = found;
    const near = found.candidates.filter(
      (each) => each.lacks.length === 0 && metres(anchor, each) <= within_m,
    );
    const [nearest] = near.toSorted((a, b) => metres(anchor, a) - metres(anchor, b));
    if (nearest === undefined) continue;
    const beside = await toBeside(deps, anchor, nearest, { wish: index - 1, needs });
    if (unit === "min" && beside.walk_minutes != null && beside.walk_minutes > amount) continue;
    return { anchor, chosen: { found, pick: nearest, beside } };
  }
  const message = `Nothing that is known to fit is within ${amount} ${unit} of an answer to the wish before.`;
  const found = { ...(last ?? NOTHING), within_m, candidates: [], message };
  return { anchor: null, chosen: { found, pick: null, beside: null } };
}

function metres(a: Candidate, b: Candidate): number {
  return distance_m(a.location.lat, a.location.lon, b.location.lat, b.location.lon);
}

async function toBeside(
  { walks }: Pick<ToolDeps, "walks">,
  from: Candidate,
  to: Candidate,
  { wish, needs }: { wish: number; needs: Needs },
): Promise<Beside> {
  const how = {
    profile: profileOf(needs),
    speed: LIMITS.walk.speed_default,
    within_s: null,
    sorts: false,
  };
  const { ways, walking } = await walkInTurns(walks, from.location, [to.location], how);
  const [way] = ways;
  const meters = Math.round(metres(from, to));
  if (walking.reason !== undefined) return { wish, meters };
  return {
    wish,
    meters,
    walk_minutes: typeof way === "object" ? toFootMinutes(way.seconds) : null,
  };
}
