/** Scopes of a key (decisions, "Authentication, plans, metering"). */
import type { Scope } from "#api/operation.ts";

export const SCOPES: readonly Scope[] = ["data:read", "geography:read", "journey:read"];

/** Scopes of a new key unless others are asked for. */
export const DEFAULT_SCOPES: readonly Scope[] = ["data:read", "geography:read"];

/**
 * Reads `a,b` as scopes, each once, in the order of SCOPES; null when one is unknown or none is
 * named.
 */
export function readScopes(text: string): readonly Scope[] | null {
  const named = text.split(",").map((part) => part.trim());
  if (!named.every((name) => (SCOPES as readonly string[]).includes(name))) return null;
  return SCOPES.filter((scope) => named.includes(scope));
}
