/** The sandbox's own keys: one a plan, derived from the seed (operation, Modes). */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { hashKey, KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import type { Accounts, MaybePromise } from "#ports.ts";

export type SandboxKey = { plan: string; key: string };

/** Makes the keys that the store lacks; a revoked one stays revoked. */
export async function provideSandboxKeys(
  accounts: Accounts,
  { plans, seed, now_ms }: { plans: readonly string[]; seed: number; now_ms: number },
): Promise<SandboxKey[]> {
  const provided: SandboxKey[] = [];
  for (const plan of plans) {
    const issue = { now_ms, draw: drawFrom(`${seed}/${plan}`), prefix: KEY_PREFIXES.sandbox };
    const account = newAccount({ name: `sandbox ${plan}`, plan }, issue);
    const terms = { account_id: account.id, name: `sandbox ${plan}` };
    const made = newKey({ ...terms, scopes: DEFAULT_SCOPES, expires_at_ms: null }, issue);
    const hash = hashKey(made.key);
    await provide(
      async () => (await accounts.findAccount(account.id)) !== null,
      () => accounts.createAccount(account),
    );
    await provide(
      async () => (await accounts.findKeyByHash(hash)) !== null,
      () => accounts.createKey(made.record),
    );
    provided.push({ plan, key: made.key });
  }
  return provided;
}

const TRIES = 10;
const PAUSE_MS = 100;

/**
 * Replicas that start at once make the same ones: the second one finds it made. A store that does
 * not answer, as when the whole machine starts, is asked again: each try takes up to two seconds.
 */
async function provide(
  isThere: () => Promise<boolean>,
  make: () => MaybePromise<void>,
): Promise<void> {
  for (let left = TRIES - 1; ; left--) {
    try {
      if (await isThere()) return;
      await make();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** Derives the same bytes from the same name, block by block. */
function drawFrom(name: string): (size: number) => Uint8Array {
  let block = 0;
  return (size) => createHash("sha512").update(`${name}/${block++}`).digest().subarray(0, size);
}
