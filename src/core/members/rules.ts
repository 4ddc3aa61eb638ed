/**
 * Strict reading of JSON values (decisions, Capabilities): no coercion, nothing stripped, and every
 * refusal names the member and the rule.
 */
import { findNearest } from "#kit/nearest.ts";
import { hasControls } from "#kit/text/controls.ts";

type Wrong = {
  ok: false;
  code: "invalid_request" | "unexpected_member";
  message: string;
};
export type ReadMembers<T> = { ok: true; value: T } | Wrong;

/** Rule for one member. `undefined` from `read`: not such a value. */
export type Rule<T> = {
  /** In words, after "must be". */
  words: string;
  read(value: unknown): T | undefined;
  /** Taken where the member is absent; without it the member is required. */
  absent?: T;
};
type Rules = Readonly<Record<string, Rule<unknown>>>;
type ValuesOf<R extends Rules> = { [N in keyof R]: R[N] extends Rule<infer T> ? T : never };

/** Reads an object that has the members of `rules` and no other; `path`: "" is the whole body. */
export function readMembers<const R extends Rules>(
  rules: R,
  value: unknown,
  path: string,
): ReadMembers<ValuesOf<R>> {
  if (!isObject(value)) return wrong(`${path === "" ? "the body" : path} must be an object`);
  const stranger = findStranger(value, Object.keys(rules), path);
  if (stranger) return stranger;
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const read = readMember(
      rule,
      Object.hasOwn(value, name) ? value[name] : undefined,
      join(path, name),
    );
    if (!read.ok) return read;
    values[name] = read.value;
  }
  return { ok: true, value: values as ValuesOf<R> };
}

function readMember(rule: Rule<unknown>, given: unknown, path: string): ReadMembers<unknown> {
  if (given === undefined && "absent" in rule) return { ok: true, value: rule.absent };
  if (given === undefined) return wrong(`${path} is required and must be ${rule.words}`);
  const value = rule.read(given);
  return value === undefined ? wrong(`${path} must be ${rule.words}`) : { ok: true, value };
}

function findStranger(value: object, known: readonly string[], path: string): Wrong | null {
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger === undefined) return null;
  const nearest = findNearest(stranger.slice(0, LONGEST_NAME), known);
  const hint = nearest ? `did you mean ${nearest}?` : `known are ${known.join(", ")}`;
  const message = `${join(path, show(stranger))}: unexpected member, ${hint}`;
  return { ok: false, code: "unexpected_member", message };
}

const LONGEST_NAME = 64;

/** A name that is not like those of the contract is quoted, and cut where it is long. */
function show(name: string): string {
  if (/^\w{1,64}$/.test(name)) return name;
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return JSON.stringify(short.toWellFormed());
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function wrong(message: string): Wrong {
  return { ok: false, code: "invalid_request", message };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads null as absent, else as the rule does. */
export function orAbsent<T>(rule: Rule<T>, absent: T): Rule<T> {
  return {
    words: `${rule.words}, or null`,
    read: (value) => (value === null ? absent : rule.read(value)),
    absent,
  };
}

export function orNull<T>({ words, read }: Rule<T>): Rule<T | null> {
  return { words: `${words}, or null`, read: (value) => (value === null ? null : read(value)) };
}

/** Length in code points; what cannot be shown, and half of a surrogate pair, is no text. */
export function textRule(minimum: number, maximum: number): Rule<string> {
  return {
    words: `text of ${minimum} to ${maximum} characters without control characters`,
    read: (value) => {
      if (typeof value !== "string" || value.length > maximum * 2) return undefined;
      const { length } = Array.from(value);
      const fits = length >= minimum && length <= maximum;
      return fits && value.isWellFormed() && !hasControls(value) ? value : undefined;
    },
  };
}

export function choiceRule<const T extends string>(choices: readonly T[]): Rule<T> {
  const words = choices.length === 1 ? choices[0]! : `one of ${choices.join(", ")}`;
  return { words, read: (value) => choices.find((choice) => choice === value) };
}

/** An array, or text with commas in between as query strings have it; no item twice in the value. */
export function listRule<const T extends string>(choices: readonly T[]): Rule<readonly T[]> {
  return {
    words: `an array or comma-separated list of ${choices.join(", ")}`,
    read: (value) => {
      const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
      if (!Array.isArray(items) || items.length === 0) return undefined;
      const known = items.map((item: unknown) => choices.find((choice) => choice === item));
      return known.includes(undefined) ? undefined : ([...new Set(known)] as T[]);
    },
  };
}
