/**
 * Parameters as members of a JSON object: the arguments of a capability and of an agent's tool are
 * read by the same table as a query string. What is absent or null is the default.
 */
import {
  boundsOf,
  type Decoded,
  defaultOf,
  type Parameter,
  type Parameters,
  toNumberWords,
} from "#api/primitives.ts";
import { hasControls } from "#kit/text/controls.ts";
import {
  choiceRule,
  listRule,
  orAbsent,
  type ReadMembers,
  readMembers,
  type Rule,
  textRule,
} from "./rules.ts";

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
function toMemberRule(parameter: Parameter): Rule<unknown> {
  const rule = toRule(parameter);
  return parameter.required ? rule : orAbsent<unknown>(rule, toAbsent(parameter));
}

type TextSchema = { minLength: number; maxLength: number; pattern?: string };

/** The rule of a value that is given: its bounds, choices or pattern, and these in words. */
export function toRule(parameter: Parameter): Rule<unknown> {
  const { kind, choices = [], rule = "text" } = parameter;
  const schema = parameter.schema as unknown as TextSchema;
  switch (kind) {
    case "number":
      return toNumberRule(parameter, () => true);
    case "integer":
      return toNumberRule(parameter, Number.isInteger);
    case "boolean":
      return {
        words: "true or false",
        read: (value) => (typeof value === "boolean" ? value : undefined),
      };
    case "choice":
      return choiceRule(choices);
    case "list":
      return listRule(choices);
    case "text":
      return normalised(schema);
    case "texts":
      return manyOf(parameter.schema as unknown as TextsSchema, rule);
    case "pattern":
    case "coords":
      return matching(schema.pattern ?? "", rule);
    case "secret":
      return { words: "left out", read: () => undefined };
  }
}

function toNumberRule(parameter: Parameter, fits: (value: unknown) => boolean): Rule<number> {
  const { minimum, maximum, exclusiveMinimum } = boundsOf(parameter);
  const isWithin = (value: unknown): value is number =>
    typeof value === "number" &&
    Number.isFinite(value) &&
    value >= minimum &&
    value <= maximum &&
    value > exclusiveMinimum;
  return {
    words: toNumberWords(parameter),
    // `+ 0` turns -0 into 0.
    read: (value) => (isWithin(value) && fits(value) ? value + 0 : undefined),
  };
}

/** Trimmed and NFC-normalised before its length is checked, as in a query (decisions, Conventions). */
function normalised({ minLength, maxLength }: TextSchema): Rule<string> {
  const { words, read } = textRule(minLength, maxLength);
  return {
    words,
    read: (value) => read(typeof value === "string" ? value.trim().normalize("NFC") : value),
  };
}

type TextsSchema = { minItems: number; maxItems: number; items: TextSchema };

/** An array, or text with semicolons between the items, as a query has it. */
function manyOf(
  { minItems, maxItems, items }: TextsSchema,
  words: string,
): Rule<readonly string[]> {
  const { read } = normalised(items);
  return {
    words,
    read: (value) => {
      const given: unknown = typeof value === "string" ? value.split(";", maxItems + 1) : value;
      if (!Array.isArray(given) || given.length < minItems || given.length > maxItems)
        return undefined;
      const texts = given.map(read);
      return texts.includes(undefined) ? undefined : (texts as string[]);
    },
  };
}

function matching(pattern: string, words: string): Rule<string> {
  const expression = new RegExp(pattern);
  return {
    words,
    read: (value) =>
      typeof value === "string" && expression.test(value) && !hasControls(value)
        ? value
        : undefined,
  };
}

function toAbsent(parameter: Parameter): unknown {
  return parameter.implied ? null : (defaultOf(parameter) ?? null);
}
