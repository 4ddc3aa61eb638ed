/**
 * New accounts and keys, and the successor of a key (decisions, "Authentication, plans, metering").
 * Randomness comes in as `draw`. The shapes are those of `Account` and `KeyRecord` in ports.ts.
 */
import type { Scope } from "#api/operation.ts";
import { fromText, type Rule, textThat } from "#kit/rule.ts";
import { encodeBytes } from "#core/keys/base62.ts";
import { composeKey, hashKey, hintOf, SECRET_BYTES, type KeyPrefix } from "#core/keys/key.ts";

/**
 * Time and randomness of a new key; `draw` gives `size` bytes of a CSPRNG (in the sandbox: of the
 * seed).
 */
export type Issue = { now_ms: number; draw: (size: number) => Uint8Array };

/** Time for which both keys work after a rotation, unless another overlap is asked for. */
export const DEFAULT_OVERLAP_MS = 86_400_000;
export const MAX_OVERLAP_MS = 30 * 86_400_000;

const ID_BYTES = 11;
const ID_LENGTH = 15;

/** A name as it is kept. */
export const NAME: Rule<string> = fromText(
  textThat(
    (name) => name !== "" && name.length <= 100 && !/[\p{Cc}\u2028\u2029]/u.test(name),
    "one line of 1 to 100 characters",
  ),
  (text) => text.trim(),
);

export type NewAccount = {
  id: string;
  name: string;
  plan: string;
  standing: "active";
  created_at_ms: number;
};

/** An account in good standing. */
export function newAccount(of: { name: string; plan: string }, issue: Issue): NewAccount {
  const { name, plan } = of;
  return { id: newId("acc", issue), name, plan, standing: "active", created_at_ms: issue.now_ms };
}

type KeyTerms = {
  account_id: string;
  name: string | null;
  scopes: readonly Scope[];
  expires_at_ms: number | null;
};

export type NewKeyRecord = KeyTerms & {
  id: string;
  hash: Uint8Array;
  hint: string;
  created_at_ms: number;
  revoked_at_ms: null;
  rotated_from: string | null;
  last_used_at_ms: null;
};

/** A new key: `key` is shown to its owner and forgotten; `record` is what is kept. */
export type NewKey = { key: string; record: NewKeyRecord };

export function newKey(of: KeyTerms, issue: Issue & { prefix: KeyPrefix }): NewKey {
  const { account_id, name, scopes, expires_at_ms } = of;
  const key = composeKey(issue.prefix, issue.draw(SECRET_BYTES));
  const record: NewKeyRecord = {
    id: newId("key", issue),
    account_id,
    name,
    scopes,
    expires_at_ms,
    hash: hashKey(key),
    hint: hintOf(key),
    created_at_ms: issue.now_ms,
    revoked_at_ms: null,
    rotated_from: null,
    last_used_at_ms: null,
  };
  return { key, record };
}

/**
 * Returns a key with the same terms, the end included: a rotation renews the secret and not the
 * permission.
 */
export function successorOf(
  old: KeyTerms & { id: string },
  issue: Issue & { prefix: KeyPrefix },
): NewKey {
  const { key, record } = newKey(old, issue);
  return { key, record: { ...record, rotated_from: old.id } };
}

export type KeyState = "active" | "expired" | "revoked";

/** Revoked says more than expired. A key is expired from the moment that it names on. */
export function keyState(
  key: { expires_at_ms: number | null; revoked_at_ms: number | null },
  now_ms: number,
): KeyState {
  if (key.revoked_at_ms !== null) return "revoked";
  return key.expires_at_ms !== null && key.expires_at_ms <= now_ms ? "expired" : "active";
}

function newId(kind: "acc" | "key", { draw }: Issue): string {
  return `${kind}_${encodeBytes(draw(ID_BYTES), ID_LENGTH)}`;
}
