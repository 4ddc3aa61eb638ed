/** Wishes that belong together: what answers one has to be near what answers the wish before it. */
import { LIMITS } from "#api/limits.ts";
import { walkInTurns } from "#app/walk/walk-in-turns.ts";
import type { Needs, Wish } from "#core/wishes/read-wish.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { toFootMinutes } from "../on-foot.ts";
import type { ToolDeps } from "../tool.ts";
import { type Candidate, type Found, profileOf, toRefused } from "./ask-found.ts";

/** How near an answer is to that of the wish before it; minutes null: no way is known. */
type Pairing = { wish: number; meters: number; walk_minutes?: number | null };
/** `pick`: of a pair; null: the nearest of all. */
export type Chosen = { found: Found; pick: Candidate | null; pair: Pairing | null };

/** How many answers of the wish before it are tried. */
const ANCHORS_MAX = 3;
/** The same where nothing has to be searched for. */
const ANCHORS_SEEN = 40;
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
      chosen.push({ found: own ?? NOTHING, pick: null, pair: null });
      continue;
    }
    const joint = await findPair(deps, { own, before, wish, index }, { ...means, more });
    chosen[index - 1] = { ...before, pick: joint.anchor ?? before.pick };
    chosen.push(joint.chosen);
  }
  return { chosen, more };
}

const NOTHING: Found = { ...toRefused(0, null, "getNearby"), failed: false };

type Joint = { own: Found | null; before: Chosen; wish: Wish; index: number };
type Pair = { anchor: Candidate | null; chosen: Chosen };

async function findPair(
  deps: ToolDeps,
  { own, before, wish, index }: Joint,
  { needs, searchAt, more }: Means & { more: Found[] },
): Promise<Pair> {
  const { amount, unit } = wish.near!;
  const within_m = unit === "m" ? amount : amount * METRES_PER_MINUTE;
  const anchors = before.pick === null ? knownFirst(before.found.candidates) : [before.pick];
  const pairs: Pair[] = [];
  let last = own;
  // Those that were found around the question are near many anchors; others are searched for at few.
  for (const anchor of anchors.slice(0, own === null ? ANCHORS_MAX : ANCHORS_SEEN)) {
    const found = own ?? (await searchAt(wish, anchor.location, within_m));
    if (own === null) more.push(found);
    last = found;
    const near = found.candidates.filter((each) => metres(anchor, each) <= within_m);
    const [pick] = knownFirst(near.toSorted((a, b) => metres(anchor, a) - metres(anchor, b)));
    if (pick === undefined) continue;
    const pair = await toPairing(deps, anchor, pick, { wish: index - 1, needs });
    if (unit === "min" && pair.walk_minutes != null && pair.walk_minutes > amount) continue;
    const joint = { anchor, chosen: { found, pick, pair } };
    if (isKnown(anchor) && isKnown(pick)) return joint;
    pairs.push(joint);
  }
  const [doubtful] = pairs;
  if (doubtful !== undefined) return doubtful;
  const message = `Nothing is within ${amount} ${unit} of an answer to the wish before.`;
  const found = { ...(last ?? NOTHING), within_m, candidates: [], message };
  return { anchor: null, chosen: { found, pick: null, pair: null } };
}

const isKnown = ({ lacks }: Candidate): boolean => lacks.length === 0;

/** Those that are known to fit, then those that may. */
function knownFirst(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates.filter(isKnown), ...candidates.filter((each) => !isKnown(each))];
}

function metres(a: Candidate, b: Candidate): number {
  return distance_m(a.location.lat, a.location.lon, b.location.lat, b.location.lon);
}

async function toPairing(
  { walks }: Pick<ToolDeps, "walks">,
  from: Candidate,
  to: Candidate,
  { wish, needs }: { wish: number; needs: Needs },
): Promise<Pairing> {
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
