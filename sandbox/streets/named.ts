// The named streets of a city: their lines, where the lanes join them, and gates where they meet water.
import { around, type Point } from "../geo.ts";
import { hash, pick, unit } from "../rng.ts";
import type { Spot } from "../openbase/plane.ts";
import type { Street } from "../world/gazetteer.ts";
import type { Draft } from "./draft.ts";
import type { Tags } from "./model.ts";
import { along, apart, besides, crossing, square } from "./plane.ts";
import { CROSSINGS, GATE } from "./styles.ts";

const HOUSE_STEP_M = 9;
/** How far a street goes on beyond its last house. */
const BEYOND_M = 260;
const STEP_M = 60;

/** Straight as long as there are houses; the ends bend. */
function layStreet(street: Street): Point[] {
  const built_m = (street.houses / 2) * HOUSE_STEP_M;
  const half_m = built_m + BEYOND_M;
  const bend = (unit(street.key, 9) - 0.5) * 0.1;
  const steps = Math.ceil(half_m / STEP_M);
  return Array.from({ length: 2 * steps + 1 }, (_, n) => {
    const along_m = ((n - steps) / steps) * half_m;
    const beyond = Math.max(0, Math.abs(along_m) - built_m) / BEYOND_M;
    return around(street, street.turn + bend * beyond, along_m);
  });
}

type Tagging = (street: Street, index: number) => Tags;

export class NamedLines {
  readonly #draft: Draft;
  readonly #lines: Line[] = [];

  constructor(draft: Draft, streets: readonly Street[], tagsOf: Tagging) {
    this.#draft = draft;
    for (const [index, street] of streets.entries()) {
      const nodes = layStreet(street).map((point) => draft.addPoint(point));
      this.#lines.push({ nodes, box: boxOf(nodes.map((node) => draft.spots[node]!)) });
      for (const [n, to] of nodes.entries()) if (n > 0) this.#close(nodes[n - 1]!, to);
      const style = { tags: tagsOf(street, index), footing: "free" } as const;
      draft.addWay(nodes, style, { is_over: true, street: index });
    }
  }

  #close(a: number, b: number): void {
    const [from, to] = [this.#draft.spots[a]!, this.#draft.spots[b]!];
    for (const share of this.#draft.river.crossings(from, to))
      this.#draft.mark(share < 0.5 ? a : b, GATE);
  }

  /** Nodes by which a line is led that crosses named streets, in its order. */
  jointsOf(a: Spot, b: Spot): number[] {
    const joints = this.#lines.flatMap((line) =>
      this.#crossingsOf(line, a, b).filter(({ node }) => this.#draft.isOpen(node)),
    );
    const sorted = joints.toSorted((x, y) => x.share - y.share).map(({ node }) => node);
    return sorted.filter((node, n) => n === 0 || node !== sorted[n - 1]);
  }

  #crossingsOf({ nodes: line, box }: Line, a: Spot, b: Spot): { node: number; share: number }[] {
    if (!isTouching(box, boxOf([a, b]))) return [];
    const { spots } = this.#draft;
    const reach = (apart(a, b) + STEP_M) ** 2;
    const found: { node: number; share: number }[] = [];
    for (let n = 1; n < line.length; n += 1) {
      const [from, to] = [line[n - 1]!, line[n]!];
      if (square(a, spots[from]!) > reach) continue;
      const share = crossing(a, b, spots[from]!, spots[to]!);
      if (share === null) continue;
      const at = along(a, b, share);
      const node = square(at, spots[from]!) < square(at, spots[to]!) ? from : to;
      found.push({ node, share });
    }
    return found;
  }

  /** Ways from one street to another where they cross: neither has a node there. */
  joinStreets(key: number): void {
    const { spots } = this.#draft;
    for (const [i, line] of this.#lines.entries())
      for (const other of this.#lines.slice(i + 1))
        for (const [n, to] of line.nodes.slice(1).entries()) {
          const from = line.nodes[n]!;
          for (const { node } of this.#crossingsOf(other, spots[from]!, spots[to]!)) {
            const near = square(spots[node]!, spots[from]!) < square(spots[node]!, spots[to]!);
            const own = near ? from : to;
            if (!this.#draft.isOpen(own) || !this.#draft.isOpen(node)) continue;
            if (this.#draft.isJoined(own, node)) continue;
            this.#draft.addWay([own, node], pick(CROSSINGS, hash(key, own, node)));
          }
        }
  }

  /** Whether a street passes within a distance of a point. */
  isNear(at: Spot, within_m: number): boolean {
    const { spots } = this.#draft;
    const [east, north] = at;
    const near: Box = [east - within_m, north - within_m, east + within_m, north + within_m];
    return this.#lines.some(
      ({ nodes, box }) =>
        isTouching(box, near) &&
        nodes.some(
          (node, n) =>
            n > 0 &&
            square(at, spots[node]!) < (within_m + STEP_M) ** 2 &&
            besides(at, spots[nodes[n - 1]!]!, spots[node]!) < within_m,
        ),
    );
  }
}

type Box = readonly [west: number, south: number, east: number, north: number];
type Line = { readonly nodes: readonly number[]; readonly box: Box };

function boxOf(spots: readonly Spot[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of spots) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

const isTouching = (a: Box, b: Box): boolean =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
