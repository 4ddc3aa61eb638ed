/** Joining a PostgreSQL that is away, read-only or not for us: what is waited for, and what is refused. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createClock } from "#process/clock.ts";
import type { HealthEvent } from "#storage/store-health.ts";
import { openPostgres, type PostgresStore } from "#storage/postgres/open-postgres.ts";
import { NO_POSTGRES, runSql, startPostgres } from "../support/engines.ts";
import { within } from "../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());
const skip = NO_POSTGRES;

type Opened = { store: PostgresStore | null; problem: string | null; events: HealthEvent[] };

async function open(t: TestContext, url: string): Promise<Opened> {
  const events: HealthEvent[] = [];
  const store = await openPostgres({
    url,
    mode: "live",
    clock: createClock(),
    onFault: () => undefined,
    onHealth: (event) => void events.push(event),
    onDefect: assert.ifError,
    absent: { wait_ms: 0 },
  });
  if ("problem" in store) return { store: null, problem: store.problem, events };
  t.after(store.close);
  return { store, problem: null, events };
}

async function until(holds: () => unknown): Promise<void> {
  const until_ms = performance.now() + within(30_000);
  while (!(await holds())) {
    assert.ok(performance.now() < until_ms, "not in time");
    await pause(20);
  }
}

test(
  "what a wait does not mend is a problem at once, and what it may mend is waited for",
  { skip },
  async (t) => {
    const newer = await engine.createDatabase();
    assert.equal((await open(t, newer)).problem, null);
    await runSql(newer, "UPDATE vicinity_live.migration SET version = version + 1");
    await runSql(engine.url, "CREATE ROLE stranger LOGIN; CREATE ROLE idle NOLOGIN");
    const refused: [url: string, line: RegExp][] = [
      [engine.url.replace("/postgres", "/nowhere"), /database "nowhere" does not exist$/],
      [engine.url.replace("vicinity@", "unknown@"), /role "unknown" does not exist$/],
      [engine.url.replace("vicinity@", "idle@"), /role "idle" is not permitted to log in$/],
      // It may not make the schema.
      [
        (await engine.createDatabase()).replace("vicinity@", "stranger@"),
        /permission denied for database/,
      ],
      [newer, /it was made by a newer version/],
    ];
    for (const [url, line] of refused) {
      const { problem } = await open(t, url);
      assert.match(problem ?? "", line);
      assert.doesNotMatch(problem!, /\n|postgres:\/\//);
    }
    const waited_for: [url: string, reason: string][] = [
      [engine.url.replace(/:\d+\//, ":1/"), "unreachable"],
      [engine.url.replace("127.0.0.1", "no-such-host.invalid"), "unreachable"],
    ];
    for (const [url, reason] of waited_for) {
      const { store, problem, events } = await open(t, url);
      assert.equal(problem, null, url);
      assert.equal(store!.health.failing?.reason, reason);
      assert.deepEqual(
        events.map(({ state }) => state),
        ["away"],
      );
    }
  },
);

test(
  "a store that comes later is joined: its schema, its keys, its secret",
  { skip },
  async (t) => {
    const url = await engine.createDatabase();
    const first = (await open(t, url)).store!;
    const account = { id: "acc_1", name: "Ada", plan: "free", standing: "active" } as const;
    await first.accounts.createAccount({ ...account, created_at_ms: 1 });
    await engine.kill();
    const { store } = await open(t, url);
    const find = async () => await store!.accounts.findAccount("acc_1");
    await assert.rejects(find, { code: "store_unavailable" });
    assert.throws(() => store!.ledger.unitsOf("acc_1", "2026-11"), { code: "store_unavailable" });
    assert.equal(store!.datasets.knowsSecret!(), false);
    assert.equal(await store!.datasets.findRepeat(new Uint8Array(32), 0), null);
    assert.equal(await store!.ledger.apply("[]" as never, () => undefined), false);
    await engine.restart();
    await until(() => store!.datasets.knowsSecret!());
    assert.deepEqual(store!.datasets.secret, first.datasets.secret, "that of the fleet");
    await until(async () => (await find().catch(() => null))?.name === "Ada");
  },
);

test("a database that appears later is migrated by the one that joins it", { skip }, async (t) => {
  await engine.kill();
  const name = "made_later";
  const url = engine.url.replace("/postgres", `/${name}`);
  const { store } = await open(t, url);
  await engine.restart();
  // It answers, and there is none of that name: at a start that is a mistake, now it is waited for.
  await until(() => store!.health.failing?.reason === "refused");
  await runSql(engine.url, `CREATE DATABASE ${name}`);
  await until(() => store!.datasets.knowsSecret!());
  await until(() => store!.health.isUp());
});

test(
  "a server that takes no writes is joined where its schema is current, and waited for where not",
  { skip },
  async (t) => {
    const [current, empty] = [await engine.createDatabase(), await engine.createDatabase()];
    await open(t, current);
    for (const url of [current, empty])
      await runSql(
        engine.url,
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
      );
    const read = (await open(t, current)).store!;
    assert.equal(await read.accounts.findKeyByHash(new Uint8Array(32)), null, "it is read");
    const account = { id: "a", name: "Ada", plan: "free", standing: "active" } as const;
    await assert.rejects(
      async () => read.accounts.createAccount({ ...account, created_at_ms: 1 }),
      {
        code: "store_unavailable",
        reason: "read_only",
      },
    );
    assert.equal(read.health.failing?.reason, "read_only");
    const { store, problem } = await open(t, empty);
    assert.equal(problem, null);
    assert.equal(store!.health.failing?.reason, "read_only");
    assert.equal(store!.datasets.knowsSecret!(), false);
  },
);
