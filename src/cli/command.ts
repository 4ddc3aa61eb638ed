/** What a command of the command line is: data for parsing and help, and one function. */
import type { Io } from "#cli/io.ts";
import type { Env } from "#config/env.ts";
import { guard } from "#kit/guard.ts";
import { pathProblem, type PathUse, type PathPlace } from "#kit/path-problem.ts";
import { fromText, numberRule, readBy, type Rule, textBy } from "#kit/rule.ts";

/**
 * `value` is the word for what follows the option; without it the option is a switch. `required`: the
 * command does not do without.
 */
export type OptionRule = { value?: string; help: string; required?: true };

export type Parsed = {
  positionals: readonly string[];
  /** Text of options that take a value, true for switches. */
  options: Readonly<Record<string, string | true>>;
};

export type Command = {
  /** One word, or two: commands that share the first one are a group. */
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  /** Names of the positional arguments; required, but for one in brackets. */
  positionals: readonly string[];
  options: Readonly<Record<string, OptionRule>>;
  /** Lines that can be typed as they are. */
  examples: readonly string[];
  /** Exit codes of its own, for the help. */
  exits?: readonly string[];
  run(parsed: Parsed, context: CommandContext): Promise<number>;
};

export type CommandContext = { io: Io; env: Env };

/**
 * Exit codes: done, failed, called wrongly; and `unknown`: nothing was found, while some of the
 * sources could not be asked, so that there may be something.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, unknown: 3 } as const;

/** The exit code for an answer with this status (§3) that says how many things were found. */
export function exitOf(status: unknown, match: number): number {
  return status === "partial" && match === 0 ? EXIT.unknown : EXIT.ok;
}

export const SEARCH_EXITS: readonly string[] = [
  "3 when nothing was found while the answer is partial: there may be something.",
];

/** Called wrongly: one line, and which command's help explains it. */
export class UsageError extends Error {}

/** A path that cannot be used: one sentence, exit 1. */
export class PathError extends Error {}

/** Runs what reads or writes at a path that was given; what the system says of it is a sentence. */
export async function atPath<T>(
  place: PathPlace,
  use: PathUse,
  task: () => T | Promise<T>,
): Promise<T> {
  return await guard(task, (error): never => {
    const problem = pathProblem(error, place, use);
    throw problem === null ? error : new PathError(problem, { cause: error });
  });
}

/** The text of an option; undefined when it is not given. */
export function textOption(parsed: Parsed, name: string): string | undefined {
  const text = parsed.options[name];
  return typeof text === "string" ? text : undefined;
}

/** The value of an option as its rules read it; undefined when it is not given. */
export function optionBy<T>(
  parsed: Parsed,
  name: string,
  ...rules: readonly Rule<T>[]
): T | undefined {
  const text = textOption(parsed, name);
  return text === undefined ? undefined : readArgument(text, `--${name}: `, ...rules);
}

/** Reads an argument by rules; `where` names it. */
function readArgument<T>(text: string, where: string, ...rules: readonly Rule<T>[]): T {
  const read = readBy(text, ...rules);
  if (read.ok) return read.value;
  throw new UsageError(`${where}expected ${read.words}, got ${JSON.stringify(text)}`);
}

/** The number of an option; undefined when it is not given. */
export function numberOption(
  parsed: Parsed,
  name: string,
  { min, max, integer = false }: { min: number; max: number; integer?: boolean },
): number | undefined {
  const bounds = max >= Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const words = `${integer ? "an integer" : "a number"} ${bounds}`;
  const range = { minimum: min, maximum: max };
  const rule = numberRule(words, range, integer ? Number.isInteger : undefined);
  return optionBy(parsed, name, fromText(rule, toNumber));
}

/** A positional LAT,LON. Only its shape is checked here; the ranges are the server's to judge. */
export function toPoint(parsed: Parsed, place = 0): Point {
  return readArgument(parsed.positionals[place] ?? "", "", POINT);
}

/** The LAT,LON of an option; undefined when it is not given. */
export function pointOption(parsed: Parsed, name: string): Point | undefined {
  return optionBy(parsed, name, POINT);
}

type Point = { lat: number; lon: number };

const POINT: Rule<Point> = textBy("LAT,LON such as 48.8566,2.3522", (text) => {
  const [lat, lon, ...rest] = text.split(",").map((part) => toNumber(part.trim()));
  return lat === undefined || lon === undefined || rest.length > 0 ? undefined : { lat, lon };
});

/** A decimal number; undefined: anything else. */
export function toNumber(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
