/** Scopes of a key (decisions, "Authentication, plans, metering"). */
import type { Scope } from "#api/operation.ts";
import { listRule, type Rule, textBy } from "#kit/rule.ts";

export const SCOPES: readonly Scope[] = ["data:read", "geography:read", "journey:read"];

/** Scopes of a new key unless others are asked for. */
export const DEFAULT_SCOPES: readonly Scope[] = ["data:read", "geography:read"];

/** `a,b` as scopes, each once, in the order of SCOPES. */
export const SCOPE_LIST: Rule<readonly Scope[]> = textBy(`some of ${SCOPES.join(",")}`, (text) => {
  const match = listRule(SCOPES).read(text);
  return match && SCOPES.filter((scope) => match.includes(scope));
});
