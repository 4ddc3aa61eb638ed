/**
 * The shipped rules of Prometheus, and the same rules with their minutes shortened: expressions stay
 * as they are but for how far they look back and ahead, so that an hour of waiting takes a minute.
 */
import { parse } from "yaml";

export type Rule = {
  alert: string;
  expr: string;
  /** Seconds for which the expression holds before the alert fires. */
  for_s: number;
  /** Seconds that the longest range or offset of the expression looks back. */
  range_s: number;
};

/** A range must hold a few scrapes, however much it is shortened. */
export const LEAST_RANGE_S = 8;

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };
const DURATION = String.raw`(\d+)(ms|s|m|h|d)\b`;
const RANGES = new RegExp(String.raw`(\[|\boffset )${DURATION}`, "g");
/** How far `predict_linear` looks ahead. */
const AHEAD = / \* 3600\b/g;
const FORS = new RegExp(String.raw`^(\s*for: )${DURATION}`, "gm");

type Input = { alert: string; expr: string; for?: string };

export function listRules(text: string): Rule[] {
  const { groups } = parse(text) as { groups: { rules: Input[] }[] };
  return groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, expr, for: input_for }) => ({
      alert,
      expr,
      for_s: input_for === undefined ? 0 : toSeconds(input_for),
      range_s: Math.max(
        0,
        ...Array.from(expr.matchAll(RANGES), ([, , count, unit]) => Number(count) * UNITS[unit!]!),
      ),
    }));
}

/** The text of the rules with each `for`, range, offset and look ahead divided by `factor`. */
export function shorten(text: string, factor: number): string {
  const divided = (count: string, unit: string, least_s: number): string =>
    `${Math.max(1, Math.round(Math.max(least_s, (Number(count) * UNITS[unit]!) / factor) * 1000))}ms`;
  return text
    .replaceAll(
      RANGES,
      (_, before: string, count: string, unit: string) =>
        `${before}${divided(count, unit, LEAST_RANGE_S)}`,
    )
    .replaceAll(AHEAD, ` * ${3_600 / factor}`)
    .replaceAll(
      FORS,
      (_, before: string, count: string, unit: string) => `${before}${divided(count, unit, 0)}`,
    );
}

export function toSeconds(duration: string): number {
  const match = new RegExp(`^${DURATION}$`).exec(duration);
  if (!match) throw new Error(`no duration: ${duration}`);
  return Number(match[1]) * UNITS[match[2]!]!;
}
