/**
 * The strict reader of POST /v1/capabilities (§4.8; decisions, Capabilities). A body is accepted
 * exactly when the contract lists it; the first thing wrong is named, from the outside in.
 */
import { CAPABILITIES, CONTRACT_VERSION, FRESHNESS_POLICIES } from "#contract/capabilities.ts";
import { LIMITS } from "#contract/limits.ts";
import { INTENTS, QUERY_MODES } from "#contract/nearby-items.ts";
import { FAMILIES, NEARBY_DEFAULTS } from "#contract/nearby.ts";
import { LANGUAGE } from "#contract/primitives.ts";
import { parseJson } from "#core/json.ts";
import { findRepeatedMember } from "#core/json-members.ts";
import {
  choiceRule,
  integerRule,
  isObject,
  listRule,
  numberRule,
  orAbsent,
  orNull,
  type Read as Readable,
  readMembers,
  type Rule,
  textRule,
} from "./rules.ts";

export type SearchArgs = {
  lat: number;
  lon: number;
  radius: number;
  modes: readonly (typeof QUERY_MODES)[number][];
  include: readonly (typeof FAMILIES)[number][];
  limit: number;
  intent: (typeof INTENTS)[number] | null;
  language: string | null;
};
type ReadArgs = { id: string; version: string };

export type CapabilityRequest = {
  /** The body as it was parsed: what a repeat is compared by. */
  body: unknown;
  /** Echoed unchanged, and nothing else. */
  correlation: unknown;
  freshness_policy: (typeof FRESHNESS_POLICIES)[number] | null;
  request:
    | { capability: "search_mobility"; args: SearchArgs }
    | { capability: "read_dataset"; args: ReadArgs };
};

type Refused = {
  ok: false;
  code:
    | "invalid_json"
    | "invalid_request"
    | "unexpected_member"
    | "unsupported_contract_version"
    | "unknown_capability";
  message: string;
};
export type Read<T> = { ok: true; value: T } | Refused;

/** Refused: nothing was executed. `text` is the body, of any content. */
export function readCapabilityRequest(text: string): Read<CapabilityRequest> {
  // A byte order mark is no JSON (RFC 8259 8.1).
  const body = text.startsWith("\ufeff") ? undefined : parseJson(text);
  if (body === undefined) return refuse("invalid_json", "the body must be JSON");
  const repeated = findRepeatedMember(text);
  if (repeated !== null) {
    const path = JSON.stringify(repeated.join(".").slice(0, 128).toWellFormed());
    return refuse("invalid_json", `the body has the member ${path} twice`);
  }
  return readBody(body);
}

const ID = textRule(1, LIMITS.capabilities.correlation_max);
const CORRELATION = {
  conversation_id: ID,
  interaction_id: ID,
  request_id: ID,
  parent_request_id: orNull(ID),
  turn_id: turnRule(),
};

/** Beyond 2^53 an integer could not be echoed unchanged. */
function turnRule(): Rule<string | number | null> {
  return {
    words: `${ID.words}, an integer, or null`,
    read: (value) =>
      value === null || Number.isSafeInteger(value) ? (value as number | null) : ID.read(value),
  };
}

/** An object, whose members are looked at once the whole has the right ones. */
const OBJECT: Rule<unknown> = {
  words: "an object",
  read: (value) => (isObject(value) ? value : undefined),
};
const ANYTHING: Rule<unknown> = { words: CONTRACT_VERSION, read: (value) => value };

const ENVELOPE = {
  contract_version: ANYTHING,
  correlation: OBJECT,
  request: OBJECT,
  freshness_policy: orNull(choiceRule(FRESHNESS_POLICIES)),
};

const LANGUAGE_TAG = new RegExp((LANGUAGE.schema as { pattern: string }).pattern);
const LANGUAGE_RULE: Rule<string> = {
  words: LANGUAGE.rule!,
  read: (value) => (typeof value === "string" && LANGUAGE_TAG.test(value) ? value : undefined),
};

const SEARCH_ARGS = {
  lat: numberRule(LIMITS.lat.min, LIMITS.lat.max),
  lon: numberRule(LIMITS.lon.min, LIMITS.lon.max),
  radius: orAbsent(numberRule(LIMITS.nearby.radius_min), LIMITS.nearby.radius_default),
  modes: orAbsent(listRule(QUERY_MODES), QUERY_MODES),
  include: orAbsent(listRule(FAMILIES), NEARBY_DEFAULTS.include),
  limit: orAbsent(integerRule(LIMITS.nearby.limit_min), LIMITS.nearby.limit_default),
  intent: orAbsent<(typeof INTENTS)[number] | null>(choiceRule(INTENTS), null),
  language: orAbsent<string | null>(LANGUAGE_RULE, null),
};

/** Any text: what is no id of ours is not found, which is another answer (404). */
const ANY_TEXT: Rule<string> = {
  words: "text",
  read: (value) => (typeof value === "string" ? value : undefined),
};
const READ_ARGS = { id: ANY_TEXT, version: ANY_TEXT };

function readBody(body: unknown): Read<CapabilityRequest> {
  const envelope = readMembers(ENVELOPE, body, "");
  if (!envelope.ok) return envelope;
  const { contract_version, correlation, request, freshness_policy } = envelope.value;
  if (contract_version !== CONTRACT_VERSION) {
    const message = `contract_version must be ${CONTRACT_VERSION}`;
    return refuse("unsupported_contract_version", message);
  }
  const told = readMembers(CORRELATION, correlation, "correlation");
  if (!told.ok) return told;
  const read = readRequest(request);
  if (!read.ok) return read;
  return { ok: true, value: { body, correlation, freshness_policy, request: read.value } };
}

function readRequest(request: unknown): Read<CapabilityRequest["request"]> {
  const form = readMembers({ capability: ANY_TEXT, args: OBJECT }, request, "request");
  if (!form.ok) return form;
  const { capability, args } = form.value;
  const reader = READERS[capability as keyof typeof READERS];
  if (!Object.hasOwn(READERS, capability)) {
    const message = `request.capability must be one of ${CAPABILITIES.join(", ")}`;
    return refuse("unknown_capability", message);
  }
  return reader(args);
}

const READERS = {
  search_mobility: (args: unknown) =>
    asForm("search_mobility", readMembers(SEARCH_ARGS, args, "request.args")),
  read_dataset: (args: unknown) =>
    asForm("read_dataset", readMembers(READ_ARGS, args, "request.args")),
} satisfies Record<(typeof CAPABILITIES)[number], (args: unknown) => unknown>;

function asForm<C extends string, A>(
  capability: C,
  args: Readable<A>,
): Read<{ capability: C; args: A }> {
  return args.ok ? { ok: true, value: { capability, args: args.value } } : args;
}

function refuse(code: Refused["code"], message: string): Refused {
  return { ok: false, code, message };
}
