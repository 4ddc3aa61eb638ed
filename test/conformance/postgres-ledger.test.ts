/** The ledger of PostgreSQL, and what only one that is shared by replicas can suffer. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import type { AdjustableClock } from "#process/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { PostgresLedger } from "#storage/postgres/ledger.ts";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { openStore, type Store } from "../support/postgres-store.ts";
import { apply, assertSums, ledgerSuite, NOW_MS, type OpenedLedger, sample } from "./ledger.ts";
import { sized } from "../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());
const skip = NO_POSTGRES;

ledgerSuite("postgres", { open: openPostgres, runs: sized(5, 15), skip });

type Opened = OpenedLedger & {
  ledger: PostgresLedger;
  store: Store;
  clock: AdjustableClock;
  openOther: () => Promise<PostgresLedger>;
};

async function openPostgres(t: TestContext): Promise<Opened> {
  const store = await openStore(engine);
  t.after(() => store.closeAll());
  const clock = createManualClock(NOW_MS);
  const open = async (): Promise<PostgresLedger> => {
    const ledger = new PostgresLedger(store.openPool(), { clock, time: clock });
    assert.equal(await ledger.start(), true);
    return ledger;
  };
  const countEvents = async (): Promise<number> => {
    const [row] = await store.list("SELECT count(*) AS count FROM usage_event");
    return row!["count"] as number;
  };
  const ledger = await open();
  return { ledger, store, clock, countEvents, reopen: open, openOther: open, end: store.closeAll };
}

test("events applied by another replica are known within a second", { skip }, async (t) => {
  const { ledger, openOther, clock } = await openPostgres(t);
  const other = await openOther();
  const events = Array.from({ length: 40 }, (_, i) => sample(i));
  assert.equal(await apply(other, events.slice(0, 30)), true);
  assert.equal(ledger.unitsOf("a", "2026-11"), 0);
  await clock.advance(1_000);
  await assertSums(ledger, events.slice(0, 30));
  assert.equal(await apply(other, events), true);
  await clock.advance(1_000);
  await assertSums(ledger, events);
  await ledger.close();
  await clock.advance(5_000);
});

test(
  "events that another replica applied already are in the totals at once",
  { skip },
  async (t) => {
    const { ledger, openOther } = await openPostgres(t);
    const events = Array.from({ length: 40 }, (_, i) => sample(i));
    await apply(await openOther(), events.slice(0, 35));
    assert.equal(await apply(ledger, events), true);
    await assertSums(ledger, events);
  },
);

test("totals that a slow transaction raised are not missed", { skip }, async (t) => {
  const { ledger, store, clock } = await openPostgres(t);
  const raise = `INSERT INTO usage_month (account_id, month, units, requests)
    VALUES ($1, '2026-11', 7, 1)`;
  const [slow, quick] = [store.openPool(), store.openPool()];
  await slow.transact(async (query) => {
    await query(raise, ["slow"]);
    await quick.query(raise, ["quick"]);
    await clock.advance(1_000);
    assert.equal(ledger.unitsOf("quick", "2026-11"), 7);
    await quick.query(raise, ["another"]);
    await clock.advance(1_000);
    assert.equal(ledger.unitsOf("slow", "2026-11"), 0);
  });
  await clock.advance(1_000);
  assert.equal(ledger.unitsOf("slow", "2026-11"), 7);
});

test("rows restored from a server with higher change numbers are known", { skip }, async (t) => {
  const { openOther, store, clock } = await openPostgres(t);
  await store.exec(`INSERT INTO usage_month (account_id, month, units, requests, changed)
    VALUES ('a', '2026-11', 7, 1, '9999999')`);
  const ledger = await openOther();
  assert.equal(ledger.unitsOf("a", "2026-11"), 7);
  await apply(ledger, [sample(3)]);
  await clock.advance(1_000);
  assert.equal(ledger.unitsOf("a", "2026-11"), 7 + sample(3).units);
});

test(
  "a new month begins with nothing, and totals of old months are unknown",
  { skip },
  async (t) => {
    const { ledger, clock } = await openPostgres(t);
    assert.equal(
      await apply(ledger, [{ ...sample(1), account_id: "a", units: 5, at_ms: NOW_MS }]),
      true,
    );
    assert.throws(() => ledger.unitsOf("a", "2026-09"), /not known/);
    await clock.advance(Date.UTC(2026, 11, 1) - NOW_MS);
    assert.deepEqual([ledger.unitsOf("a", "2026-12"), ledger.unitsOf("a", "2026-11")], [0, 5]);
    await clock.advance(31 * 86_400_000);
    assert.throws(() => ledger.unitsOf("a", "2026-11"), /not known/);
    assert.equal(ledger.unitsOf("a", "2027-01"), 0);
  },
);

test("replicas that delete at once divide the events among them", { skip }, async (t) => {
  const { ledger, openOther, countEvents } = await openPostgres(t);
  const events = Array.from({ length: 4_000 }, (_, i) => ({ ...sample(i), at_ms: NOW_MS - 1 - i }));
  assert.equal(await apply(ledger, events), true);
  const others = [await openOther(), await openOther()];
  await Promise.all([ledger, ...others].map((each) => each.forget(NOW_MS)));
  await ledger.forget(NOW_MS);
  assert.equal(await countEvents(), 0);
  await assertSums(ledger, events);
});

test(
  "a server that is killed while replicas apply loses and doubles nothing",
  { skip },
  async (t) => {
    const durable = (await startPostgres({ durable: true }))!;
    t.after(() => durable.stop());
    const store = await openStore(durable);
    t.after(() => store.closeAll());
    const clock = createManualClock(NOW_MS);
    const ledgers = [0, 1, 2].map(
      () => new PostgresLedger(store.openPool(), { clock, time: clock }),
    );
    await Promise.all(ledgers.map((ledger) => ledger.start()));
    const events = Array.from({ length: 1_500 }, (_, i) => sample(i));
    let refused = 0;
    let applied = 0;
    const { promise: half, resolve } = Promise.withResolvers<void>();
    const journals = ledgers.map(async (ledger, place) => {
      // Each has some of its neighbour's events as well.
      for (let from = place * 500; from < place * 500 + 600; from += 20) {
        const batch = events.slice(from, from + 20);
        while (!(await apply(ledger, batch))) refused += 1;
        if (++applied === 40) resolve();
      }
    });
    await half;
    await durable.kill();
    await durable.restart();
    await Promise.all(journals);
    t.diagnostic(`${refused} refused`);
    assert.ok(refused > 0, "some were under way");
    await clock.advance(1_000);
    for (const ledger of ledgers) await assertSums(ledger, events);
  },
);

test(
  "a frozen server is reported, and what it applies after thawing counts once",
  { skip },
  async (t) => {
    const { ledger, clock } = await openPostgres(t);
    const events = Array.from({ length: 60 }, (_, i) => sample(i));
    assert.equal(await apply(ledger, events.slice(0, 20)), true);
    engine.freeze();
    t.after(() => engine.thaw());
    const results = await Promise.all([apply(ledger, events.slice(10, 40)), clock.advance(1_000)]);
    assert.equal(results[0], false);
    engine.thaw();
    assert.equal(await apply(ledger, events.slice(10)), true);
    await clock.advance(2_000);
    await assertSums(ledger, events);
  },
);

test("totals are unknown while the store is away, and known afterwards", { skip }, async (t) => {
  const { ledger: first, store, clock } = await openPostgres(t);
  await apply(first, [sample(1)]);
  const late = new PostgresLedger(store.openPool(), { clock, time: clock });
  assert.throws(() => late.unitsOf("b", "2026-11"), /not known/);
  await engine.kill();
  t.after(() => engine.restart());
  assert.equal(await late.start(), false);
  assert.throws(() => late.unitsOf("b", "2026-11"), /not known/);
  assert.equal(await apply(late, [sample(4)]), false);
  await assert.rejects(async () => late.listUsage({ month: "2026-11" }));
  await late.forget(NOW_MS);
  assert.equal(first.unitsOf("b", "2026-11"), sample(1).units, "what was known stays known");
  await engine.restart();
  await clock.advance(1_000);
  await assertSums(late, [sample(1)]);
});
