// What lies inside the blocks: short cuts of all kinds, drives that end, houses with doors, squares, a
// garden that no way leads to and a court behind a gate.
import { hash, pick, unit } from "../rng.ts";
import type { Spot } from "../openbase/plane.ts";
import type { Draft } from "./draft.ts";
import type { Block } from "./grid.ts";
import type { Style } from "./model.ts";
import type { NamedLines } from "./named.ts";
import { listParts } from "./parts.ts";
import { along, apart } from "./plane.ts";
import { BARRIERS, CONNECTOR, DRIVE, GATE, PATHS, SQUARE } from "./styles.ts";

/** Houses are so near to their street. */
const HOUSES_M = 26;
const SHORTEST_M = 60;
/** Squares and the like are in the middle of the city. */
const CENTRAL_M = 1_900;
const GARDEN_CORNERS = 10;
const COURT_CORNERS = 12;

export function fillBlocks(draft: Draft, blocks: readonly Block[], named: NamedLines): void {
  const [largest] = listParts(draft);
  const reached = new Set(largest);
  const free = blocks.filter(
    (block) => block.corners.every((node) => reached.has(node)) && isFree(draft, block, named),
  );
  const special = new Set(
    free
      .filter(({ corners }) => Math.hypot(...draft.spots[corners[0]!]!) < CENTRAL_M)
      .toSorted((a, b) => a.key - b.key)
      .slice(0, SPECIAL.length),
  );
  for (const [n, block] of [...special].entries()) SPECIAL[n]!(new Ground(draft, block));
  for (const block of free) if (!special.has(block)) fillBlock(new Ground(draft, block), block.key);
}

/** Nothing else is there, and it is large enough for something. */
function isFree(draft: Draft, { corners }: Block, named: NamedLines): boolean {
  const spots = corners.map((node) => draft.spots[node]!);
  const isWide = spots.every((spot, n) => apart(spot, spots[(n + 1) % 4]!) > SHORTEST_M);
  if (!isWide || corners.some((node) => draft.isCut(corners[0]!, node))) return false;
  if (draft.isCut(corners[1]!, corners[3]!)) return false;
  const middle = along(spots[0]!, spots[2]!, 0.5);
  const half_m = Math.max(...spots.map((spot) => apart(middle, spot)));
  return !named.isNear(middle, half_m + HOUSES_M);
}

/** A block with places inside of it by their shares from its first corner to the two next to it. */
class Ground {
  readonly draft: Draft;
  readonly corners: readonly number[];
  readonly #spots: readonly Spot[];

  constructor(draft: Draft, { corners }: Block) {
    this.draft = draft;
    this.corners = corners;
    this.#spots = corners.map((node) => draft.spots[node]!);
  }

  add(x: number, y: number, style?: Style): number {
    const [a, b, c, d] = this.#spots as [Spot, Spot, Spot, Spot];
    return this.draft.addSpot(along(along(a, b, x), along(d, c, x), y), style);
  }

  addAll(places: readonly (readonly [number, number])[]): number[] {
    return places.map(([x, y]) => this.add(x, y));
  }

  addRound(count: number, reach: number): number[] {
    const ring = Array.from({ length: count }, (_, n) => {
      const angle = (n / count) * 2 * Math.PI;
      return this.add(0.5 + reach * Math.cos(angle), 0.5 + reach * Math.sin(angle));
    });
    return [...ring, ring[0]!];
  }

  /** From a corner of the block to nodes inside. */
  lead(corner: number, nodes: readonly number[], style: Style = CONNECTOR): void {
    this.draft.addWay([this.corners[corner]!, ...nodes], style);
  }
}

const closed = (ring: readonly number[]): number[] => [...ring, ring[0]!];

/** A square with three ways onto it. */
function layPlainSquare(ground: Ground): void {
  const ring = ground.addAll([
    [0.25, 0.25],
    [0.5, 0.22],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ]);
  ground.lead(0, [ring[0]!]);
  ground.lead(1, [ring[2]!]);
  ground.lead(2, [ring[3]!]);
  ground.draft.addSquare({ rings: [closed(ring)], tags: SQUARE, is_relation: false });
}

