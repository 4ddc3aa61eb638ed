// Streets while they are laid: each node is where its rounded coordinates are.
import type { Point } from "../geo.ts";
import { type Spot, toPoint, toSpot } from "../openbase/plane.ts";
import type { City } from "../world/model.ts";
import type {
  Building,
  Footing,
  Square,
  StreetNode,
  Streets,
  StreetWay,
  Style,
  Tags,
} from "./model.ts";
import { square } from "./plane.ts";
import type { River } from "./river.ts";

const HALF_TURN = 180;
const NOTHING: Tags = {};

export class Draft {
  readonly city: City;
  readonly river: River;
  readonly spots: Spot[] = [];
  readonly nodes: StreetNode[] = [];
  readonly ways: StreetWay[] = [];
  readonly squares: Square[] = [];
  readonly buildings: Building[] = [];
  readonly #joined = new Set<number>();

  constructor(city: City, river: River) {
    this.city = city;
    this.river = river;
  }

  addPoint({ lat, lon }: Point, tags = NOTHING, passing: Footing = "free"): number {
    this.nodes.push({ lat, lon, tags, passing });
    return this.spots.push(toSpot(this.city, { lat, lon })) - 1;
  }

  addSpot(spot: Spot, style: Style = { tags: NOTHING, footing: "free" }): number {
    return this.addPoint(toPoint(this.city, spot), style.tags, style.footing);
  }

  /** Says what is on a node. */
  mark(node: number, { tags, footing }: Style): void {
    this.nodes[node] = { ...this.nodes[node]!, tags, passing: footing };
  }

  /** A way ends at the antimeridian, and where it would cross the river unless it is `over` it. */
  addWay(nodes: readonly number[], { tags, footing }: Style, wish: WayWish = {}): void {
    const { is_over = false, street = null } = wish;
    const runs: number[][] = [[]];
    for (const node of nodes) {
      const before = runs.at(-1)!.at(-1);
      if (before !== undefined && this.isCut(before, node, is_over)) runs.push([]);
      runs.at(-1)!.push(node);
    }
    for (const run of runs)
      if (run.length > 1) {
        this.ways.push({ nodes: run, tags, footing, street });
        for (const [n, node] of run.entries())
          if (n > 0) this.#joined.add(pairOf(run[n - 1]!, node));
      }
  }

  /** Whether a way leads straight from one node to the other. */
  isJoined(a: number, b: number): boolean {
    return this.#joined.has(pairOf(a, b));
  }

  isCut(a: number, b: number, is_over = false): boolean {
    const [from, to] = [this.nodes[a]!, this.nodes[b]!];
    if (Math.abs(from.lon - to.lon) > HALF_TURN) return true;
    return !is_over && this.river.isBetween(this.spots[a]!, this.spots[b]!);
  }

  addSquare(area: Square): void {
    this.squares.push(area);
  }

  addBuilding(nodes: readonly number[]): void {
    this.buildings.push({ nodes, tags: { building: "yes" } });
  }

  /** A node that ways lead on from, on dry ground. */
  isOpen(node: number): boolean {
    return this.nodes[node]!.passing !== "closed" && !this.river.isWet(this.spots[node]!);
  }

  /** The nearest of the nodes that a straight way leads to; null: none is as near as that. */
  nearest(from: Spot, nodes: Iterable<number>, most_m: number): number | null {
    let [best, best_square]: [number | null, number] = [null, most_m ** 2];
    for (const node of nodes) {
      const away_square = square(from, this.spots[node]!);
      if (away_square >= best_square || !this.isOpen(node)) continue;
      if (this.river.isBetween(from, this.spots[node]!)) continue;
      [best, best_square] = [node, away_square];
    }
    return best;
  }

  get streets(): Streets {
    const { nodes, ways, squares, buildings } = this;
    return { nodes, ways, squares, buildings };
  }
}

const MOST_NODES = 2 ** 20;
const pairOf = (a: number, b: number): number => Math.min(a, b) * MOST_NODES + Math.max(a, b);

type WayWish = { readonly is_over?: boolean; readonly street?: number | null };
