/**
 * The strict decoder of query strings, compiled once per operation from its parameter table
 * (decisions, Conventions). No coercion, no throwing; every refusal names the parameter and the
 * rule (core/members/parameters.ts).
 */
import type { Operation } from "#api/operation.ts";
import { type Decoded, defaultsOf, type Parameter, type Parameters } from "#api/primitives.ts";
import { toTextRule } from "#core/members/parameters.ts";
import type { Rule } from "#kit/rule.ts";
import { MALFORMED, scanQuery, type REPEATED, type Slot, type Slots } from "./query-decoder.ts";

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
  read: Rule<unknown>["read"];
  explain: Rule<unknown>["explain"];
  messages: Messages;
  required: boolean;
  alias: { slot: number; messages: Messages; differ: string } | null;
};
type Messages = { missing: string; invalid: string; repeated: string; malformed: string };

/** A parameter that implies a boolean, with the slot of that. */
type Implication = { name: string; implies: string; slot: number };

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
  const implications = listImplications(operation.parameters, names);
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
      const result = decodeFields(slots, fields, defaults, together);
      const denied = result.ok ? findDenied(implications, slots, result.value, defaults) : null;
      return (denied === null ? result : refuse(denied)) as QueryResult<Decoded<P>>;
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
  const rule = toTextRule(parameter);
  return {
    name,
    slot,
    read: rule.read,
    explain: rule.explain,
    messages: toMessages(name, parameter, rule),
    required,
    alias:
      alias === undefined
        ? null
        : {
            slot: addName(names, alias),
            messages: toMessages(alias, parameter, rule),
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

function listImplications(
  parameters: Parameters,
  names: ReadonlyMap<string, number>,
): Implication[] {
  return Object.entries(parameters).flatMap(([name, { implies }]) => {
    const slot = implies === undefined ? undefined : names.get(implies);
    return slot === undefined ? [] : [{ name, implies: implies!, slot }];
  });
}

/** The refusal of what is implied and given as false; null: nothing is. */
function findDenied(
  implications: readonly Implication[],
  slots: Slots,
  value: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): string | null {
  const denied = implications.find(
    ({ name, implies, slot }) =>
      slots[slot] !== undefined && value[implies] === false && value[name] !== defaults[name],
  );
  if (denied === undefined) return null;
  return `${denied.implies}=false and ${denied.name} exclude each other; leave one of them out`;
}

/** null: accepted. */
function readField(value: Record<string, unknown>, field: Field, slots: Slots): string | null {
  const text = slots[field.slot];
  if (text === undefined) return field.required ? field.messages.missing : null;
  if (typeof text !== "string") return slotProblem(text, field.messages);
  const read = field.read(text);
  if (read === undefined) {
    const explained = field.explain?.(text) ?? null;
    return explained === null ? field.messages.invalid : `${field.name} ${explained}`;
  }
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

function toMessages(name: string, { alias }: Parameter, { words }: Rule<unknown>): Messages {
  const names = alias === undefined ? name : `${name} (or ${alias})`;
  return {
    missing: `${names} is required and must be ${words}`,
    invalid: `${name} must be ${words}`,
    repeated: `${name} must be given once`,
    malformed: `${name} must be valid percent-encoded UTF-8`,
  };
}
