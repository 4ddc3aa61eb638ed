/**
 * Accounts and keys in PostgreSQL: one statement a call, so that each is one transaction. The version
 * is counted by triggers (migrations.ts); a writer knows the new one when the call resolves.
 * A store that does not answer rejects with `code: "store_unavailable"`.
 */
import { timingSafeEqual } from "node:crypto";
import type { Account, Accounts, KeyRecord, KeyScope } from "#ports.ts";
import { postgresFailure } from "#storage/store-reasons.ts";
import { unavailable } from "#storage/unavailable.ts";
import type { AccountVersion } from "./account-version.ts";
import type { Pool, Query, Value } from "./pool.ts";

const ACCOUNT = "id, name, plan, standing, created_at_ms";
const KEY = `id, account_id, name, scopes, hash, hint, created_at_ms, expires_at_ms, revoked_at_ms,
  rotated_from, last_used_at_ms`;

type KeyRow = Omit<KeyRecord, "scopes"> & { scopes: string };

type AccountPart = Pick<
  Accounts,
  "createAccount" | "listAccounts" | "listPlans" | "findAccount" | "setAccount"
>;
type KeyPart = Omit<Accounts, keyof AccountPart | "findKeyByHash" | "version" | "changesSince">;

export function createPostgresAccounts(
  pool: Pick<Pool, "query" | "isRefusal">,
  version: Pick<AccountVersion, "get" | "look" | "isLost" | "changesSince">,
): Accounts {
  const query: Query = async (text, values) => {
    // A store that has been silent is not waited for again by every caller.
    if (version.isLost()) throw unavailable(SILENT);
    try {
      return await pool.query(text, values);
    } catch (error) {
      // A server that takes no writes refuses them as it does what breaks a constraint.
      const failing = postgresFailure(error);
      if (failing === null && pool.isRefusal(error)) throw error;
      throw unavailable(SILENT, { failing, cause: error });
    }
  };
  /** A write is done, whether or not its version can be read: then the next poll finds it. */
  const write: Query = async <Row extends object>(text: string, values?: readonly Value[]) => {
    const rows = await query<Row>(text, values);
    await version.look();
    return rows;
  };
  return {
    ...createAccountPart(query, write),
    ...createKeyPart(query, write),
    findKeyByHash: (hash) => findKeyByHash(query, hash),
    version: () => version.get(),
    changesSince: (before) => version.changesSince(before),
  };
}

const SILENT = "the key store does not answer";

const FIND_BY_HASH = `
  SELECT ${KEY.replaceAll(/\w+/g, "k.$&")},
    a.name AS owner_name, a.plan, a.standing, a.created_at_ms AS owner_created_at_ms
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE k.hash = $1`;

type FoundRow = KeyRow &
  Pick<Account, "plan" | "standing"> & { owner_name: string; owner_created_at_ms: number };

async function findKeyByHash(
  query: Query,
  hash: Uint8Array,
): Promise<{ key: KeyRecord; account: Account } | null> {
  const [row] = await query<FoundRow>(FIND_BY_HASH, [hash]);
  // The index has compared already; this one takes the same time whatever the bytes.
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  const { owner_name: name, owner_created_at_ms: created_at_ms, plan, standing, ...key } = row;
  return { key: toKey(key), account: { id: key.account_id, name, plan, standing, created_at_ms } };
}

function createAccountPart(query: Query, write: Query): AccountPart {
  const findAccount = async (id: string): Promise<Account | null> => {
    const rows = await query<Account>(`SELECT ${ACCOUNT} FROM account WHERE id = $1`, [id]);
    return rows[0] ?? null;
  };
  return {
    findAccount,
    async createAccount({ id, name, plan, standing, created_at_ms }) {
      const reported = [id, name, plan, standing, created_at_ms];
      await write(`INSERT INTO account (${ACCOUNT}) VALUES ($1, $2, $3, $4, $5)`, reported);
    },
    listPlans: () => query("SELECT plan, min(id) AS account_id FROM account GROUP BY plan", []),
    listAccounts: () => query(`SELECT ${ACCOUNT} FROM account ORDER BY created_at_ms, id`, []),
    async setAccount(id, { plan = null, standing = null }) {
      if (plan === null && standing === null) return findAccount(id);
      const rows = await write<Account>(
        `UPDATE account SET plan = COALESCE($2, plan), standing = COALESCE($3, standing)
         WHERE id = $1 RETURNING ${ACCOUNT}`,
        [id, plan, standing],
      );
      return rows[0] ?? null;
    },
  };
}

const CREATE_KEY = `INSERT INTO api_key (${KEY})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

const ROTATE_KEY = `
  WITH ended AS (
    UPDATE api_key SET expires_at_ms = LEAST(expires_at_ms, $13) WHERE id = $12
      AND revoked_at_ms IS NULL RETURNING id
  )
  INSERT INTO api_key (${KEY})
  SELECT $1::text, $2::text, $3::text, $4::text, $5::bytea, $6::text, $7::bigint, $8::bigint,
    $9::bigint, $10::text, $11::bigint
  FROM ended RETURNING id`;

/** In order of id, so that replicas which write at once do not wait for one another in a circle. */
const TOUCH_KEYS = `
  WITH used AS (
    SELECT id COLLATE "C" AS id, max(at_ms) AS at_ms
    FROM unnest($1::text[], $2::bigint[]) AS _(id, at_ms) GROUP BY 1
  ), later AS (
    SELECT k.id, used.at_ms FROM api_key k JOIN used ON used.id = k.id
    WHERE k.last_used_at_ms IS NULL OR k.last_used_at_ms < used.at_ms
    ORDER BY k.id FOR NO KEY UPDATE OF k
  )
  UPDATE api_key SET last_used_at_ms = later.at_ms FROM later WHERE api_key.id = later.id`;

function createKeyPart(query: Query, write: Query): KeyPart {
  return {
    async createKey(key) {
      await write(CREATE_KEY, toValues(key));
    },
    async listKeys() {
      const rows = await query<KeyRow>(`SELECT ${KEY} FROM api_key ORDER BY created_at_ms, id`, []);
      return rows.map(toKey);
    },
    async findKey(id) {
      const [row] = await query<KeyRow>(`SELECT ${KEY} FROM api_key WHERE id = $1`, [id]);
      return row ? toKey(row) : null;
    },
    async rotateKey(id, successor, expires_at_ms) {
      return (await write(ROTATE_KEY, [...toValues(successor), id, expires_at_ms])).length > 0;
    },
    async revokeKey(id, at_ms) {
      const revoked = await write(
        `UPDATE api_key SET revoked_at_ms = $2 WHERE id = $1 AND revoked_at_ms IS NULL RETURNING id`,
        [id, at_ms],
      );
      if (revoked.length > 0) return true;
      return (await query("SELECT id FROM api_key WHERE id = $1", [id])).length > 0;
    },
    async touchKeys(used) {
      await query(TOUCH_KEYS, [used.map(({ id }) => id), used.map(({ at_ms }) => at_ms)]);
    },
  };
}

function toValues(key: KeyRecord) {
  const { id, account_id, name, hash, hint, created_at_ms, expires_at_ms } = key;
  const { revoked_at_ms, rotated_from, last_used_at_ms } = key;
  const reported = [id, account_id, name, key.scopes.join(","), hash, hint, created_at_ms];
  return [...reported, expires_at_ms, revoked_at_ms, rotated_from, last_used_at_ms];
}

function toKey({ scopes, ...row }: KeyRow): KeyRecord {
  return { ...row, scopes: scopes === "" ? [] : (scopes.split(",") as KeyScope[]) };
}
