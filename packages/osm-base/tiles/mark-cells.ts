/** Where a base has something: squares of the grid, each in one of the level above it. */
import { type TileBox, tileBox } from "./grid.ts";

export type MarkCell = { level: number; x: number; y: number };
/** Squares of the grid, each in one of the level above it. */
export type Cells = {
  /** Of the smallest squares. */
  level: number;
  /** Whether there is something in the square, or near it. */
  has(cell: MarkCell): boolean;
  boxOf(cell: MarkCell): TileBox;
};

/** Squares of a level in which points are, and those around them. */
export function createCells(
  level: number,
  bits: number,
): Cells & { add(x: number, y: number): void; box(): TileBox | null } {
  const levels = Array.from({ length: level + 1 }, () => new Set<number>());
  const size = 2 ** (bits - level);
  const seen = new Set<number>();
  let last = -1;
  const add = (x: number, y: number): void => {
    const key = Math.floor(x / size) * 2 ** level + Math.floor(y / size);
    // Neighbours in the file are neighbours on the map.
    if (key === last || seen.has(key)) return;
    last = key;
    seen.add(key);
    for (let near = 0; near < 9; near++) {
      let cellX = Math.floor(x / size) + (near % 3) - 1;
      let cellY = Math.floor(y / size) + Math.floor(near / 3) - 1;
      if (cellX < 0 || cellY < 0 || cellX >= 2 ** level || cellY >= 2 ** level) continue;
      for (let at = level; at >= 0; at--) {
        levels[at]!.add(cellX * 2 ** at + cellY);
        cellX >>= 1;
        cellY >>= 1;
      }
    }
  };
  const boxOfCell = ({ level: at, x, y }: MarkCell): TileBox => {
    const side = 2 ** (bits - at);
    return { minX: x * side, minY: y * side, maxX: (x + 1) * side, maxY: (y + 1) * side };
  };
  return {
    level,
    add,
    has: ({ level: at, x, y }) => levels[at]!.has(x * 2 ** at + y),
    boxOf: boxOfCell,
    box() {
      const corners = [...levels[level]!].flatMap((key) => {
        const y = key % 2 ** level;
        const { minX, minY, maxX, maxY } = boxOfCell({ level, x: (key - y) / 2 ** level, y });
        return [minX, minY, maxX, maxY];
      });
      return corners.length > 0 ? tileBox(corners) : null;
    },
  };
}
