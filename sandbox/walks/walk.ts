// The shortest way on foot between two points, by Dijkstra's search over all nodes of a city.
import { distance, type Point } from "../geo.ts";
import type { World } from "../world/world.ts";
import { Ground } from "./ground.ts";
import { isWalked, type Place, type Profile, put } from "./put.ts";

type Reason = "start_off_network" | "target_off_network" | "not_reached";
export type TrueWalk =
  | {
      readonly meters: number;
      /** Null: not known of all of the way. */
      readonly step_free: boolean | null;
      /** False: another way, or another street at an end, is as near and has other steps. */
      readonly step_free_is_certain: boolean;
      readonly from_snap_meters: number;
      readonly to_snap_meters: number;
      /** Pieces between neighbouring nodes that it has, of which each may be rounded. */
      readonly pieces: number;
    }
  | { readonly meters: null; readonly reason: Reason };

/** From the middle of a city to the end of its roads. */
const CITY_M = 10_000;

/** Ways of a world, whose ground is laid when it is first walked. */
export class Walks {
  readonly #world: World;
  readonly #grounds = new Map<string, Ground>();

  constructor(world: World) {
    this.#world = world;
  }

  groundAt(at: Point): Ground | null {
    const city = this.#world.cities.find((each) => distance(each, at) < CITY_M);
    if (city === undefined) return null;
    const known = this.#grounds.get(city.id);
    if (known !== undefined) return known;
    const ground = new Ground(this.#world.getStreets(city));
    this.#grounds.set(city.id, ground);
    return ground;
  }

  find(from: Point, to: Point, profile: Profile): TrueWalk {
    const ground = this.groundAt(from);
    return ground === null ? none("start_off_network") : walk(ground, { from, to }, profile);
  }
}

const none = (reason: Reason): TrueWalk => ({ meters: null, reason });

type Ends = { readonly from: Point; readonly to: Point };

export function walk(ground: Ground, { from, to }: Ends, profile: Profile): TrueWalk {
  const start = put(ground, from, profile);
  if (start === null) return none("start_off_network");
  const end = put(ground, to, profile);
  if (end === null) return none("target_off_network");
  const [best, ...others] = waysBetween(ground, { start, end }, profile).toSorted(
    (a, b) => a.length_m - b.length_m,
  );
  if (best === undefined) return none("not_reached");
  const alike_m = best.length_m + 0.02 + 0.01 * best.pieces;
  const is_alone = others.every(
    ({ length_m, steps }) => steps === best.steps || length_m > alike_m,
  );
  return {
    meters: start.off_m + best.length_m + end.off_m,
    step_free: best.steps === RANKS.doubt ? null : best.steps === RANKS.free,
    step_free_is_certain: is_alone && !start.is_tied && !end.is_tied,
    from_snap_meters: start.off_m,
    to_snap_meters: end.off_m,
    pieces: best.pieces,
  };
}

/** `steps`: the worst of a way, by RANKS. */
type Reach = { readonly length_m: number; readonly steps: number; readonly pieces: number };
const RANKS = { free: 0, doubt: 1, steps: 2, closed: 2 } as const;
const RANK_COUNT = 3;

type Places = { readonly start: Place; readonly end: Place };

/** Of each rank of steps the shortest to either end of the last link, and along it. */
function waysBetween(ground: Ground, { start, end }: Places, profile: Profile): Reach[] {
  const link = ground.links[end.link]!;
  const ways: Reach[] = [];
  if (start.link === end.link) {
    const length_m = Math.abs(start.share - end.share) * link.length_m;
    ways.push({ length_m, steps: RANKS[link.footing], pieces: 1 });
  }
  const onto = new Map([
    [link.a, end.share],
    [link.b, 1 - end.share],
  ]);
  let least_m = Infinity;
  for (const [node, before] of walkOn(ground, start, profile)) {
    if (before.length_m > least_m + BEYOND_M) break;
    const share = onto.get(node);
    if (share === undefined || (share > 0 && !isPassed(ground, node, profile))) continue;
    const on = share > 0 ? RANKS[ground.nodes[node]!.passing] : 0;
    const length_m = before.length_m + share * link.length_m;
    const steps = Math.max(before.steps, RANKS[link.footing], on);
    ways.push({ length_m, steps, pieces: before.pieces + 1 });
    least_m = Math.min(least_m, length_m);
  }
  return ways;
}

/** The search goes on for so long after the first way is found. */
const BEYOND_M = 5;

function isPassed({ nodes }: Ground, node: number, profile: Profile): boolean {
  const { passing } = nodes[node]!;
  return passing !== "closed" && (profile === "foot" || passing !== "steps");
}

/** Nodes with the shortest way of each rank to them, the nearest first. */
function* walkOn(ground: Ground, start: Place, profile: Profile): Generator<Entry> {
  const settled = new Set<number>();
  const open = new Queue();
  const first = ground.links[start.link]!;
  const begin = { steps: RANKS[first.footing], pieces: 1 };
  open.add(first.a, { ...begin, length_m: start.share * first.length_m });
  open.add(first.b, { ...begin, length_m: (1 - start.share) * first.length_m });
  for (let next = open.take(); next !== undefined; next = open.take()) {
    const [node, reach] = next;
    const state = node * RANK_COUNT + reach.steps;
    if (settled.has(state)) continue;
    settled.add(state);
    yield next;
    if (!isPassed(ground, node, profile)) continue;
    const worst = Math.max(reach.steps, RANKS[ground.nodes[node]!.passing]);
    for (const number of ground.at[node]!) {
      const link = ground.links[number]!;
      if (!isWalked(link, profile)) continue;
      open.add(link.a === node ? link.b : link.a, {
        length_m: reach.length_m + link.length_m,
        steps: Math.max(worst, RANKS[link.footing]),
        pieces: reach.pieces + 1,
      });
    }
  }
}

type Entry = readonly [node: number, reach: Reach];

/** Gives the nearest first: entries by whole metres, of which few are in one. */
class Queue {
  readonly #metres: Entry[][] = [];
  #at = 0;

  add(node: number, reach: Reach): void {
    (this.#metres[Math.floor(reach.length_m)] ??= []).push([node, reach]);
  }

  take(): Entry | undefined {
    while (this.#at < this.#metres.length && (this.#metres[this.#at]?.length ?? 0) === 0)
      this.#at += 1;
    const entries = this.#metres[this.#at];
    if (entries === undefined) return undefined;
    let least = 0;
    for (const [n, [, { length_m }]] of entries.entries())
      if (length_m < entries[least]![1].length_m) least = n;
    return entries.splice(least, 1)[0];
  }
}
