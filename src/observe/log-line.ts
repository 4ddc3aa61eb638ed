/** A line of the log for a person at a terminal: time, level, message, and what else it has. */
import { styleText } from "node:util";
import { oneLine } from "#kit/text/one-line.ts";

/** pino's numbers. */
const LEVELS: Readonly<Record<number, readonly [word: string, style: "dim" | "yellow" | "red"]>> = {
  10: ["trace", "dim"],
  20: ["debug", "dim"],
  30: ["info", "dim"],
  40: ["warn", "yellow"],
  50: ["error", "red"],
  60: ["fatal", "red"],
};

type Line = { level?: number; time?: number; msg?: string; err?: { stack?: string } };

/** Turns a line of JSON into one of at most `columns`; below an error follows its stack. */
export function toPrettyLine(
  json: string,
  { columns, color }: { columns: number; color: boolean },
) {
  const { level = 30, time = 0, msg = "", err, ...rest } = JSON.parse(json) as Line;
  const [word, style] = LEVELS[level] ?? ["info", "dim"];
  const members = Object.entries(rest).map(([name, value]) => `${name}=${show(value)}`);
  const text = `${toClock(time)} ${word.padEnd(5)} ${oneLine([msg, ...members].join(" "))}`;
  const cut = text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
  const listed = color ? styleText(style, cut, { validateStream: false }) : cut;
  const stack = err?.stack?.split("\n").map((line) => `  ${oneLine(line)}\n`) ?? [];
  return `${listed}\n${stack.join("")}`;
}

/** What is no plain word is quoted. */
function show(value: unknown): string {
  return typeof value === "string" && /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}

/** `09:15:04`, in the zone of the machine. */
function toClock(time_ms: number): string {
  return new Date(time_ms).toTimeString().slice(0, 8);
}
