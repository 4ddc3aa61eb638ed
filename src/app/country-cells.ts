/**
 * The map of countries for many points: where no border crosses a cell all of its points have one
 * answer, which is looked up once.
 */

/** Longitude before latitude, as in GeoJSON. */
type Ring = readonly (readonly number[])[];
type Find = (lat: number, lon: number) => string[];

/** Cells of a degree, each way. */
const PARTS = 4;
const ROWS = 180 * PARTS + 1;
const COLUMNS = 360 * PARTS + 1;
/** More than what rounding makes of a border, in degrees. */
const MARGIN = 1e-6;
/** Answers that are kept. */
const MOST_ANSWERS = 4_096;

export type Changes = {
  /** Lines across which answers change, closed or not. */
  rings: Iterable<Ring>;
  /** Boxes within which they may change as well: south, west, north, east. */
  boxes: Iterable<readonly [number, number, number, number]>;
};

/** Answers as `find` does, which is called once for a cell in which nothing changes. */
export function findByCell(find: Find, { rings, boxes }: Changes): Find {
  const changing = new Uint8Array(ROWS * COLUMNS);
  for (const ring of rings) markRing(changing, ring);
  for (const [south, west, north, east] of boxes) markBox(changing, [west, south], [east, north]);
  const answers = new Map<number, string[]>();
  return (lat, lon) => {
    const cell = rowOf(lat) * COLUMNS + columnOf(lon);
    if (changing[cell] !== 0) return find(lat, lon);
    let answer = answers.get(cell);
    if (answer === undefined) {
      if (answers.size === MOST_ANSWERS) answers.clear();
      answers.set(cell, (answer = find(lat, lon)));
    }
    return answer;
  };
}

function rowOf(lat: number): number {
  return Math.max(0, Math.min(ROWS - 1, Math.floor((lat + 90) * PARTS)));
}

function columnOf(lon: number): number {
  return Math.max(0, Math.min(COLUMNS - 1, Math.floor((lon + 180) * PARTS)));
}

/** Long edges in steps, so that little more than the cells that they cross is marked. */
function markRing(changing: Uint8Array, ring: Ring): void {
  for (let i = 1; i < ring.length; i++) {
    const [[west, south], [east, north]] = [ring[i - 1]!, ring[i]!] as [number[], number[]];
    const [width, height] = [east! - west!, north! - south!];
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(width), Math.abs(height)) * PARTS));
    const at = (step: number): readonly number[] => [
      west! + (width * step) / steps,
      south! + (height * step) / steps,
    ];
    for (let step = 0; step < steps; step++) markBox(changing, at(step), at(step + 1));
  }
}

/** Of two corners, whichever they are. */
function markBox(changing: Uint8Array, a: readonly number[], b: readonly number[]): void {
  const [west, east] = [Math.min(a[0]!, b[0]!) - MARGIN, Math.max(a[0]!, b[0]!) + MARGIN];
  const [south, north] = [Math.min(a[1]!, b[1]!) - MARGIN, Math.max(a[1]!, b[1]!) + MARGIN];
  for (let row = rowOf(south); row <= rowOf(north); row++)
    changing.fill(1, row * COLUMNS + columnOf(west), row * COLUMNS + columnOf(east) + 1);
}
