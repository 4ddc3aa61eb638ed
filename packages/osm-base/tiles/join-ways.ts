/** Lines that go on in one another become one: a street is many ways, cut at each bridge. */
import type { TilePoints } from "./grid.ts";

/** Longer ones are not made, since a tile reads all of a line of which it shows a part. */
const JOINED_MAX = 2 * 400;
const NONE = -1;

/** Joins where exactly two ends meet. The lines are on a grid of at most 2 ** 25 units. */
export function* joinLines(lines: readonly TilePoints[]): Generator<number[], void> {
  const net = { lines, partners: findPartners(lines), used: new Uint8Array(lines.length) };
  for (const [i, line] of lines.entries()) {
    if (net.used[i] === 1) continue;
    net.used[i] = 1;
    const onwards = follow(Array.from(line), 2 * i + 1, net);
    yield reversed(follow(reversed(onwards), 2 * i, net));
  }
}

/** Line i begins at end 2i and ends at end 2i + 1. */
type Net = { lines: readonly TilePoints[]; partners: Int32Array; used: Uint8Array };

/** By end: the only other one that is at the same point; NONE: there is none, or there are more. */
function findPartners(lines: readonly TilePoints[]): Int32Array {
  const partners = new Int32Array(2 * lines.length).fill(NONE);
  const keys = new Float64Array(2 * lines.length);
  lines.forEach((line, i) => {
    keys[2 * i] = keyOf(line, 0);
    keys[2 * i + 1] = keyOf(line, line.length - 2);
  });
  const order = Uint32Array.from(keys, (_, end) => end).sort((a, b) => keys[a]! - keys[b]!);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const key = keys[order[from]!];
    while (to < order.length && keys[order[to]!] === key) to += 1;
    if (to - from !== 2) continue;
    partners[order[from]!] = order[from + 1]!;
    partners[order[from + 1]!] = order[from]!;
  }
  return partners;
}

/** Appends line after line at the end, which is this one. */
function follow(joined: number[], end: number, { lines, partners, used }: Net): number[] {
  let last = end;
  while (joined.length < JOINED_MAX) {
    const next = partners[last]!;
    if (next === NONE || used[next >> 1] === 1) break;
    used[next >> 1] = 1;
    append(joined, lines[next >> 1]!, next % 2 === 1);
    last = next ^ 1;
  }
  return joined;
}

/** Without the first point, which is there already. */
function append(joined: number[], line: TilePoints, backwards: boolean): void {
  const { length } = line;
  for (let i = 2; i < length; i += 2) {
    const from = backwards ? length - 2 - i : i;
    joined.push(line[from]!, line[from + 1]!);
  }
}

function keyOf(line: TilePoints, at: number): number {
  return line[at]! * 2 ** 26 + line[at + 1]!;
}

function reversed(line: TilePoints): number[] {
  const other: number[] = [];
  for (let i = line.length - 2; i >= 0; i -= 2) other.push(line[i]!, line[i + 1]!);
  return other;
}
