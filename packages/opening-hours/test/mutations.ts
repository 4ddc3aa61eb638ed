/** Texts near to those of opening hours, and what reading and evaluating one takes. */
import { createHoursMemory, evaluateHours, type HoursPlace, parseHours } from "../hours.ts";
import { createDice, type Dice } from "../../../trials/dice.ts";

/** Of processor time, for reading a text and evaluating it once. */
const MOST_US = 1_000;
const TRIES = 5;
const AT_MS = Date.UTC(2026, 10, 23, 10);
const MINUTE_MS = 60_000;
const PIECES = [
  ...Array.from('0123456789;,-+/:.[]()|"& \u2013'),
  ...[
    "Mo",
    "Tu-Su",
    "Sa[1]",
    "Su[-1]",
    "PH",
    "SH",
    "PH off",
    "off",
    "open",
    "unknown",
    "24/7",
    "||",
  ],
  ...["Jan", "Feb 29", "Apr-Oct", "Dec 24-Jan 6", "2026", "2026-2030/2", "week 1-53/2", "easter"],
  ...[
    "08:00-12:00",
    "22:00-06:00",
    "18:00+",
    "26:00",
    "sunrise",
    "(sunset-01:00)",
    "easter -2 days",
  ],
  ...["easter +366 days", "2199 Dec 31", "am", "h", "to", "Monday", '"by appointment"', " day"],
];

function mutate(dice: Dice, texts: readonly string[]): string {
  let text = dice.pick(texts);
  for (let left = dice.integer(1, 4); left > 0; left--) {
    const at = dice.integer(0, text.length);
    const end = Math.min(text.length, at + dice.integer(0, 12));
    const kind = dice.integer(0, 4);
    if (kind === 0) text = text.slice(0, at) + text.slice(end);
    else if (kind === 1) text = text.slice(0, at) + dice.pick(PIECES) + text.slice(end);
    else if (kind === 2) text = `${text.slice(0, at)}${dice.pick(PIECES)} ${text.slice(at)}`;
    else if (kind === 3) text = `${text}${dice.pick(["; ", ", ", " || ", " "])}${dice.pick(texts)}`;
    else
      text = text.slice(0, end) + text.slice(at, end).repeat(dice.integer(1, 9)) + text.slice(end);
  }
  return text;
}

export type Attempts = {
  read: number;
  most_us: number;
  /** Texts that throw, or take longer than the bound every time. */
  findings: string[];
};

/** Reads and evaluates generated texts; what they share, such as offsets, is read before. */
export function attempt(
  texts: readonly string[],
  { count, seed, places }: { count: number; seed: number; places: readonly HoursPlace[] },
): Attempts {
  const attempts: Attempts = { read: 0, most_us: 0, findings: [] };
  const memory = createHoursMemory();
  const once = (text: string, index: number): boolean => {
    const hours = parseHours(text);
    if (!hours) return false;
    evaluateHours(hours, AT_MS + index * MINUTE_MS, places[index % places.length]!, memory);
    return true;
  };
  for (let index = 0; index < count; index += 100) once("PH,Mo-Fr 08:00-12:00", index);
  for (let index = 0; index < count; index++) {
    const text = mutate(createDice(seed, index), texts);
    const begun_ms = performance.now();
    try {
      if (once(text, index)) attempts.read += 1;
    } catch (error) {
      attempts.findings.push(`throws: ${JSON.stringify(text)}: ${String(error)}`);
      continue;
    }
    let took_us = (performance.now() - begun_ms) * 1_000;
    if (took_us > MOST_US) took_us = measureAgain_us(() => once(text, index));
    attempts.most_us = Math.max(attempts.most_us, took_us);
    if (took_us > MOST_US)
      attempts.findings.push(`${took_us.toFixed(0)} us: ${JSON.stringify(text)}`);
  }
  return attempts;
}

/** The least of several, since neither waiting nor collecting garbage is part of it. */
function measureAgain_us(work: () => unknown): number {
  let least_us = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const begun = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(begun);
    least_us = Math.min(least_us, user + system);
  }
  return least_us;
}
