/** Lines that go on in one another become one: a street is many ways, cut at each bridge. */
import { filled } from "#kit/growing.ts";
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
    const onwards = follow(copied(line), 2 * i + 1, net);
    // Most begin where no other goes on.
    const isFirst = nextOf(net, 2 * i) === NONE;
    yield isFirst ? onwards : reversed(follow(reversed(onwards), 2 * i, net));
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
  const order = filled(new Uint32Array(keys.length), (end) => end);
  order.sort((a, b) => keys[a]! - keys[b]!);
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
function follow(joined: number[], end: number, net: Net): number[] {
  let last = end;
  while (joined.length < JOINED_MAX) {
    const next = nextOf(net, last);
    if (next === NONE) break;
    net.used[next >> 1] = 1;
    append(joined, net.lines[next >> 1]!, next % 2 === 1);
    last = next ^ 1;
  }
  return joined;
}

/** The end at which a line goes on from an end; NONE: it does not. */
function nextOf({ partners, used }: Net, end: number): number {
  const next = partners[end]!;
  return next === NONE || used[next >> 1] === 1 ? NONE : next;
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

function copied(line: TilePoints): number[] {
  const other: number[] = [];
  for (let i = 0; i < line.length; i++) other.push(line[i]!);
  return other;
}

function reversed(line: TilePoints): number[] {
  const other: number[] = [];
  for (let i = line.length - 2; i >= 0; i -= 2) other.push(line[i]!, line[i + 1]!);
  return other;
}
