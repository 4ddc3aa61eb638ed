/**
 * Ways on foot over the pages of one base, in degrees and metres. One search finds the ways from a point
 * to all others; what is nearer than 100 m to a walked way comes straight to it.
 */
import type { Budget } from "#kit/budget.ts";
import { distance_m } from "#kit/geo.ts";
import { toEnd } from "#kit/steps.ts";
import { type Door, metresBetween } from "./doors.ts";
import { WalkGraph } from "./walk-graph.ts";
import { isOpen, type Profile } from "./walk-layout.ts";
import { lineOf } from "./way-line.ts";
import { squaresOf } from "./outline.ts";
import { PagedSearch, type Placed } from "./paged-search.ts";
import type { Outline } from "./raster.ts";
import type { SearchMemories } from "./search-memory.ts";
import { STEPS } from "./walk-rules.ts";
import type { Walk } from "./walk-ends.ts";
import { createSnapBudget, isBefore } from "./snap.ts";
import { Streets } from "./streets.ts";

/** Metres between a point and the nearest walked way, at most. */
export const MAX_SNAP_M = 100;

/** Metres by which a way without steps may be further away than the stairs next to it. */
const PAST_STAIRS_M = 10;

/**
 * Metres of an end off the network, at most, of a way that is certain to have no step: as deep as a
 * plot. Of more ground nothing is known.
 */
const MOST_SURE_OFF_M = 30;

/** Points of a step: 0.02 ms each (docs/lab/walking.md). */
const STEP_POINTS = 40;

type Point = { lat: number; lon: number };
type Point7 = { lat7: number; lon7: number };

/** Where a target is come to: on a street, and by which door of its building; null: it is in none. */
type End = { placed: Placed | null; door: Door | null; inside_m: number };
type EndOptions = Pick<WalkOptions, "profile"> & { budget: Budget };

export type WalkOptions = {
  /** Metres of the longest way, the ends off the network included. */
  most_m: number;
  profile: Profile;
};

/** One way on foot. */
export type FootWay = {
  /** All of it, the ends off the network included. */
  meters: number;
  /** Whether it has no step; null: not known of some part of it. */
  step_free: boolean | null;
  from_snap_meters: number;
  to_snap_meters: number;
};

/** Why there is no way: an end is too far from any walked way, or none joins them within the bound. */
export type NoWay = "start_off_network" | "target_off_network" | "not_reached";

/** The streets lead there within the bound not, and yet the points are nearer to each other than to them. */
export type NoStreetBetween = "no_street_between";

export class Walker {
  readonly #pages: readonly Streets[];
  readonly #memories: SearchMemories | undefined;
  /** Made with the first question: it has 16 bytes a vertex. */
  #made: PagedSearch | null = null;
  #looked_m = 0;

  /**
   * Over one graph; or over those of pages, and what others remember of their edges. `memories`: shared
   * with walkers that do not search at the same time.
   */
  constructor(of: WalkGraph | readonly Walker[], memories?: SearchMemories) {
    this.#pages = of instanceof WalkGraph ? [new Streets(of)] : of.flatMap((each) => each.#pages);
    this.#memories = memories;
  }

  /** Of the first page. */
  get graph(): WalkGraph {
    return this.#pages[0]!.graph;
  }

