/** A database of a private PostgreSQL with the tables of this version, and pools over it. */
import assert from "node:assert/strict";
import { loadDriver } from "#storage/postgres/driver.ts";
import { migrate } from "#storage/postgres/migrate.ts";
import { createPool, type Pool } from "#storage/postgres/pool.ts";
import type { PostgresEngine } from "./engines.ts";

export type Store = {
  url: string;
  /** One a replica. */
  openPool(): Pool;
  closeAll(): Promise<void>;
  /** In a transaction; `unguarded`: no trigger and no reference hinders the statements. */
  exec(sql: string, how?: { unguarded?: boolean }): Promise<void>;
  list(sql: string): Promise<Record<string, unknown>[]>;
};

export async function openStore(engine: PostgresEngine): Promise<Store> {
  const driver = await loadDriver();
  assert.ok(!("problem" in driver));
  const url = await engine.createDatabase();
  const pools: Pool[] = [];
  const openPool = (): Pool => {
    const pool = createPool(
      driver,
      { url, mode: "live" },
      { onFault: () => undefined, onDefect: assert.ifError },
    );
    pools.push(pool);
    return pool;
  };
  assert.equal(await migrate(openPool(), { mode: "live" }), null);
  return {
    url,
    openPool,
    async closeAll() {
      await Promise.all(pools.splice(0).map((pool) => pool.close()));
    },
    exec: (sql, { unguarded = false } = {}) =>
      pools[0]!.transact(async (query) => {
        if (unguarded) await query("SET LOCAL session_replication_role = replica");
        await query(sql);
      }),
    list: (sql) => pools[0]!.query<Record<string, unknown>>(sql, []),
  };
}
