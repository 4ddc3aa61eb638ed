/**
 * Short names of a configuration: equal where two replicas are configured alike, and without
 * anything secret. A reference to a variable counts as it is written, a credential as whether it is
 * there, a URL without user and without the values of its query.
 */
import { createHash } from "node:crypto";
import type { RunMode, Variables } from "#config/env.ts";
import type { Plans } from "#config/plan-settings.ts";
import { isObject } from "#core/members/member-rules.ts";
import { listSources } from "#providers/registry.ts";

/**
 * `plans`: of the plans; `config`: of the rest of the file, and of the variables that decide what is served.
 * So the two of a service that has taken over plans alone are those of what it serves by.
 */
export type ConfigDigest = { config: string; plans: string };

const CHARS = 12;
const SECRET = /key|token|password|secret|auth|credential|headers/i;
const URL_USER = /^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i;
const QUERY_VALUE = /([?&][^?=&#]*=)[^&#]*/g;

/** `tree`: the file as it is written, before references are replaced. */
export function digestConfig(
  tree: unknown,
  { mode, plans, enforce_limits, variables }: DigestInput,
): ConfigDigest {
  const present = listSources().flatMap(([, { key }]) =>
    key && variables[key.variable] ? [key.variable] : [],
  );
  const { plans: _, ...rest } = isObject(tree) ? tree : {};
  const input = { mode, enforce_limits, present, tree: rest };
  return { config: digest(input), plans: digest(plans) };
}

type DigestInput = {
  mode: RunMode;
  plans: Plans;
  enforce_limits: boolean;
  variables: Variables;
};

function digest(value: unknown): string {
  return createHash("sha256").update(toText(value)).digest("hex").slice(0, CHARS);
}

/** As JSON with the members of objects in the order of their names. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toText).join()}]`;
  if (typeof value === "string") return JSON.stringify(withoutSecrets(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    // Where the schema is does not change what the file says.
    .filter(([name, member]) => name !== "$schema" && member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toMember(name, member)}`).join()}}`;
}

function toMember(name: string, member: unknown): string {
  if (!SECRET.test(name)) return toText(member);
  // A table such as headers or auth: which members it has, and not what is in them.
  if (typeof member === "object" && member !== null && !Array.isArray(member))
    return JSON.stringify(Object.keys(member).sort());
  if (typeof member === "boolean" || typeof member === "number") return String(member);
  return `"${member ? "set" : "unset"}"`;
}

function withoutSecrets(text: string): string {
  return text.replace(URL_USER, "$1").replaceAll(QUERY_VALUE, "$1");
}
