/**
 * The strict reader of POST /v1/capabilities (§4.8; decisions, Capabilities). A body is accepted
 * exactly when the contract lists it; the first thing wrong is named, from the outside in.
 */
import {
  CAPABILITY_NAMES,
  CAPABILITY_ROWS,
  type CapabilityArgs,
  type CapabilityName,
  CONTRACT_VERSION,
  FRESHNESS_POLICIES,
} from "#api/capabilities.ts";
import { LIMITS } from "#api/limits.ts";
import { parseJson } from "#kit/json.ts";
import { findRepeatedMember } from "#kit/json-members.ts";
import { choiceRule, orNull, type Rule, textBy, textRule } from "#kit/rule.ts";
import { createMemberReader } from "#core/members/parameters.ts";
import {
  isObject,
  type ReadMembers as ReadMember,
  readMembers,
} from "#core/members/member-rules.ts";

export type SearchArgs = CapabilityArgs<"search_mobility">;

/** One of the capabilities with its arguments. */
type Requested = {
  [C in CapabilityName]: { capability: C; args: CapabilityArgs<C> };
}[CapabilityName];

export type CapabilityRequest = {
  /** The body as it was parsed: what a repeat is compared by. */
  body: unknown;
  /** Echoed unchanged, and nothing else. */
  correlation: unknown;
  freshness_policy: (typeof FRESHNESS_POLICIES)[number] | null;
  request: Requested;
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
export type ReadRequest<T> = { ok: true; value: T } | Refused;

/** Refused: nothing was executed. `text` is the body, of any content. */
export function readCapabilityRequest(text: string): ReadRequest<CapabilityRequest> {
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

const FORM = {
  capability: textBy("text", (text) => text),
  args: OBJECT,
};

function readBody(body: unknown): ReadRequest<CapabilityRequest> {
  const envelope = readMembers(ENVELOPE, body, "");
  if (!envelope.ok) return envelope;
  const { contract_version, correlation, request, freshness_policy } = envelope.value;
  if (contract_version !== CONTRACT_VERSION) {
    const message = `contract_version must be ${CONTRACT_VERSION}`;
    return refuse("unsupported_contract_version", message);
  }
  const correlated = readMembers(CORRELATION, correlation, "correlation");
  if (!correlated.ok) return correlated;
  const read = readRequest(request);
  if (!read.ok) return read;
  return { ok: true, value: { body, correlation, freshness_policy, request: read.value } };
}

function readRequest(request: unknown): ReadRequest<Requested> {
  const form = readMembers(FORM, request, "request");
  if (!form.ok) return form;
  const { capability, args: input_args } = form.value;
  const reader = READERS.get(capability);
  if (!reader) {
    const message = `request.capability must be one of ${CAPABILITY_NAMES.join(", ")}`;
    return refuse("unknown_capability", message);
  }
  const args = reader(input_args);
  return args.ok ? { ok: true, value: { capability, args: args.value } as Requested } : args;
}

const READERS: ReadonlyMap<string, (args: unknown) => ReadMember<unknown>> = new Map(
  Object.entries(CAPABILITY_ROWS).map(([name, { parameters }]) => [
    name,
    createMemberReader(parameters, "request.args"),
  ]),
);

function refuse(code: Refused["code"], message: string): Refused {
  return { ok: false, code, message };
}
