/**
 * The strict decoder of query strings, compiled once per operation from its parameter table
 * (decisions, Conventions). No coercion, no throwing; every refusal names the parameter and the
 * rule. Reference: the grammar of a number, an integer, a boolean and a list.
 */
import { LIMITS } from "#api/limits.ts";
import type { Operation } from "#api/operation.ts";
import {
  boundsOf,
  type Decoded,
  defaultsOf,
  type Parameter,
  type Parameters,
  toNumberWords,
} from "#api/primitives.ts";
import { hasControls } from "#kit/text/controls.ts";
import { MALFORMED, scanQuery, type REPEATED, type Slot, type Slots } from "./query.ts";

type Refusal = { ok: false; code: "invalid_request"; message: string };
type QueryResult<V> = { ok: true; value: V } | Refusal;

export type QueryDecoder<V> = {
  /** Splits the raw query; the credential is looked at before the values are judged. */
  scan(raw: string): Slots;
  /** The presented `token`, where the operation takes one. */
  token(slots: Slots): Slot;
  /** Whether the query has a credential under a name that is not read here. */
  hasStray(slots: Slots): boolean;
  /** `path`: segments by name, where the operation has some. */
  decode(slots: Slots, path?: Readonly<Record<string, string>>): QueryResult<V>;
};

/** A parameter with its slot, its reader and its ready-made refusals. */
type Field = {
  name: string;
  slot: number;
  /** undefined: not a value of this parameter. */
  read(text: string): unknown;
  messages: Messages;
  required: boolean;
  alias: { slot: number; messages: Messages; differ: string } | null;
};
type Messages = { missing: string; invalid: string; repeated: string; malformed: string };

export function compileQuery<P extends Parameters>(
  operation: Pick<Operation, "together"> & { parameters: P },
): QueryDecoder<Decoded<P>> {
  const names = new Map<string, number>();
  const fields: Field[] = [];
  let tokenSlot = -1;
  const inPath = (name: string): boolean => operation.parameters[name]!.in === "path";
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    if (inPath(name)) continue;
    const slot = addName(names, name);
    if (parameter.kind === "secret") tokenSlot = slot;
    else fields.push(toField(name, slot, parameter, names));
  }
  const straySlot = addStrays(names);
  // Behind those that a query string can fill.
  const segments = Object.keys(operation.parameters).filter(inPath);
  segments.forEach((name, i) => {
    fields.splice(i, 0, toField(name, names.size + i, operation.parameters[name]!, names));
  });
  const defaults: Record<string, unknown> = defaultsOf(operation.parameters);
  const { together } = operation;
  return {
    scan: (raw) => scanQuery(raw, names),
    token: (slots) => (tokenSlot === -1 ? undefined : slots[tokenSlot]),
    hasStray: (slots) => slots[straySlot] !== undefined,
    decode: (slots, path) => {
      segments.forEach((name, i) => (slots[names.size + i] = path?.[name]));
      return decodeFields(slots, fields, defaults, together) as QueryResult<Decoded<P>>;
    },
  };
}

function addName(names: Map<string, number>, name: string): number {
  names.set(name, names.size);
  return names.size - 1;
}

/** Names that callers of other services know; unknown ones are ignored, but not a credential. */
const STRAYS = ["token", "access_token", "api_key", "api-key", "apikey"] as const;

/** All in one slot: which of them it was plays no part. */
function addStrays(names: Map<string, number>): number {
  const slot = names.size;
  for (const name of STRAYS) if (!names.has(name)) names.set(name, slot);
  return slot;
}

function toField(
  name: string,
  slot: number,
  parameter: Parameter,
  names: Map<string, number>,
): Field {
  const { alias, required } = parameter;
  return {
    name,
    slot,
    read: toReader(parameter),
    messages: toMessages(name, parameter),
    required,
    alias:
      alias === undefined
        ? null
        : {
            slot: addName(names, alias),
            messages: toMessages(alias, parameter),
            differ: `${name} and ${alias} differ; give one of them`,
          },
  };
}

function decodeFields(
  slots: Slots,
  fields: readonly Field[],
  defaults: Record<string, unknown>,
  together: readonly [string, string] | undefined,
): QueryResult<Record<string, unknown>> {
  const value = { ...defaults };
  for (const field of fields) {
    const problem = field.alias
      ? readAliased(value, field, field.alias, slots)
      : readField(value, field, slots);
    if (problem !== null) return refuse(problem);
  }
  if (
    together !== undefined &&
    (value[together[0]] === undefined) !== (value[together[1]] === undefined)
  ) {
    return refuse(`${together[0]} and ${together[1]} must be given together`);
  }
  return { ok: true, value };
}

/** null: accepted. */
function readField(value: Record<string, unknown>, field: Field, slots: Slots): string | null {
  const text = slots[field.slot];
  if (text === undefined) return field.required ? field.messages.missing : null;
  if (typeof text !== "string") return slotProblem(text, field.messages);
  const read = field.read(text);
  if (read === undefined) return field.messages.invalid;
  value[field.name] = read;
  return null;
}

