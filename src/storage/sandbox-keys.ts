/** The sandbox's own keys: one a plan, derived from the seed (operation, Modes). */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { hashKey, KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import { detach, type NoteFault } from "#kit/guard.ts";
import type { Account, Accounts, KeyRecord, MaybePromise } from "#ports.ts";
import { isUnavailable } from "#storage/unavailable.ts";

export type SandboxKey = { plan: string; key: string };

export type SandboxKeyDeps = {
  plans: readonly string[];
  seed: number;
  now_ms: number;
  /** Receives what else is wrong than a store that is away. */
  onFault: NoteFault;
};

/** `close`: gives up what a store that is away has not got yet. */
export type ProvidedKeys = { keys: SandboxKey[]; close(): void };

/**
 * Makes the keys that the store lacks; a revoked one stays revoked. A store that is away gets them
 * when it comes: what they are is known without it.
 */
export async function provideSandboxKeys(
  accounts: Accounts,
  { plans, seed, now_ms, onFault }: SandboxKeyDeps,
): Promise<ProvidedKeys> {
  const ended = new AbortController();
  const made = plans.map((plan) => makeKey(plan, { seed, now_ms }));
  const keys = made.map(({ plan, key }) => ({ plan, key }));
  const close = (): void => ended.abort();
  const isThere = await storeAll(accounts, made, TRIES);
  if (!isThere) detach(storeLater(accounts, made, ended.signal), (error) => onFault("keys", error));
  return { keys, close };
}

/** Of the sandbox, where every visitor may use it; null: live. */
export function findPublicKey(keys: readonly SandboxKey[]): string | null {
  return (keys.find(({ plan }) => plan === "developer") ?? keys[0])?.key ?? null;
}

type MadeKey = SandboxKey & { account: Account; record: KeyRecord };

function makeKey(plan: string, { seed, now_ms }: { seed: number; now_ms: number }): MadeKey {
  const issue = { now_ms, draw: drawFrom(`${seed}/${plan}`), prefix: KEY_PREFIXES.sandbox };
  const account = newAccount({ name: `sandbox ${plan}`, plan }, issue);
  const terms = { account_id: account.id, name: `sandbox ${plan}` };
  const { key, record } = newKey({ ...terms, scopes: DEFAULT_SCOPES, expires_at_ms: null }, issue);
  return { plan, key, account, record };
}

/** false: the store is away. Rejects with what else is wrong. */
async function storeAll(
  accounts: Accounts,
  made: readonly MadeKey[],
  tries: number,
): Promise<boolean> {
  try {
    for (const { key, account, record } of made) {
      const hash = hashKey(key);
      await provide(
        async () => (await accounts.findAccount(account.id)) !== null,
        () => accounts.createAccount(account),
        tries,
      );
      await provide(
        async () => (await accounts.findKeyByHash(hash)) !== null,
        () => accounts.createKey(record),
        tries,
      );
    }
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

async function storeLater(
  accounts: Accounts,
  made: readonly MadeKey[],
  signal: AbortSignal,
): Promise<void> {
  do {
    await pause(LATER_MS, undefined, { ref: false });
    if (signal.aborted) return;
  } while (!(await storeAll(accounts, made, 1)));
}

/** How often a store that is away is asked again, ms. */
const LATER_MS = 2_000;
const TRIES = 3;
const PAUSE_MS = 100;

/**
 * Replicas that start at once make the same ones: the second one finds it made. A store that does
 * not answer, as when the whole machine starts, is asked again: each try takes up to two seconds.
 */
async function provide(
  isThere: () => Promise<boolean>,
  make: () => MaybePromise<void>,
  tries: number,
): Promise<void> {
  for (let left = tries - 1; ; left--) {
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
