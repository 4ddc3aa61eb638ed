/**
 * Strict reading of JSON values (decisions, Capabilities): no coercion, nothing stripped, and every
 * refusal names the member and the rule.
 */
import { didYouMean } from "#kit/nearest.ts";
import type { Rule } from "#kit/rule.ts";

type Wrong = {
  ok: false;
  code: "invalid_request" | "unexpected_member";
  message: string;
};
export type ReadMembers<T> = { ok: true; value: T } | Wrong;

/** `absent`: taken where the member is absent; without it the member is required. */
export type MemberRule<T> = Rule<T> & { absent?: T };
type Rules = Readonly<Record<string, MemberRule<unknown>>>;
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

function readMember(rule: MemberRule<unknown>, input: unknown, path: string): ReadMembers<unknown> {
  if (input === undefined && "absent" in rule) return { ok: true, value: rule.absent };
  if (input === undefined) return wrong(`${path} is required and must be ${rule.words}`);
  const value = rule.read(input);
  if (value !== undefined) return { ok: true, value };
  return wrong(`${path} ${rule.explain?.(input) ?? `must be ${rule.words}`}`);
}

function findStranger(value: object, entries: readonly string[], path: string): Wrong | null {
  const stranger = Object.keys(value).find((name) => !entries.includes(name));
  if (stranger === undefined) return null;
  const hint = didYouMean(stranger.slice(0, LONGEST_NAME), entries);
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
export function orAbsent<T>(rule: Rule<T>, absent: T): MemberRule<T> {
  return {
    ...rule,
    words: `${rule.words}, or null`,
    read: (value) => (value === null ? absent : rule.read(value)),
    absent,
  };
}