/** §4.9: `lng` is an alias of `lon`; both given and different is refused. */
function readAliased(
  value: Record<string, unknown>,
  field: Field,
  alias: NonNullable<Field["alias"]>,
  slots: Slots,
): string | null {
  const other = slots[alias.slot];
  if (other === undefined) return readField(value, field, slots);
  if (typeof other !== "string") return slotProblem(other, alias.messages);
  const read = field.read(other);
  if (read === undefined) return alias.messages.invalid;
  value[field.name] = read;
  if (slots[field.slot] === undefined) return null;
  return readField(value, field, slots) ?? (value[field.name] === read ? null : alias.differ);
}

function slotProblem(slot: typeof MALFORMED | typeof REPEATED, messages: Messages): string {
  return slot === MALFORMED ? messages.malformed : messages.repeated;
}

function refuse(message: string): Refusal {
  return { ok: false, code: "invalid_request", message };
}

function toMessages(name: string, parameter: Parameter): Messages {
  const rule = toRule(parameter);
  const names = parameter.alias === undefined ? name : `${name} (or ${parameter.alias})`;
  return {
    missing: `${names} is required and must be ${rule}`,
    invalid: `${name} must be ${rule}`,
    repeated: `${name} must be given once`,
    malformed: `${name} must be valid percent-encoded UTF-8`,
  };
}

function toRule(parameter: Parameter): string {
  const unit = parameter.unit === undefined ? "" : ` (${parameter.unit})`;
  switch (parameter.kind) {
    case "number":
    case "integer":
      return `${toNumberWords(parameter)}${unit}`;
    case "boolean":
      return "true or false";
    case "choice":
      return `one of ${parameter.choices?.join(", ")}`;
    case "list":
      return `a comma-separated list of ${parameter.choices?.join(", ")}`;
    case "text":
    case "texts":
    case "pattern":
    case "coords":
      return parameter.rule ?? "text";
    case "secret":
      return "an API key";
  }
}

/** What clients print, `1e-7` near the equator included; never Infinity, 0x10 or blanks. */
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
/** However large: what is above its maximum is clamped, not refused (§7 rule 3). */
const INTEGER = /^-?\d+$/;

function toReader(parameter: Parameter): (text: string) => unknown {
  const { minimum, maximum, exclusiveMinimum } = boundsOf(parameter);
  const { choices = [] } = parameter;
  switch (parameter.kind) {
    case "number":
      return (text) => {
        const value = within(DECIMAL.test(text) ? Number(text) : NaN, minimum, maximum);
        return value === undefined || value > exclusiveMinimum ? value : undefined;
      };
    case "integer":
      return (text) => within(INTEGER.test(text) ? Number(text) : NaN, minimum, maximum);
    case "boolean":
      return (text) => (text === "true" ? true : text === "false" ? false : undefined);
    case "choice":
      return (text) => (choices.includes(text) ? text : undefined);
    case "list":
      return (text) => toList(text, choices);
    case "text":
      // The contract bounds the length of `q`, and nothing else (§4.3).
      return (text) => toText(text, parameter.schema as Lengths);
    case "texts":
      return (text) => toTexts(text, parameter.schema as unknown as ManyTexts);
    case "pattern": {
      const pattern = new RegExp((parameter.schema as { pattern: string }).pattern);
      return (text) => (pattern.test(text) && !hasControls(text) ? text : undefined);
    }
    case "coords":
      return toCoords;
    case "secret":
      return () => undefined;
  }
}

/** Both as parameters of their own would be read. */
function toCoords(text: string): { lat: number; lon: number } | undefined {
  const [first = "", second = "", ...more] = text.split(",");
  if (more.length > 0 || !DECIMAL.test(first) || !DECIMAL.test(second)) return undefined;
  const lat = within(Number(first), LIMITS.lat.min, LIMITS.lat.max);
  const lon = within(Number(second), LIMITS.lon.min, LIMITS.lon.max);
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}

/** NaN and the infinities fall through both comparisons; `+ 0` turns -0 into 0. */
function within(value: number, minimum: number, maximum: number): number | undefined {
  return Number.isFinite(value) && value >= minimum && value <= maximum ? value + 0 : undefined;
}

type Lengths = { minLength: number; maxLength: number };

/** Trimmed and NFC-normalised before its length is checked in code points (decisions, Conventions). */
function toText(text: string, { minLength, maxLength }: Lengths): string | undefined {
  const normal = text.trim().normalize("NFC");
  // A code point is one or two units: what is longer than twice the bound need not be counted.
  if (normal.length > maxLength * 2) return undefined;
  const length = Array.from(normal).length;
  return length >= minLength && length <= maxLength ? normal : undefined;
}

type ManyTexts = { minItems: number; maxItems: number; items: Lengths };

/** With semicolons between the texts, which may have commas. */
function toTexts(text: string, { minItems, maxItems, items }: ManyTexts): string[] | undefined {
  const parts = text.split(";", maxItems + 1);
  if (parts.length < minItems || parts.length > maxItems) return undefined;
  const texts = parts.map((part) => (hasControls(part.trim()) ? undefined : toText(part, items)));
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

/** Trimmed, case-sensitive, duplicates collapse; an empty or unknown item refuses the list. */
function toList(text: string, choices: readonly string[]): readonly string[] | undefined {
  const items: string[] = [];
  for (const part of text.split(",")) {
    const item = part.trim();
    if (!choices.includes(item)) return undefined;
    if (!items.includes(item)) items.push(item);
  }
  return items;
}
