/** Backups of a fleet's store, what PostgreSQL has about an account, and who migrates it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { migrateStores, openAdminStores } from "#storage/store-deployment.ts";
import { withPool } from "#storage/postgres/postgres-command.ts";
import { migrate } from "#storage/postgres/migrate.ts";
import { type Modules, POSTGRES_MIGRATIONS } from "#storage/postgres/migrations.ts";
import type { Migration } from "#storage/store-schema.ts";
import { NO_POSTGRES, runSql, startPostgres } from "../support/engines.ts";
import { closeStore, openStore } from "../support/filled-store.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { backupSuite, backUpTo, restoreFrom } from "./backup.ts";
import { peopleSuite } from "./people.ts";

const skip = NO_POSTGRES;
const engine = await startPostgres();
after(() => engine?.stop());
const newDatabase = (): Promise<string | null> => engine!.createDatabase();

backupSuite("PostgreSQL", { newDatabase, skip });
peopleSuite("PostgreSQL", { newDatabase, skip });

/** As the first release left it. */
const OLD: Modules = Object.fromEntries(
  Object.entries({ accounts: 2, usage: 1, datasets: 1, bridges: 1 }).map(([name, version]) => [
    name,
    POSTGRES_MIGRATIONS[name]!.slice(0, version),
  ]),
);

async function openOld(t: TestContext) {
  const url = await engine!.createDatabase();
  const address = { url, mode: "live" as const };
  const made = await withPool(address, (pool) => migrate(pool, { mode: "live", modules: OLD }));
  assert.equal(made, null);
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-old-"));
  t.after(() => rmSync(data_dir, { recursive: true }));
  const versions = async (): Promise<string> =>
    (await runSql(url, "SELECT module, version FROM vicinity_live.migration ORDER BY module"))
      .map(({ module, version }) => `${String(module)} ${String(version)}`)
      .join();
  return {
    url,
    data_dir,
    versions,
    deployment: { store_url: url, data_dir, mode: "live" as const },
  };
}

test(
  "PostgreSQL: a command does not migrate, and migrate says what it did",
  { skip },
  async (t) => {
    const { deployment, versions } = await openOld(t);
    const before = await versions();
    for (const opening of ["read", "command"] as const) {
      const how = { clock: createManualClock(0), opening };
      const opened = await openAdminStores(deployment, how);
      assert.match(
        "problem" in opened ? opened.problem : "it was opened",
        /its usage were made by an earlier version \(schema 1, this one needs 3\): start the service, or run vicinity migrate$/,
      );
      assert.equal(await versions(), before);
    }
    const migrations: string[] = [];
    const note = ({ store, from, to }: Migration): void =>
      void migrations.push(`${store} ${from} ${to}`);
    assert.equal(await migrateStores(deployment, note), null);
    assert.deepEqual(migrations, [
      "postgres usage 1 3",
      "postgres datasets 1 4",
      "postgres claims 0 1",
    ]);
    const opened = await openAdminStores(deployment, {
      clock: createManualClock(0),
      opening: "read",
    });
    if ("problem" in opened) return assert.fail(opened.problem);
    assert.deepEqual(await opened.accounts.listAccounts(), []);
    await opened.close();
  },
);

test("PostgreSQL: looking into an empty database makes no store in it", { skip }, async (t) => {
  const { data_dir } = await openOld(t);
  const url = await engine!.createDatabase();
  const how = { clock: createManualClock(0), opening: "read" as const };
  const opened = await openAdminStores({ store_url: url, data_dir, mode: "live" }, how);
  assert.match("problem" in opened ? opened.problem : "it was opened", /there is no store yet/);
  assert.deepEqual(
    await runSql(url, "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'vicinity%'"),
    [],
  );
});

test("PostgreSQL: a backup of an earlier schema is restored, and migrated", { skip }, async (t) => {
  const { url, data_dir } = await openOld(t);
  await runSql(
    url,
    `SET search_path = vicinity_live;
     INSERT INTO account VALUES ('acc_1', 'Ada', 'business', 'active', 1);
     INSERT INTO usage_day VALUES ('2026-11-21', 'acc_1', '', 'nearby', 7, 3);
     INSERT INTO dataset_secret VALUES (1, '\\x0102')`,
  );
  const work = mkdtempSync(join(tmpdir(), "vicinity-backup-"));
  t.after(() => rmSync(work, { recursive: true }));
  const target = join(work, "copy.tar");
  const made = await backUpTo({ data_dir, store_url: url }, target);
  if ("problem" in made) return assert.fail(made.problem);
  const other = { data_dir: join(data_dir, "other"), store_url: await engine!.createDatabase() };
  const restored = await restoreFrom(target, other);
  if ("problem" in restored) return assert.fail(restored.problem);
  const storage = await openStore(other);
  t.after(() => closeStore(storage));
  assert.equal((await storage.accounts.findAccount("acc_1"))?.name, "Ada");
  assert.deepEqual([...storage.datasets.secret], [1, 2]);
  const [row] = await storage.usage.listUsage({ month: "2026-11" });
  assert.equal(row?.units, 7);
});
