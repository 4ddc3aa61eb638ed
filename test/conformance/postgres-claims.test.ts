/** Claims of work, and reservations of units, in PostgreSQL. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Reservations, SharedVerdict } from "#ports/reservations.ts";
import { createPostgresClaims } from "#storage/postgres/postgres-claims.ts";
import { PostgresLedger } from "#storage/postgres/ledger.ts";
import { createPostgresReservations } from "#storage/postgres/reservations.ts";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { openStore, type Store } from "../support/postgres-store.ts";
import { claimsSuite } from "./claims.ts";
import { apply, NOW_MS } from "./ledger.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());
const skip = NO_POSTGRES;
const claims_store = skip ? null : await openStore(engine);
after(() => claims_store?.closeAll());

claimsSuite(
  "postgres",
  () => ({
    replicas: [
      createPostgresClaims(claims_store!.openPool()),
      createPostgresClaims(claims_store!.openPool()),
    ],
    pass: (ms) => pause(ms),
  }),
  skip,
);

const WANTED = { account_id: "a", period: "2026-11", units: 3, most: 10 };

async function open(t: TestContext, life_ms?: number) {
  const store = await openStore(engine);
  t.after(() => store.closeAll());
  const clock = createManualClock(NOW_MS);
  const make = () => {
    const pool = store.openPool();
    const own = life_ms === undefined ? {} : { life_ms };
    const ledger = new PostgresLedger(pool, { clock, time: clock });
    return {
      ledger,
      reservations: createPostgresReservations(pool, { newEventId: randomUUID, ...own }),
    };
  };
  return { store, one: make(), two: make() };
}

function granted(verdict: SharedVerdict | null) {
  return verdict?.granted ? verdict : assert.fail(JSON.stringify(verdict));
}

async function leftIn(reservations: Reservations): Promise<number> {
  const verdict = await reservations.reserve({ ...WANTED, units: 1_000 });
  return verdict?.left ?? assert.fail("the store is away");
}

const countHeld = async (store: Store): Promise<unknown> =>
  (await store.list("SELECT count(*) AS count FROM usage_reservation"))[0]!["count"];

test("replicas that reserve at once are granted what is left, and no more", { skip }, async (t) => {
  const { one, two } = await open(t);
  const crowd = Array.from({ length: 60 }, (_, n) =>
    (n % 2 === 0 ? one : two).reservations.reserve(WANTED),
  );
  const verdicts = await Promise.all(crowd);
  assert.equal(verdicts.filter((each) => each?.granted).length, 3);
  assert.equal(await leftIn(two.reservations), 1);
  assert.equal(await leftIn(one.reservations), 1, "another replica");
  const other = await one.reservations.reserve({ ...WANTED, account_id: "b" });
  assert.equal(granted(other).left, 10, "another account");
});

test(
  "the ledger ends a reservation as it counts its event, which then counts once",
  { skip },
  async (t) => {
    const { store, one, two } = await open(t);
    const { reservation } = granted(await one.reservations.reserve(WANTED));
    const event = {
      event_id: reservation.event_id,
      account_id: "a",
      key_id: "k",
      operation: "geocode",
      units: 3,
      at_ms: NOW_MS,
    };
    assert.equal(await apply(one.ledger, [event]), true);
    assert.equal(await countHeld(store), 0);
    assert.equal(await leftIn(two.reservations), 7);
    const today = { ...WANTED, period: "2026-11-21", units: 7 };
    assert.equal(granted(await two.reservations.reserve(today)).left, 7, "of the day");
    const tomorrow = { ...WANTED, period: "2026-11-22", units: 3 };
    assert.equal(
      granted(await two.reservations.reserve(tomorrow)).left,
      3,
      "what is under way counts",
    );
  },
);

test(
  "a price that is known changes what is reserved, and nothing gives it back",
  { skip },
  async (t) => {
    const { store, one, two } = await open(t);
    const { reservation } = granted(await one.reservations.reserve(WANTED));
    reservation.settle(5);
    while ((await leftIn(two.reservations)) !== 5) await pause(5);
    reservation.settle(0);
    while ((await leftIn(two.reservations)) !== 10) await pause(5);
    assert.equal(await countHeld(store), 0);
  },
);

test("what a replica that was killed had reserved comes back by itself", { skip }, async (t) => {
  const { store, one, two } = await open(t, 300);
  granted(await one.reservations.reserve(WANTED));
  assert.equal(await leftIn(two.reservations), 7);
  await pause(400);
  assert.equal(await leftIn(two.reservations), 10);
  granted(await one.reservations.reserve({ ...WANTED, account_id: "b" }));
  await pause(400);
  await one.ledger.forget(0);
  assert.equal(await countHeld(store), 0, "also of accounts that ask no more");
});

test("a store that is away grants nothing", { skip }, async (t) => {
  const { one } = await open(t);
  await engine.kill();
  t.after(() => engine.restart());
  assert.equal(await one.reservations.reserve(WANTED), null);
  const claims = createPostgresClaims({
    query: () => Promise.reject(new Error("away")),
    noteDefect: assert.ifError,
  });
  assert.equal(await claims.claim(new Uint8Array([1]), 1_000), "unreachable");
});
