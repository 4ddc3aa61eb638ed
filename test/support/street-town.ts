/** A drawn town with streets: a grid that bends, with gaps, stairs, gates and things along it. */
import { createFindWay, type WayQuestion } from "#app/walk/one-way.ts";
import type { WaysBetween } from "#ports/walks.ts";
import { createWalks } from "#upstream/bases/walks.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import type { OpenBase } from "#upstream/bases/open-bases.ts";
import { type HeldBase, toHeld } from "#upstream/bases/held-base.ts";
import type { Walker } from "#osm/walking.ts";
import type { PbfObject } from "../../sandbox/pbf/encode.ts";
import { aBasePack } from "./bases.ts";
import { createManualClock } from "./manual-clock.ts";
import { openPacked } from "./town.ts";

export type Draw = {
  /** Degrees of its south-western corner; `VICINITY` has where these towns are. */
  lat: number;
  lon: number;
  /** Streets from south to north, and from west to east. */
  side: number;
  /** Of 0 to 1, the same for the same town. */
  random: () => number;
};

const BLOCK_M = 80;
const PER_DEGREE = 111_195.08;

/** The same numbers for the same seed. */
export function drawFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Degrees of a place by its metres to the north and to the east of a corner. */
export function pointIn(
  { lat, lon }: { lat: number; lon: number },
  north_m: number,
  east_m: number,
): { lat: number; lon: number } {
  const scale = Math.cos((lat * Math.PI) / 180);
  return { lat: lat + north_m / PER_DEGREE, lon: lon + east_m / PER_DEGREE / scale };
}

/** Metres of a side of the town. */
export function sideOf({ side }: Pick<Draw, "side">): number {
  return (side - 1) * BLOCK_M;
}

/** Nodes, then ways: crossings, bends between some of them, stairs, gates, and toilets along streets. */
export function listStreets(draw: Draw): PbfObject[] {
  const { side, random } = draw;
  const nodes: PbfObject[] = [];
  const ways: PbfObject[] = [];
  const put = (id: number, north_m: number, east_m: number, tags = {}): number => {
    const { lat, lon } = pointIn(draw, north_m, east_m);
    const at = { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) };
    nodes.push({ type: "node", id, ...at, tags });
    return id;
  };
  const spot = (row: number, column: number): [number, number] => [
    row * BLOCK_M + 20 * Math.sin(row * 7 + column * 3),
    column * BLOCK_M + 20 * Math.cos(row * 5 + column * 11),
  ];
  const idOf = (row: number, column: number): number => 1 + row * side + column;
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const gate = random() < 0.03 ? { barrier: "gate", access: "private" } : {};
      put(idOf(row, column), ...spot(row, column), gate);
    }
  let next = side * side + 1;
  const join = (from: [number, number], to: [number, number]): void => {
    const kind = random();
    const isEdge = from[0] === 0 || from[1] === 0;
    if (kind < 0.15 && !isEdge) return;
    const highway = kind < 0.22 && !isEdge ? "steps" : kind < 0.4 ? "footway" : "residential";
    const [a, b] = [spot(...from), spot(...to)];
    const bend = put(
      next++,
      (a[0] + b[0]) / 2 + 30 * (random() - 0.5),
      (a[1] + b[1]) / 2 + 30 * (random() - 0.5),
    );
    const refs = [idOf(...from), bend, idOf(...to)];
    ways.push({ type: "way", id: ways.length + 1, refs, tags: { highway } });
  };
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      if (row + 1 < side) join([row, column], [row + 1, column]);
      if (column + 1 < side) join([row, column], [row, column + 1]);
    }
  for (let i = 0; i < side; i++)
    put(next++, random() * sideOf(draw), random() * sideOf(draw), {
      amenity: i % 2 === 0 ? "toilets" : "drinking_water",
      name: `Thing ${i}`,
    });
  return [...nodes, ...ways];
}

/** A base of one page. */
export type Town = HeldBase & { page: OpenBase };

/** The base of a town, as the shelf of bases has it. */
export async function openTown(id: string, objects: readonly PbfObject[]): Promise<Town> {
  const pack = await aBasePack(id, objects);
  const page = openPacked(pack);
  const statement = { id, data_at: null, licence: "ODbL-1.0", attribution: "© the town" };
  return { ...toHeld({ id, version: "1", bytes: pack.length }, page), statement, page };
}

/** The town with other ways; null: it was imported without them. */
export function withWalker(town: Town, walker: Walker | null): Town {
  const page = { ...town.page, walker };
  return { ...town, page, pages: new OnePage(page), hasWalking: walker !== null };
}

export function walksOf(...bases: readonly HeldBase[]): ReturnType<typeof createWalks> {
  return createWalks({ list: () => bases, listUnread: () => [] });
}

/** Finds ways as the service does, on a clock that is stopped. */
export function findWayOver(walks: WaysBetween, clock = createManualClock(0)) {
  const find = createFindWay({ clock, walks });
  return (question: WayQuestion) =>
    find({
      question,
      deadline_ms: clock.now() + 3_000,
      now_ms: clock.now(),
      signal: new AbortController().signal,
    });
}
