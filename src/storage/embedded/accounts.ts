/**
 * Accounts and keys in the embedded database. A write has reached the disk when it returns; the
 * version is counted by triggers (migrations.ts), in the transaction of each write.
 */
import { timingSafeEqual } from "node:crypto";
import type { Account, AccountsAtHand, KeyRecord, KeyScope } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";

type KeyRow = Omit<KeyRecord, "scopes"> & { scopes: string };

type AccountPart = Pick<
  AccountsAtHand,
  | ("createAccount" | "listAccounts" | "listPlans" | "findAccount" | "setAccount")
  | ("version" | "changesSince")
>;
type KeyPart = Omit<AccountsAtHand, keyof AccountPart | "findKeyByHash">;

/** Prepares the accounts and keys of a database. Its calls throw as the database does. */
export function createAccounts(database: DatabaseSync): AccountsAtHand {
  const accounts = createAccountPart(database);
  const find = database.prepare("SELECT * FROM api_key WHERE hash = ?");
  return {
    ...accounts,
    ...createKeyPart(database),
    findKeyByHash(hash) {
      const row = find.get(hash);
      if (!row) return null;
      const key = toKey(row as unknown as KeyRow);
      const account = accounts.findAccount(key.account_id);
      // The index has compared already; this one takes the same time whatever the bytes.
      return account && timingSafeEqual(key.hash, hash) ? { key, account } : null;
    },
  };
}

function createAccountPart(database: DatabaseSync): AccountPart {
  const create = database.prepare("INSERT INTO account VALUES (?, ?, ?, ?, ?)");
  const list = database.prepare("SELECT * FROM account ORDER BY created_at_ms, id");
  const plans = database.prepare("SELECT plan, min(id) AS account_id FROM account GROUP BY plan");
  const find = database.prepare("SELECT * FROM account WHERE id = ?");
  const set = database.prepare(
    "UPDATE account SET plan = COALESCE(?, plan), standing = COALESCE(?, standing) WHERE id = ?",
  );
  const version = database.prepare("SELECT version FROM account_version");

  const findAccount = (id: string): Account | null => {
    const row = find.get(id);
    return row ? { ...(row as unknown as Account) } : null;
  };
  return {
    createAccount({ id, name, plan, standing, created_at_ms }) {
      create.run(id, name, plan, standing, created_at_ms);
    },
    listPlans: () =>
      (plans.all() as unknown as { plan: string; account_id: string }[]).map((row) => ({ ...row })),
    listAccounts: () => (list.all() as unknown as Account[]).map((row) => ({ ...row })),
    findAccount,
    setAccount(id, { plan = null, standing = null }) {
      if (plan !== null || standing !== null) set.run(plan, standing, id);
      return findAccount(id);
    },
    version: () => Number(version.get()?.["version"]),
    // A command that writes meanwhile only raises the version, and a query costs microseconds here.
    changesSince: () => null,
  };
}

function createKeyPart(database: DatabaseSync): KeyPart {
  const create = database.prepare(
    `INSERT INTO api_key (id, account_id, name, scopes, hash, hint, created_at_ms, expires_at_ms,
       revoked_at_ms, rotated_from, last_used_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = database.prepare("SELECT * FROM api_key ORDER BY created_at_ms, id");
  const find = database.prepare("SELECT * FROM api_key WHERE id = ?");
  const end = database.prepare(
    `UPDATE api_key SET expires_at_ms = MIN(COALESCE(expires_at_ms, ?1), ?1)
     WHERE id = ?2 AND revoked_at_ms IS NULL`,
  );
  const revoke = database.prepare(
    "UPDATE api_key SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL",
  );
  const touch = database.prepare(
    "UPDATE api_key SET last_used_at_ms = MAX(COALESCE(last_used_at_ms, ?1), ?1) WHERE id = ?2",
  );

  const createKey = (key: KeyRecord): void => {
    const { id, account_id, name, hash, hint, created_at_ms, expires_at_ms } = key;
    const { revoked_at_ms, rotated_from, last_used_at_ms } = key;
    const reported = [
      id,
      account_id,
      name,
      key.scopes.join(","),
      hash,
      hint,
      created_at_ms,
    ] as const;
    create.run(...reported, expires_at_ms, revoked_at_ms, rotated_from, last_used_at_ms);
  };
  return {
    createKey,
    listKeys: () => (list.all() as unknown as KeyRow[]).map(toKey),
    findKey(id) {
      const row = find.get(id);
      return row ? toKey(row as unknown as KeyRow) : null;
    },
    rotateKey(id, successor, expires_at_ms) {
      let isFound = false;
      transact(database, () => {
        isFound = Number(end.run(expires_at_ms, id).changes) > 0;
        if (isFound) createKey(successor);
      });
      return isFound;
    },
    revokeKey: (id, at_ms) =>
      Number(revoke.run(at_ms, id).changes) > 0 || find.get(id) !== undefined,
    touchKeys(used) {
      transact(database, () => {
        for (const { id, at_ms } of used) touch.run(at_ms, id);
      });
    },
  };
}

function toKey({ scopes, ...row }: KeyRow): KeyRecord {
  return { ...row, scopes: scopes === "" ? [] : (scopes.split(",") as KeyScope[]) };
}
