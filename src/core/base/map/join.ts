/** Lines that go on in one another become one: a street is many ways, cut at each bridge. */
import type { Points } from "./grid.ts";

/** Longer ones are not made, since a tile reads all of a line of which it shows a part. */
const JOINED_MAX = 2 * 400;

/** Joins where exactly two ends meet. The lines are on a grid of at most 2 ** 25 units. */
export function joinLines(lines: readonly Points[]): number[][] {
  const ends = new Map<number, number[]>();
  lines.forEach((line, i) => {
    for (const key of [keyOf(line, 0), keyOf(line, line.length - 2)]) {
      const known = ends.get(key);
      if (known) known.push(i);
      else ends.set(key, [i]);
    }
  });
  const used = new Uint8Array(lines.length);
  return lines.flatMap((line, i) => {
    if (used[i] === 1) return [];
    used[i] = 1;
    const onwards = follow(Array.from(line), { lines, ends, used });
    return [reversed(follow(reversed(onwards), { lines, ends, used }))];
  });
}

type Net = { lines: readonly Points[]; ends: ReadonlyMap<number, number[]>; used: Uint8Array };

/** Appends line after line at the end. */
function follow(joined: number[], { lines, ends, used }: Net): number[] {
  while (joined.length < JOINED_MAX) {
    const end = keyOf(joined, joined.length - 2);
    const meeting = ends.get(end)!;
    const next = meeting.length === 2 ? meeting.find((each) => used[each] === 0) : undefined;
    if (next === undefined) break;
    used[next] = 1;
    const line = lines[next]!;
    const onwards = keyOf(line, 0) === end ? Array.from(line) : reversed(line);
    for (let i = 2; i < onwards.length; i++) joined.push(onwards[i]!);
  }
  return joined;
}

function keyOf(line: Points, at: number): number {
  return line[at]! * 2 ** 26 + line[at + 1]!;
}

function reversed(line: Points): number[] {
  const other: number[] = [];
  for (let i = line.length - 2; i >= 0; i -= 2) other.push(line[i]!, line[i + 1]!);
  return other;
}
