/** PostgreSQL below the ports: bounds of every statement, migrations of a fleet, values as they went. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { loadDriver, type StoreMode } from "#storage/postgres/driver.ts";
import { migrate } from "#storage/postgres/migrate.ts";
import { POSTGRES_MIGRATIONS } from "#storage/postgres/migrations.ts";
import { createPool, type Pool } from "#storage/postgres/pool.ts";
import { NO_POSTGRES, runSql, startPostgres } from "../support/engines.ts";
import { within } from "../support/size.ts";

const engine = (await startPostgres())!;
const driver = await loadDriver();
assert.ok(!("problem" in driver));
after(() => engine?.stop());

const skip = NO_POSTGRES;
const LIVE: { mode: StoreMode } = { mode: "live" };

/** The bound of a statement, and what a busy machine may add. */
const BOUND_MS = 2_000 + 500;

function open(t: TestContext, url: string, mode: StoreMode = "live"): Pool {
  assert.ok(!("problem" in driver));
  const pool = createPool(
    driver,
    { url, mode },
    { onFault: () => undefined, onDefect: assert.ifError },
  );
  t.after(() => pool.close());
  return pool;
}

test("values are returned as written", { skip }, async (t) => {
  const pool = open(t, await engine.createDatabase());
  const sent = [1_795_262_400_123, Uint8Array.of(0, 255, 92), "Ada 🚲 & Söhne", null] as const;
  const text = "SELECT $1::bigint AS time, $2::bytea AS bytes, $3::text AS text, $4::bytea AS none";
  for (let round = 0; round < 2; round += 1) {
    const [row] = await pool.query(text, sent);
    assert.deepEqual(row, { time: sent[0], bytes: sent[1], text: sent[2], none: null });
  }
  const [list] = await pool.query(
    "SELECT array_agg(each ORDER BY place) AS all FROM unnest($1::bytea[]) WITH ORDINALITY AS _(each, place)",
    [[Uint8Array.of(1), null, Uint8Array.of(2, 0)]],
  );
  assert.deepEqual(Object.values(list!)[0], [Buffer.of(1), null, Buffer.of(2, 0)]);
});

test("a transaction is all or nothing, and a refusal keeps its connection", { skip }, async (t) => {
  const pool = open(t, await engine.createDatabase());
  await migrate(pool, LIVE);
  const insert = "INSERT INTO account VALUES ($1, '', '', 'active', 0)";
  const refused = pool.transact(async (query) => {
    await query(insert, ["acc_1"]);
    await query(insert, ["acc_1"]);
  });
  await assert.rejects(refused, (error) => pool.isRefusal(error));
  const given_up = pool.transact(async (query) => {
    await query(insert, ["acc_2"]);
    throw new Error("changed my mind");
  });
  await assert.rejects(given_up, /changed my mind/);
  await pool.transact((query) => query(insert, ["acc_3"]));
  assert.deepEqual(await pool.query("SELECT id FROM account", []), [{ id: "acc_3" }]);
});

test("a slow statement ends on both sides", { skip }, async (t) => {
  const url = await engine.createDatabase();
  const pool = open(t, url);
  const begun = performance.now();
  await assert.rejects(pool.query("SELECT pg_sleep(30)", []));
  assert.ok(performance.now() - begun < within(BOUND_MS));
  const working =
    "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(30)'";
  await until(async () => (await runSql(url, working)).length === 0);
});

test(
  "a server that is frozen or gone costs two seconds at most, and comes back",
  { skip },
  async (t) => {
    const pool = open(t, await engine.createDatabase());
    const ask = (): Promise<object[]> => pool.query("SELECT 1 AS one", []);
    await Promise.all([ask(), ask()]);
    engine.freeze();
    t.after(() => engine.thaw());
    const begun = performance.now();
    // More than there are connections: those that wait for one are bounded as well.
    const request = await Promise.allSettled(Array.from({ length: 20 }, ask));
    assert.ok(performance.now() - begun < within(BOUND_MS));
    assert.ok(request.every(({ status }) => status === "rejected"));
    engine.thaw();
    assert.deepEqual(await ask(), [{ one: 1 }]);
    await engine.kill();
    await assert.rejects(ask());
    await engine.restart();
    assert.deepEqual(await ask(), [{ one: 1 }]);
  },
);

test("replicas that start at once migrate once, each mode for itself", { skip }, async (t) => {
  const url = await engine.createDatabase();
  const pools = Array.from({ length: 5 }, () => open(t, url));
  const done = await Promise.all(pools.map((pool) => migrate(pool, LIVE)));
  assert.deepEqual(done, [null, null, null, null, null]);
  assert.equal(await migrate(open(t, url, "sandbox"), { mode: "sandbox" }), null);
  const expected = Object.entries(POSTGRES_MIGRATIONS).map(([module, { length }]) => ({
    module,
    version: length,
  }));
  for (const schema of ["vicinity_live", "vicinity_sandbox"]) {
    const rows = await runSql(url, `SELECT module, version FROM ${schema}.migration`);
    assert.deepEqual(rows, expected);
  }
});

test("a migration adds what is missing, and a failing one changes nothing", { skip }, async (t) => {
  const url = await engine.createDatabase();
  const pool = open(t, url);
  const bring = (...statements: string[]): Promise<string | null> =>
    migrate(pool, { ...LIVE, modules: { things: statements } });
  const [first, second] = [
    "CREATE TABLE a (n int)",
    "CREATE TABLE b (n int); INSERT INTO b VALUES (2)",
  ];
  assert.equal(await bring(first), null);
  await assert.rejects(bring(first, second, "CREATE TABLE a (n int)"));
  assert.deepEqual(await pool.query("SELECT to_regclass('b') AS b", []), [{ b: null }]);
  assert.equal(await bring(first, second), null);
  assert.equal(await bring(first, second), null);
  assert.deepEqual(await pool.query("SELECT n FROM b", []), [{ n: 2 }]);
});

test(
  "a database of a newer program is refused by one line, and left alone",
  { skip },
  async (t) => {
    const url = await engine.createDatabase();
    const pool = open(t, url);
    await migrate(pool, { ...LIVE, modules: { things: ["SELECT 1", "SELECT 1"], others: [] } });
    const older = await migrate(pool, {
      ...LIVE,
      modules: { things: ["SELECT 1"], new: ["CREATE TABLE n ()"] },
    });
    assert.equal(older, "it was made by a newer version (things 2, this one knows 1)");
    const without = await migrate(pool, { ...LIVE, modules: {} });
    assert.equal(without, "it was made by a newer version (things 2, this one knows 0)");
    assert.deepEqual(await pool.query("SELECT to_regclass('n') AS n", []), [{ n: null }]);
  },
);

test("a driver that is not installed is one line with its name and the setting", async () => {
  const missing = await loadDriver(() => Promise.reject(new Error("Cannot find package\n'pg'")));
  assert.ok("problem" in missing);
  assert.match(missing.problem, /^VICINITY_STORE_URL .*package pg.*Cannot find package 'pg'$/);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 20));
}
