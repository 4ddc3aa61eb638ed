/** The coastlines of a map as bytes, and the sea that lies between them, square by square. */
import { toSea } from "./coast.ts";
import { isTouching, type TileBox, tileBox, type TilePoints } from "./grid.ts";
import { boxOfSquare, listDrawn, type SeaFacts, squareAt, SQUARES } from "./sea-facts.ts";
import type { Area } from "./tile-areas.ts";
import { ByteWriter } from "./tile-bytes.ts";
import { readShape, writeShape } from "./tile-shape.ts";

const WHOLE = { x: 0, y: 0, shift: 0 };

export class CoastLines {
  readonly #shapes = new ByteWriter(1024);
  readonly #boxes: TileBox[] = [];
  readonly #starts: number[] = [];

  add(line: TilePoints): void {
    this.#boxes.push(tileBox(line));
    this.#starts.push(this.#shapes.length);
    writeShape(this.#shapes, [{ points: line, inner: false }]);
  }

  /** The areas of the sea in the squares that touch a box. */
  *areas(facts: SeaFacts, within: TileBox): Generator<Area> {
    const bytes = this.#shapes.view();
    const bySquare = this.#sort();
    for (const { x, y, isSea } of listDrawn(facts, within)) {
      const box = boxOfSquare({ x, y });
      const near = bySquare.get(y * SQUARES + x) ?? [];
      const ways = near.map((line) => readLine(bytes, this.#starts[line]!));
      const leads = facts.leads.filter((lead) => isTouching(tileBox(lead), box));
      yield* toSea([...ways, ...leads], box, isSea);
    }
  }

  /** Lines by the squares that they may touch, in the order in which they came. */
  #sort(): Map<number, number[]> {
    const bySquare = new Map<number, number[]>();
    for (const [line, { minX, minY, maxX, maxY }] of this.#boxes.entries())
      for (let y = squareAt(minY, -1); y <= squareAt(maxY, 0); y++)
        for (let x = squareAt(minX, -1); x <= squareAt(maxX, 0); x++) {
          const lines = bySquare.get(y * SQUARES + x) ?? [];
          bySquare.set(y * SQUARES + x, lines);
          lines.push(line);
        }
    return bySquare;
  }
}

function readLine(bytes: Uint8Array, at: number): number[] {
  return readShape(bytes, at, WHOLE)[0]!.points;
}
