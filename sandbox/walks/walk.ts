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
    return this.findAll(from, [to], profile)[0]!;
  }

  /** Ways to each of the points, in their order. */
  findAll(from: Point, points: readonly Point[], profile: Profile): TrueWalk[] {
    const ground = this.groundAt(from);
    return ground === null
      ? points.map(() => none("start_off_network"))
      : walkTo(ground, { from, points }, profile);
  }
}

const none = (reason: Reason): TrueWalk => ({ meters: null, reason });

type Question = { readonly from: Point; readonly points: readonly Point[] };

function walkTo(ground: Ground, { from, points }: Question, profile: Profile): TrueWalk[] {
  const start = put(ground, from, profile);
  if (start === null) return points.map(() => none("start_off_network"));
  const ends = points.map((point) => endsOf(ground, { from, point }, profile));
  const reached = walkOn(ground, { start, ends: ends.flat().map(({ place }) => place) }, profile);
  return ends.map((list) => {
    const walks = list.map(({ place, is_door, inside_m }) => {
      if (place === null) return none("target_off_network");
      const end = { ...place, off_m: place.off_m + inside_m };
      const ways = waysBetween(ground, { start, end, reached }, profile);
      const steps = is_door ? RANKS.doubt : RANKS.free;
      return toWalk(
        { start, end },
        ways.map((way) => ({ ...way, steps: Math.max(way.steps, steps) })),
      );
    });
    const known = walks.filter((walk) => walk.meters !== null);
    return known.toSorted((a, b) => a.meters - b.meters)[0] ?? walks[0]!;
  });
}

type End = { readonly place: Place | null; readonly is_door: boolean; readonly inside_m: number };

/** A point in a house that the walk does not begin in is entered by one of its doors. */
function endsOf(
  ground: Ground,
  { from, point }: { readonly from: Point; readonly point: Point },
  profile: Profile,
): End[] {
  const doors = ground.doorsAt(point);
  const starts = new Set(ground.doorsAt(from));
  if (doors.length === 0 || doors.some((door) => starts.has(door)))
    return [{ place: put(ground, point, profile), is_door: false, inside_m: 0 }];
  return doors.map((door) => ({
    place: put(ground, door, profile),
    is_door: true,
    inside_m: distance(door, point),
  }));
}

/** Of the ground between a point and a street that is further away nothing is known. */
const SURE_OFF_M = 30;
const toWord = (steps: number): boolean | null =>
  steps === RANKS.doubt ? null : steps === RANKS.free;

type Places = { readonly start: Place; readonly end: Place };

function toWalk({ start, end }: Places, ways: readonly Reach[]): TrueWalk {
  const [best, ...others] = ways.toSorted((a, b) => a.length_m - b.length_m);
  if (best === undefined) return none("not_reached");
  const off_m = Math.max(start.off_m, end.off_m);
  const alike_m = best.length_m + 0.02 + 0.01 * best.pieces;
  const is_alone = others.every(
    ({ length_m, steps }) => steps === best.steps || length_m > alike_m,
  );
  return {
    meters: start.off_m + best.length_m + end.off_m,
    step_free: best.steps === RANKS.free && off_m > SURE_OFF_M ? null : toWord(best.steps),
    step_free_is_certain:
      is_alone && !start.is_tied && !end.is_tied && Math.abs(off_m - SURE_OFF_M) > 0.05,
    from_snap_meters: start.off_m,
    to_snap_meters: end.off_m,
    pieces: best.pieces,
  };
}

/** `steps`: the worst of a way, by RANKS. */
type Reach = { readonly length_m: number; readonly steps: number; readonly pieces: number };
const RANKS = { free: 0, doubt: 1, steps: 2, closed: 2 } as const;

type Reached = ReadonlyMap<number, readonly Reach[]>;

/** Of each rank of steps the shortest over either end of the last link, and along it. */
function waysBetween(
  ground: Ground,
  { start, end, reached }: Places & { readonly reached: Reached },
  profile: Profile,
): Reach[] {
  const link = ground.links[end.link]!;
  const rank = RANKS[link.footing];
  const ways: Reach[] = [];
  if (start.link === end.link) {
    const length_m = Math.abs(start.share - end.share) * link.length_m;
    ways.push({ length_m, steps: rank, pieces: 1 });
  }
  for (const [node, share] of [
    [link.a, end.share],
    [link.b, 1 - end.share],
  ] as const) {
    if (share > 0 && !isPassed(ground, node, profile)) continue;
    const on = share > 0 ? RANKS[ground.nodes[node]!.passing] : 0;
    for (const { length_m, steps, pieces } of reached.get(node) ?? [])
      ways.push({
        length_m: length_m + share * link.length_m,
        steps: Math.max(steps, rank, on),
        pieces: pieces + 1,
      });
  }
  return ways;
}

/** The search goes on for so long after all ends are reached. */
const BEYOND_M = 150;

function isPassed({ nodes }: Ground, node: number, profile: Profile): boolean {
  const { passing } = nodes[node]!;
  return passing !== "closed" && (profile === "foot" || passing !== "steps");
}

type Wanted = { readonly start: Place; readonly ends: readonly (Place | null)[] };

/** The shortest ways of each rank to nodes, of those that are wanted at least one if there is any. */
function walkOn(ground: Ground, { start, ends }: Wanted, profile: Profile): Reached {
  const left = new Set(ends.flatMap((end) => (end === null ? [] : nodesOf(ground, end))));
  const reached = new Map<number, Reach[]>();
  const open = new Queue();
  const first = ground.links[start.link]!;
  const begin = { steps: RANKS[first.footing], pieces: 1 };
  open.add(first.a, { ...begin, length_m: start.share * first.length_m });
  open.add(first.b, { ...begin, length_m: (1 - start.share) * first.length_m });
  // A way that begins at a gate begins on both sides of it.
  const begins_at = start.share === 0 ? first.a : start.share === 1 ? first.b : null;
  let most_m = Infinity;
  for (let next = open.take(); next !== undefined; next = open.take()) {
    const [node, reach] = next;
    const known = reached.get(node) ?? [];
    if (reach.length_m > most_m) break;
    if (known.some(({ steps }) => steps === reach.steps)) continue;
    reached.set(node, [...known, reach]);
    if (left.delete(node) && left.size === 0) most_m = reach.length_m + BEYOND_M;
    if (node !== begins_at && !isPassed(ground, node, profile)) continue;
    const passing = node === begins_at ? "free" : ground.nodes[node]!.passing;
    const worst = Math.max(reach.steps, RANKS[passing]);
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
  return reached;
}

const nodesOf = ({ links }: Ground, { link }: Place): number[] => [links[link]!.a, links[link]!.b];

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
