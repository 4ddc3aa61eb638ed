/**
 * A picture in memory: shapes are added as outlines, and filled together in one colour. How much of a
 * pixel they cover is summed per row, so that edges are smooth; shapes that overlap count once.
 */

export type Point = readonly [x: number, y: number];
/** Red, green and blue, 0 to 255, and how much of it covers, 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, share: number];

export class Raster {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Uint8Array;
  readonly #stride: number;
  /** Change of the cover from pixel to pixel; zero between two fillings. */
  readonly #cover: Float32Array;
  #top: number;
  #bottom = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
    this.#stride = width + 2;
    this.#cover = new Float32Array(this.#stride * height);
    this.#top = height;
  }

  /** Adds a closed outline. Of two that turn unlike ways the second is a hole in the first. */
  add(outline: readonly Point[]): void {
    for (let i = 0; i < outline.length; i++)
      this.#addEdge(outline[i]!, outline[(i + 1) % outline.length]!);
  }

  /** Paints what was added since the last time, 16 rows a step. */
  *paint([red, green, blue, share]: Colour): Generator<void, void> {
    const { width, pixels } = this;
    for (let y = this.#top; y < this.#bottom; y++) {
      let sum = 0;
      const start = y * this.#stride;
      for (let x = 0; x < width; x++) {
        sum += this.#cover[start + x]!;
        const covered = Math.min(1, Math.abs(sum)) * share;
        if (covered < 0.002) continue;
        const at = (y * width + x) * 3;
        pixels[at] = mixed(pixels[at]!, red, covered);
        pixels[at + 1] = mixed(pixels[at + 1]!, green, covered);
        pixels[at + 2] = mixed(pixels[at + 2]!, blue, covered);
      }
      this.#cover.fill(0, start, start + this.#stride);
      if (y % 16 === 15) yield;
    }
    this.#top = this.height;
    this.#bottom = 0;
  }

  /** What an edge adds to the cover of the pixels at its right, in each row that it crosses. */
  #addEdge(from: Point, to: Point): void {
    if (from[1] === to[1]) return;
    const turn = from[1] < to[1] ? 1 : -1;
    const [[x_above, y_above], [x_below, y_below]] = turn === 1 ? [from, to] : [to, from];
    const slope = (x_below - x_above) / (y_below - y_above);
    const first = Math.max(0, Math.floor(y_above));
    const last = Math.min(this.height, Math.ceil(y_below));
    if (first >= last) return;
    this.#top = Math.min(this.#top, first);
    this.#bottom = Math.max(this.#bottom, last);
    let x = x_above + Math.max(0, -y_above) * slope;
    for (let y = first; y < last; y++) {
      const rows = Math.min(y + 1, y_below) - Math.max(y, y_above);
      const next = x + slope * rows;
      this.#addSpan(y * this.#stride, this.#within(x), this.#within(next), rows * turn);
      x = next;
    }
  }

  #within(x: number): number {
    return Math.min(this.width, Math.max(0, x));
  }

  /** An edge within a row, from `a` to `b` along it, of this height. */
  // oxlint-disable-next-line max-params -- once per edge and row: no options object here
  #addSpan(start: number, a: number, b: number, height: number): void {
    const cover = this.#cover;
    const left = Math.min(a, b);
    const right = Math.max(a, b);
    const first = Math.floor(left);
    const last = Math.floor(right);
    if (first === last) {
      const beyond = (left + right) / 2 - first;
      cover[start + first]! += height * (1 - beyond);
      cover[start + first + 1]! += height * beyond;
      return;
    }
    const per_pixel = height / (right - left);
    let crossed = 0;
    let covered = 0;
    for (let x = first; x <= last; x++) {
      const begin = Math.max(left, x);
      const end = Math.min(right, x + 1);
      const own = (end - begin) * per_pixel;
      const next = crossed + own * (x + 1 - (begin + end) / 2);
      cover[start + x]! += next - covered;
      covered = next;
      crossed += own;
    }
    cover[start + last + 1]! += height - covered;
  }
}

function mixed(below: number, above: number, share: number): number {
  return Math.round(below + (above - below) * share);
}