  get #search(): PagedSearch {
    const graphs = this.#pages.map(({ graph }) => graph);
    return (this.#made ??= new PagedSearch(
      graphs,
      this.#memories ? { memories: this.#memories } : {},
    ));
  }

  /**
   * Metres up to which the newest question knows all ways: as far as it asked, or less where one search
   * may not look at all that lies within that.
   */
  get looked_m(): number {
    return this.#looked_m;
  }

  /** The shortest way to each of the points, in their order. */
  walkTo(
    start: Point,
    points: readonly Point[],
    options: WalkOptions,
  ): (FootWay | NoWay | NoStreetBetween)[] {
    return toEnd(this.walkSteps(start, points, options)).ways;
  }

  /**
   * The same in steps, each of a few points, with the metres up to which all ways are known (`looked_m`).
   * The search itself is one step: before it and after it others may use its memory.
   */
  *walkSteps(
    start: Point,
    points: readonly Point[],
    options: WalkOptions,
  ): Generator<void, { ways: (FootWay | NoWay | NoStreetBetween)[]; looked_m: number }> {
    const budget = createSnapBudget();
    const from = this.#snap(start, options.profile, budget);
    if (from === null) {
      this.#looked_m = options.most_m;
      return { ways: points.map(() => "start_off_network"), looked_m: options.most_m };
    }
    const ends: End[][] = [];
    for (const point of points) {
      const list = this.#ends(point, start, { ...options, budget });
      // What was found with a part of the looks may not be the nearest: nothing is known then.
      ends.push(budget.isSpent ? [] : list);
      if (ends.length % STEP_POINTS === 0) yield;
    }
    this.#looked_m = options.most_m;
    const targets = ends.flat();
    const walks = this.#find(
      from,
      targets.map(({ placed }) => placed),
      options,
    );
    let next = 0;
    const ways = ends.map((list, i) => {
      const found = list.map((end) => toFootWay(from, end, walks[next++]!, options.most_m));
      const way = nearestWay(found);
      const isNear =
        way === "not_reached" &&
        list.some(
          ({ placed }) => placed !== null && hasNoStreetBetween(start, points[i]!, [from, placed]),
        );
      return isNear ? "no_street_between" : way;
    });
    return { ways, looked_m: this.#looked_m };
  }

  /** One way and its line as [lon, lat], the two points included. */
  drawWay(
    start: Point,
    end: Point,
    options: WalkOptions,
  ): (FootWay & { line: [lon: number, lat: number][] }) | NoWay {
    const from = this.#snap(start, options.profile, createSnapBudget());
    const ends = this.#ends(end, start, { ...options, budget: createSnapBudget() });
    this.#looked_m = options.most_m;
    if (from === null) return "start_off_network";
    const walks = this.#find(
      from,
      ends.map(({ placed }) => placed),
      options,
    );
    const ways = ends.map((each, i) => toFootWay(from, each, walks[i]!, options.most_m));
    const way = nearestWay(ways);
    if (typeof way === "string") return way;
    const at = ways.indexOf(way);
    const { placed, door } = ends[at]!;
    const line = lineOf(this.#search, { from, target: placed!, walk: walks[at]! });
    const points = [
      toUnits(start),
      ...line.map(([lat7, lon7]) => ({ lat7, lon7 })),
      ...(door === null ? [] : [door]),
      toUnits(end),
    ];
    return { ...way, line: points.map(({ lat7, lon7 }) => [lon7 / 1e7, lat7 / 1e7]) };
  }

  /** Polygons of what lies within a distance on foot; null: the point is too far from any walked way. */
  outline(start: Point, options: WalkOptions): Outline | null {
    const { outline, looked_m } = toEnd(this.outlineSteps(start, options));
    this.#looked_m = looked_m;
    return outline;
  }

  /**
   * The same in steps, with the metres up to which all ways are known (`looked_m`). Between them other
   * searches may use the memory of this one.
   */
  *outlineSteps(
    start: Point,
    { most_m, profile }: WalkOptions,
  ): Generator<void, { outline: Outline | null; looked_m: number }> {
    const from = this.#snap(start, profile, createSnapBudget());
    if (from === null) return { outline: null, looked_m: most_m };
    const { off_m } = from.at;
    const asked_cm = toCentimetres(most_m - off_m);
    this.#search.reach(from, { most_cm: asked_cm, profile });
    const most_cm = this.#search.searched_cm;
    const looked_m = most_cm < asked_cm ? Math.max(0, off_m + most_cm / 100) : most_m;
    const squares = squaresOf(this.#search.pages, from, { most_cm, profile });
    yield;
    return { outline: yield* squares.outlineSteps(), looked_m };
  }

  #find(
    from: Placed,
    targets: readonly (Placed | null)[],
    { most_m, profile }: WalkOptions,
  ): (Walk | null)[] {
    const { off_m } = from.at;
    const most_cm = toCentimetres(most_m - off_m);
    const walks = this.#search.find(from, targets, { most_cm, profile });
    const { searched_cm } = this.#search;
    if (searched_cm < most_cm) this.#looked_m = Math.max(0, off_m + searched_cm / 100);
    return walks;
  }

  /**
   * Where a target is come to: on the street that is nearest, or on those nearest to the doors of the
   * building that it is in and the start is not. None: all doors have steps.
   */
  #ends(point: Point, start: Point, { profile, budget }: EndOptions): End[] {
    const at = toUnits(point);
    const doors = this.#doors(at, budget);
    if (doors.length === 0 || this.#isNextTo(start, doors, budget))
      return [{ placed: this.#snap(point, profile, budget), door: null, inside_m: 0 }];
    return doors
      .filter(({ steps }) => profile === "foot" || steps !== STEPS.some)
      .map((door) => ({
        placed: this.#snap(toDegrees(door), profile, budget),
        door,
        inside_m: metresBetween(door, at),
      }));
  }

  /** Of all pages, each once. */
  #doors(at: Point7, budget: Budget): Door[] {
    const doors = new Map<string, Door>();
    for (const page of this.#pages)
      for (const door of page.doorsOf(at, budget)) doors.set(`${door.lat7} ${door.lon7}`, door);
    return [...doors.values()];
  }

  /** Whether a start is in the building that has these doors. */
  #isNextTo(start: Point, doors: readonly Door[], budget: Budget): boolean {
    const own = this.#doors(toUnits(start), budget);
    return own.some((a) => doors.some((b) => a.lat7 === b.lat7 && a.lon7 === b.lon7));
  }

  /** Without steps, what lies at stairs is not put on a street that lies next to them. */
  #snap(point: Point, profile: Profile, budget: Budget): Placed | null {
    const at = toUnits(point);
    const nearest = nearestOf(this.#pages.map((page) => page.nearest(at, MAX_SNAP_M, budget)));
    if (nearest === null) return null;
    const { columns } = this.#pages[nearest.page]!.graph;
    if (isOpen(columns.edges[nearest.at.edge]!, profile)) return nearest;
    const most_m = Math.min(MAX_SNAP_M, nearest.at.off_m + PAST_STAIRS_M);
    return nearestOf(this.#pages.map((page) => page.nearestOpen(at, { most_m, profile, budget })));
  }
}

/** Nearest of the edges in several pages; of two as near the one that is so in one graph. */
function nearestOf(found: readonly (Placed["at"] | null)[]): Placed | null {
  return found.reduce<Placed | null>((best, at, page) => {
    if (at === null) return best;
    const isNearer =
      best === null ||
      at.off_m < best.at.off_m ||
      (at.off_m === best.at.off_m && isBefore(at.rank!, best.at.rank!));
    return isNearer ? { page, at } : best;
  }, null);
}

function toDegrees({ lat7, lon7 }: Point7): Point {
  return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
}

/** Of ways to one place the shortest; of none, why there is none. */
function nearestWay(ways: readonly (FootWay | NoWay)[]): FootWay | NoWay {
  const known = ways.filter((way) => typeof way !== "string");
  const [first, ...others] = known;
  if (first === undefined)
    return ways.includes("not_reached") ? "not_reached" : "target_off_network";
  return others.reduce((best, way) => (way.meters < best.meters ? way : best), first);
}

function toUnits({ lat, lon }: Point): { lat7: number; lon7: number } {
  return { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
}

function toCentimetres(metres: number): number {
  return Math.max(0, Math.floor(metres * 100));
}

function toFootWay(
  { at: from }: Placed,
  { placed, door, inside_m }: End,
  walk: Walk | null,
  most_m: number,
): FootWay | NoWay {
  if (placed === null) return "target_off_network";
  const off_m = placed.at.off_m + inside_m;
  const meters = walk === null ? Infinity : walk.length_cm / 100 + from.off_m + off_m;
  if (walk === null || meters > most_m) return "not_reached";
  return {
    meters,
    step_free: stepFreeOf(Math.max(walk.steps, door?.steps ?? STEPS.none), from.off_m, off_m),
    from_snap_meters: from.off_m,
    to_snap_meters: off_m,
  };
}

function stepFreeOf(steps: number, from_m: number, to_m: number): boolean | null {
  if (steps === STEPS.some) return false;
  return steps === STEPS.none && Math.max(from_m, to_m) <= MOST_SURE_OFF_M ? true : null;
}

/** Whether one of the points is nearer than the nearest street of the other. */
function hasNoStreetBetween(a: Point, b: Point, ends: readonly Placed[]): boolean {
  return distance_m(a.lat, a.lon, b.lat, b.lon) < Math.max(...ends.map(({ at }) => at.off_m));
}
