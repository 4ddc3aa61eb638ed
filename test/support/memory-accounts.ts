/** Accounts that last as long as the test. */
import type { Account, AccountsAtHand, KeyRecord } from "#ports.ts";

export function createMemoryAccounts(): AccountsAtHand {
  const accounts = new Map<string, Account>();
  const keys = new Map<string, KeyRecord>();
  let version = 0;

  const findKey = (id: string): KeyRecord | null => {
    const key = keys.get(id);
    return key ? copy(key) : null;
  };
  const createKey = (key: KeyRecord): void => {
    if (!accounts.has(key.account_id)) throw new Error("no such account");
    if (keys.has(key.id) || [...keys.values()].some((other) => sameHash(other, key.hash))) {
      throw new Error("there is such a key");
    }
    keys.set(key.id, copy(key));
    version += 1;
  };
  return {
    createAccount(account) {
      if (accounts.has(account.id)) throw new Error("there is such an account");
      accounts.set(account.id, { ...account });
      version += 1;
    },
    listPlans() {
      const plans = new Map<string, string>();
      for (const { id, plan } of byAge([...accounts.values()]))
        if (!plans.has(plan)) plans.set(plan, id);
      return [...plans].map(([plan, account_id]) => ({ plan, account_id }));
    },
    listAccounts: () => byAge([...accounts.values()].map((account) => ({ ...account }))),
    findAccount: (id) => (accounts.has(id) ? { ...accounts.get(id)! } : null),
    setAccount(id, change) {
      const account = accounts.get(id);
      if (!account) return null;
      if (Object.keys(change).length > 0) version += 1;
      return { ...Object.assign(account, change) };
    },
    createKey,
    listKeys: () => byAge([...keys.values()].map(copy)),
    findKey,
    findKeyByHash(hash) {
      const key = [...keys.values()].find((each) => sameHash(each, hash));
      return key ? { key: copy(key), account: { ...accounts.get(key.account_id)! } } : null;
    },
    rotateKey(id, successor, expires_at_ms) {
      const key = keys.get(id);
      if (!key || key.revoked_at_ms !== null) return false;
      createKey(successor);
      keys.set(id, {
        ...key,
        expires_at_ms: Math.min(key.expires_at_ms ?? Infinity, expires_at_ms),
      });
      return true;
    },
    revokeKey(id, at_ms) {
      const key = keys.get(id);
      if (!key) return false;
      if (key.revoked_at_ms === null) {
        keys.set(id, { ...key, revoked_at_ms: at_ms });
        version += 1;
      }
      return true;
    },
    touchKeys(used) {
      for (const { id, at_ms } of used) {
        const key = keys.get(id);
        if (!key) continue;
        keys.set(id, { ...key, last_used_at_ms: Math.max(key.last_used_at_ms ?? at_ms, at_ms) });
      }
    },
    version: () => version,
    changesSince: () => null,
  };
}

function copy(key: KeyRecord): KeyRecord {
  return { ...key, scopes: [...key.scopes], hash: key.hash.slice() };
}

function sameHash(key: KeyRecord, hash: Uint8Array): boolean {
  return Buffer.compare(key.hash, hash) === 0;
}

function byAge<T extends { created_at_ms: number; id: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => a.created_at_ms - b.created_at_ms || (a.id < b.id ? -1 : 1));
}
