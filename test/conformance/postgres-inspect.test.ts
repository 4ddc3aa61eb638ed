/** Commands that look at a fleet's store: an empty one, one with damage, and no data folder of their own. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { migrateStores, openAdminStores } from "#storage/store-deployment.ts";
import { withPool } from "#storage/postgres/postgres-command.ts";
import { migrate } from "#storage/postgres/migrate.ts";
import { NO_POSTGRES, runSql, startPostgres } from "../support/engines.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { run } from "../unit/cli/support.ts";

const skip = NO_POSTGRES;
const engine = await startPostgres();
after(() => engine?.stop());

async function open(t: TestContext, isEmpty: boolean) {
  const url = await engine!.createDatabase();
  const make = () => withPool({ url, mode: "live" }, (pool) => migrate(pool, { mode: "live" }));
  if (!isEmpty) assert.equal(await make(), null);
  const root = mkdtempSync(join(tmpdir(), "vicinity-inspect-"));
  t.after(() => rmSync(root, { recursive: true }));
  const data_dir = join(root, "data");
  const variables = {
    VICINITY_DATA_DIR: data_dir,
    VICINITY_STORE_URL: url,
    VICINITY_CONTACT: "ops@example.org",
  };
  const command = (argv: readonly string[]) =>
    run(argv, {
      variables,
      openStore: ({ reads = false, uses_folder = false }) =>
        openAdminStores(
          { data_dir, mode: "live", store_url: url },
          { clock: createManualClock(0), opening: reads ? "read" : "command", uses_folder },
        ),
    });
  const examine = async () => {
    const { code, out } = await command(["doctor", "--node", "--json"]);
    const { checks } = JSON.parse(out) as {
      checks: { check: string; state: string; detail: string }[];
    };
    const of = (name: string): string => {
      const match = checks.find(({ check }) => check === name);
      return match ? `${match.state}: ${match.detail}` : "absent";
    };
    return { code, of };
  };
  return { url, data_dir, command, examine, make };
}

test(
  "doctor before the first start: empty, and the first start makes tables and folder",
  { skip },
  async (t) => {
    const { url, data_dir, examine, make } = await open(t, true);
    const { code, of } = await examine();
    assert.equal(code, 0);
    assert.equal(
      of("store postgres"),
      "warning: it answers and is empty: the first start makes the tables",
    );
    assert.match(of("folder"), /^warning: there is no data folder .*: the first start makes it$/);
    assert.equal(of("replicas"), "absent");
    const name = new URL(url).pathname.slice(1);
    await runSql(engine!.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const read_only = await examine();
    assert.equal(read_only.code, 1);
    assert.match(
      read_only.of("store postgres"),
      /^failing: it answers and is empty, but takes no writes/,
    );
    await runSql(engine!.url, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    assert.equal(await make(), null);
    const made = await examine();
    assert.equal(made.of("store postgres"), "ok: answers and takes writes");
    assert.match(made.of("schema postgres.accounts"), /^ok: \d+$/);
    assert.match(made.of("plans"), /^ok: /);
    assert.ok(!existsSync(data_dir));
  },
);

test(
  "a login that may not make a schema is reported before the first start",
  { skip },
  async (t) => {
    const { url, examine } = await open(t, true);
    await runSql(engine!.url, "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN");
    const as = url.replace("vicinity@", "reader@");
    const { out } = await run(["doctor", "--node", "--json"], {
      variables: {
        VICINITY_STORE_URL: as,
        VICINITY_CONTACT: "ops@example.org",
        VICINITY_DATA_DIR: "/nonexistent",
      },
    });
    assert.match(out, /may not make a schema \(GRANT CREATE ON DATABASE\)/);
    assert.equal((await examine()).code, 0);
  },
);

test(
  "commands that read a fleet's store make no data folder, nor does one that writes there",
  { skip },
  async (t) => {
    const { url, data_dir, command } = await open(t, false);
    await runSql(
      url,
      "SET search_path = vicinity_live; INSERT INTO account VALUES ('acc_1', 'Ada', 'business', 'active', 1)",
    );
    for (const argv of [
      ["keys", "list"],
      ["accounts", "list"],
      ["usage"],
      ["accounts", "export", "acc_1"],
      ["doctor", "--node"],
      ["migrate"],
      ["accounts", "set", "acc_1", "--standing", "suspended"],
    ]) {
      const { code, err } = await command(argv);
      assert.equal(code, 0, `${argv.join(" ")}: ${err}`);
      assert.ok(!existsSync(data_dir), argv.join(" "));
    }
    // Bases are in the folder: where there is none, that is said.
    for (const argv of [["bases"], ["bases", "--remove", "ch"]]) {
      const { code, err } = await command(argv);
      assert.equal(code, 1);
      assert.match(err, /^vicinity: the data folder .*live cannot be used: there is no store yet/);
      assert.ok(!existsSync(data_dir), argv.join(" "));
    }
  },
);

test(
  "a table that is gone is damage: doctor names it, and migrate refuses and changes nothing",
  { skip },
  async (t) => {
    const { url, data_dir, examine, command } = await open(t, false);
    await runSql(url, "DROP TABLE vicinity_live.usage_month");
    await runSql(url, "UPDATE vicinity_live.migration SET version = 1 WHERE module = 'datasets'");
    const { code, of } = await examine();
    assert.equal(code, 1);
    assert.match(of("store postgres"), /^failing: it has no table usage_month: restore a backup$/);
    const migrated = await command(["migrate"]);
    assert.equal(migrated.code, 1);
    assert.match(
      migrated.err,
      /it is damaged, and nothing was changed: it has no table usage_month/,
    );
    const note = (): void => assert.fail("nothing is migrated");
    assert.notEqual(await migrateStores({ data_dir, mode: "live", store_url: url }, note), null);
    const [row] = await runSql(
      url,
      "SELECT version FROM vicinity_live.migration WHERE module = 'datasets'",
    );
    assert.equal(row!["version"], 1);
  },
);
