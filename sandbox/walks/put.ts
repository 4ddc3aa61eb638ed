// The place on a street that is nearest to a point, found by looking at every street.
import { distance, type Point } from "../geo.ts";
import type { Ground, Link } from "./ground.ts";

export type Profile = "foot" | "step_free";

/** Between a point and the nearest street, at most. */
const MOST_M = 100;
/** By which a way without steps may be further away than stairs. */
const PAST_STAIRS_M = 10;
/** Streets that are nearer to one another than this are equally near. */
const SAME_M = 0.005;

export type Place = {
  readonly link: number;
  /** Of the link from its first node on. */
  readonly share: number;
  readonly off_m: number;
  /** Another link is as near, with other steps. */
  readonly is_tied: boolean;
};

export const isWalked = ({ footing }: Link, profile: Profile): boolean =>
  profile === "foot" || footing !== "steps";

/** What lies at stairs is not put on a street that is much further away. */
export function put(ground: Ground, at: Point, profile: Profile): Place | null {
  const nearest = nearestOf(ground, at, "foot", MOST_M);
  if (nearest === null || isWalked(ground.links[nearest.link]!, profile)) return nearest;
  return nearestOf(ground, at, profile, Math.min(MOST_M, nearest.off_m + PAST_STAIRS_M));
}

function nearestOf(ground: Ground, at: Point, profile: Profile, most_m: number): Place | null {
  const near: Omit<Place, "is_tied">[] = [];
  let least_m = most_m;
  for (const [link, each] of ground.links.entries()) {
    const [a, b] = [ground.nodes[each.a]!, ground.nodes[each.b]!];
    if (isFar(at, a, b, least_m) || !isWalked(each, profile) || ground.isIsland(each)) continue;
    const share = shareOf(at, a, b);
    const off_m = distance(at, between(a, b, share));
    if (off_m >= least_m + SAME_M) continue;
    near.push({ link, share, off_m });
    least_m = Math.min(least_m, off_m);
  }
  const best = near.toSorted((a, b) => a.off_m - b.off_m)[0];
  if (best === undefined || best.off_m >= most_m) return null;
  const { footing } = ground.links[best.link]!;
  const is_tied = near.some(
    ({ link, off_m }) => off_m < best.off_m + SAME_M && ground.links[link]!.footing !== footing,
  );
  return { ...best, is_tied };
}

const DEGREE_M = 111_195;

function isFar({ lat }: Point, a: Point, b: Point, most_m: number): boolean {
  const [south, north] = a.lat < b.lat ? [a.lat, b.lat] : [b.lat, a.lat];
  const away = Math.max(south - lat, lat - north);
  return away * DEGREE_M > most_m + 1;
}

/** Across the antimeridian, too. */
const eastOf = (from: Point, to: Point): number => ((to.lon - from.lon + 540) % 360) - 180;

/** The share of a line at which it is nearest to a point. */
function shareOf(at: Point, a: Point, b: Point): number {
  const narrow = Math.cos((at.lat * Math.PI) / 180);
  const [x, y] = [eastOf(a, b) * narrow, b.lat - a.lat];
  const whole = x * x + y * y;
  if (whole === 0) return 0;
  const share = (eastOf(a, at) * narrow * x + (at.lat - a.lat) * y) / whole;
  return Math.min(1, Math.max(0, share));
}

const between = (a: Point, b: Point, share: number): Point => ({
  lat: a.lat + (b.lat - a.lat) * share,
  lon: a.lon + eastOf(a, b) * share,
});