/** The shortest way over it bends around a corner. */
function layBentSquare(ground: Ground): void {
  const ring = ground.addAll([
    [0.8, 0.2],
    [0.8, 0.45],
    [0.45, 0.45],
    [0.45, 0.8],
    [0.2, 0.8],
    [0.2, 0.2],
  ]);
  ground.lead(1, [ring[0]!]);
  ground.lead(3, [ring[4]!]);
  ground.lead(2, [ring[1]!]);
  ground.draft.addSquare({ rings: [closed(ring)], tags: SQUARE, is_relation: false });
}

/** With a basin in its middle. */
function layBasinSquare(ground: Ground): void {
  const outer = ground.addAll([
    [0.2, 0.2],
    [0.8, 0.2],
    [0.8, 0.8],
    [0.2, 0.8],
  ]);
  const inner = ground.addAll([
    [0.4, 0.4],
    [0.6, 0.4],
    [0.6, 0.6],
    [0.4, 0.6],
  ]);
  for (const corner of [0, 1, 2]) ground.lead(corner, [outer[corner]!]);
  const rings = [closed(outer), closed(inner)];
  ground.draft.addSquare({ rings, tags: SQUARE, is_relation: true });
}

function layGarden(ground: Ground): void {
  ground.draft.addWay(ground.addRound(GARDEN_CORNERS, 0.2), CONNECTOR);
}

function layCourt(ground: Ground): void {
  const ring = ground.addRound(COURT_CORNERS, 0.22);
  ground.draft.addWay(ring, CONNECTOR);
  ground.lead(0, [ground.add(0.15, 0.15, GATE), ring[7]!], DRIVE);
}

/** Two levels: the short way up has steps, the long one has none. */
function layTerrace(ground: Ground): void {
  const [low, high, bend] = ground.addAll([
    [0.35, 0.3],
    [0.6, 0.7],
    [0.75, 0.35],
  ]);
  ground.lead(0, [low!]);
  ground.lead(2, [high!]);
  ground.draft.addWay([low!, high!], STAIRS);
  ground.draft.addWay([low!, bend!, high!], CONNECTOR);
}

const STAIRS: Style = {
  tags: { highway: "steps", incline: "up", step_count: "22" },
  footing: "steps",
};

const SPECIAL: readonly ((ground: Ground) => void)[] = [
  layPlainSquare,
  layBentSquare,
  layBasinSquare,
  layGarden,
  layCourt,
  layTerrace,
  layTerrace,
];

function fillBlock(ground: Ground, key: number): void {
  const dice = unit(key, 1);
  if (dice < 0.14) layPath(ground, key);
  else if (dice < 0.2)
    ground.lead(
      1,
      ground.addAll([
        [0.7, 0.3],
        [0.5, 0.4],
        [0.45, 0.6],
      ]),
      DRIVE,
    );
  else if (dice < 0.24) layHouse(ground);
}

/** From corner to corner, on some of them past something that is in the way. */
function layPath(ground: Ground, key: number): void {
  const style = pick(PATHS, hash(key, 2));
  const barrier = unit(key, 3) < 0.35 ? pick(BARRIERS, hash(key, 4)) : undefined;
  const middle = ground.add(0.35 + 0.3 * unit(key, 5), 0.35 + 0.3 * unit(key, 6), barrier);
  const corner = hash(key, 7) % 2;
  ground.lead(corner, [middle, ground.corners[corner + 2]!], style);
}

function layHouse(ground: Ground): void {
  const ring = ground.addAll([
    [0.3, 0.3],
    [0.5, 0.3],
    [0.7, 0.3],
    [0.7, 0.6],
    [0.3, 0.6],
  ]);
  for (const door of [ring[1]!, ring[3]!])
    ground.draft.mark(door, { tags: { entrance: "yes" }, footing: "free" });
  ground.draft.addBuilding(closed(ring));
  ground.lead(0, [ring[1]!]);
}
