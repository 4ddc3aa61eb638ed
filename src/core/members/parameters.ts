/**
 * The rules of parameters: one table says what a query string, the arguments of a capability and those
 * of an agent's tool may be. In JSON, what is absent or null is the default.
 */
import {
  boundsOf,
  type Decoded,
  defaultOf,
  LAT,
  LON,
  type Parameter,
  type Parameters,
  toNumberWords,
} from "#api/primitives.ts";
import {
  BOOLEAN,
  choiceRule,
  fromText,
  lengthRule,
  listRule,
  manyOf,
  matching,
  numberRule,
  type Rule,
  textBy,
  textRule,
} from "#kit/rule.ts";
import { hasControls } from "#kit/text/controls.ts";
import { classRule } from "#core/places/class-words.ts";
import { type MemberRule, orAbsent, type ReadMembers, readMembers } from "./member-rules.ts";

/**
 * Reads an object by a parameter table. Strict: an unknown member, or a value that is not of its
 * parameter, is refused by its name; `path` leads to the object in the message. An object that is
 * absent has no members.
 */
export function createMemberReader<P extends Parameters>(
  parameters: P,
  path: string,
): (value: unknown) => ReadMembers<Decoded<P>> {
  const rules = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, toMemberRule(parameter)]),
  );
  return (value) => {
    const read = readMembers(rules, value ?? {}, path);
    if (!read.ok) return read;
    const values = Object.entries(read.value).map(([name, member]) => [name, member ?? undefined]);
    return { ok: true, value: Object.fromEntries(values) as Decoded<P> };
  };
}

/** Null where there is no default: to a rule, undefined is no value at all. */
function toMemberRule(parameter: Parameter): MemberRule<unknown> {
  const rule = toRule(parameter);
  return parameter.required ? rule : orAbsent<unknown>(rule, toAbsent(parameter));
}

type Lengths = { minLength: number; maxLength: number };
type Schema = Lengths & { pattern?: string; minItems: number; maxItems: number; items: Lengths };

/** The rule of a value in JSON: its bounds, choices or pattern, and these in words. */
function toRule(parameter: Parameter): Rule<unknown> {
  const { kind, choices = [], rule = "text" } = parameter;
  const schema = parameter.schema as unknown as Schema;
  switch (kind) {
    case "number":
      return numberRule(toNumberWords(parameter), boundsOf(parameter));
    case "integer":
      return numberRule(toNumberWords(parameter), boundsOf(parameter), Number.isInteger);
    case "boolean":
      return BOOLEAN;
    case "choice":
      return choiceRule(choices);
    case "list":
      return parameter.many ? classRule(choices) : listRule(choices);
    case "text":
      return fromText(textRule(schema.minLength, schema.maxLength), normalise);
    case "texts": {
      const { minLength, maxLength } = schema.items;
      return manyOf(fromText(textRule(minLength, maxLength), normalise), rule, schema);
    }
    case "pattern":
    case "coords": {
      const { read } = matching(new RegExp(schema.pattern ?? ""), rule);
      const one = textBy(rule, (text) => (hasControls(text) ? undefined : read(text)));
      return parameter.names ? orJoined(one) : one;
    }
    case "secret":
      return { words: "left out", read: () => undefined };
  }
}

/** A text, or an array of the names that it would have commas between. */
function orJoined(rule: Rule<unknown>): Rule<unknown> {
  const read = (value: unknown): unknown => {
    if (!Array.isArray(value)) return rule.read(value);
    const isNamed = value.every((each) => typeof each === "string" && !each.includes(","));
    return isNamed ? rule.read(value.join(",")) : undefined;
  };
  return { ...rule, read };
}

/** The rule of a value in a query string, where every value is text. */
export function toTextRule(parameter: Parameter): Rule<unknown> {
  const { kind, choices = [], rule = "text", unit } = parameter;
  const whole = toRule(parameter);
  switch (kind) {
    case "number":
    case "integer": {
      const words = unit === undefined ? whole.words : `${whole.words} (${unit})`;
      const grammar = kind === "number" ? DECIMAL : INTEGER;
      const toNumber = (text: string) => (grammar.test(text) ? Number(text) : undefined);
      return fromText({ ...whole, words }, toNumber);
    }
    case "boolean":
      return fromText(whole, (text) => (text === "true" ? true : text === "false" ? false : text));
    case "choice":
      return { ...whole, words: `one of ${choices.join(", ")}` };
    case "list":
      if (parameter.many) return whole;
      return { ...whole, words: `a comma-separated list of ${choices.join(", ")}` };
    case "text": {
      // The contract bounds the length of `q`, and nothing else (§4.3).
      const { minLength, maxLength } = parameter.schema as unknown as Schema;
      return fromText(lengthRule(rule, minLength, maxLength), normalise);
    }
    case "coords":
      return textBy(rule, toCoords);
    case "texts":
    case "pattern":
    case "secret":
      return whole;
  }
}

/** Trimmed and NFC-normalised before its length is checked (decisions, Conventions). */
function normalise(text: string): string {
  return text.trim().normalize("NFC");
}

/** What clients print, `1e-7` near the equator included; never Infinity, 0x10 or blanks. */
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
/** However large: what is above its maximum is clamped, not refused (§7 rule 3). */
const INTEGER = /^-?\d+$/;
const LATITUDE = toTextRule(LAT);
const LONGITUDE = toTextRule(LON);

/** Both as parameters of their own would be read. */
function toCoords(text: string): { lat: number; lon: number } | undefined {
  const [first, second, ...more] = text.split(",");
  const lat = LATITUDE.read(first) as number | undefined;
  const lon = LONGITUDE.read(second) as number | undefined;
  return more.length > 0 || lat === undefined || lon === undefined ? undefined : { lat, lon };
}

function toAbsent(parameter: Parameter): unknown {
  return parameter.implied ? null : (defaultOf(parameter) ?? null);
}
