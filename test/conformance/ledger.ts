/** What every Ledger holds (src/storage/usage/usage-ledger.ts): an event counts once, however often it comes. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { dayOf, monthOf } from "#core/metering/metering-periods.ts";
import type { UsageEvent, UsageRow } from "#ports.ts";
import { joinEvents, type Ledger, writeEvents } from "#storage/usage/usage-ledger.ts";

/**
 * `reopen`: the same one after a restart; `openOther`: another one over the same store at the same
 * time, where the store allows it. `countEvents`: how many single events are kept. `end`: before the
 * test does, for those that open many.
 */
export type OpenedLedger = {
  ledger: Ledger;
  countEvents(): Promise<number>;
  reopen?: () => Promise<Ledger>;
  openOther?: () => Promise<Ledger>;
  end?: () => Promise<void>;
};

export type OpenLedger = (t: TestContext) => OpenedLedger | Promise<OpenedLedger>;

/** The time on the ledger's clock: months long before may be unknown to it. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12);
const MONTHS = ["2026-10", "2026-11", "2026-12"];
const ACCOUNTS = ["a", "b"];
const EVENT: UsageEvent = {
  event_id: "0",
  account_id: "a",
  key_id: "key",
  operation: "getNearby",
  units: 3,
  at_ms: NOW_MS,
};

/** `skip`: false, or why it cannot run here. */
export function ledgerSuite(
  name: string,
  options: { open: OpenLedger; runs: number; skip?: string | false },
): void {
  const { open, runs, skip = false } = options;
  const check = (what: string, run: (t: TestContext) => Promise<void>): void =>
    void test(`${name}: ${what}`, { skip }, run);

  check("empty at first", async (t) => {
    const { ledger } = await open(t);
    assert.equal(ledger.unitsOf("a", "2026-11"), 0);
    assert.deepEqual(await ledger.listUsage({ month: "2026-11" }), []);
    assert.equal(await apply(ledger, []), true);
  });

  check("applied events are listed and counted at once", async (t) => {
    const { ledger } = await open(t);
    assert.equal(await apply(ledger, [EVENT]), true);
    assert.equal(ledger.unitsOf("a", "2026-11"), 3);
    const { account_id, key_id, operation } = EVENT;
    const row = { account_id, key_id, operation, day: "2026-11-21", units: 3, requests: 1 };
    assert.deepEqual(await ledger.listUsage({ month: "2026-11" }), [row]);
  });

  check("a repeated batch changes nothing, whether whole, in part or twice at once", async (t) => {
    const { ledger } = await open(t);
    const events = Array.from({ length: 200 }, (_, i) => sample(i));
    assert.equal(await apply(ledger, events.slice(0, 120)), true);
    const again = [events.slice(0, 120), events.slice(60), events, events.toReversed()];
    const applied = await Promise.all(again.map((batch) => apply(ledger, batch)));
    assert.deepEqual(applied, [true, true, true, true]);
    await assertSums(ledger, events);
  });

  check("of two events with one id in a batch the first counts", async (t) => {
    const { ledger } = await open(t);
    const batch = [sample(1), EVENT, { ...EVENT, units: 50 }, { ...EVENT, account_id: "b" }];
    assert.equal(await apply(ledger, batch), true);
    await assertSums(ledger, [sample(1), EVENT]);
  });

  check("days and months end at midnight UTC, and free replies count as replies", async (t) => {
    const { ledger } = await open(t);
    const end = Date.UTC(2026, 11, 1);
    const [last, first] = [end - 1, end].map((at_ms) => ({
      ...EVENT,
      event_id: `${at_ms}`,
      at_ms,
    }));
    assert.equal(await apply(ledger, [last!, { ...first!, units: 0 }]), true);
    assert.deepEqual(
      MONTHS.map((month) => ledger.unitsOf("a", month)),
      [0, 3, 0],
    );
    const days = await Promise.all(MONTHS.map(async (month) => ledger.listUsage({ month })));
    assert.deepEqual(
      days.flat().map(({ day, units, requests }) => [day, units, requests]),
      [
        ["2026-11-30", 3, 1],
        ["2026-12-01", 0, 1],
      ],
    );
  });

  check("an event may be the sum of several replies", async (t) => {
    const { ledger } = await open(t);
    const batch = [EVENT, { ...EVENT, event_id: "1", requests: 40, units: 41 }];
    assert.equal(await apply(ledger, batch), true);
    assert.equal(await apply(ledger, batch), true);
    await assertSums(ledger, batch);
    assert.equal((await ledger.listUsage({ month: "2026-11" }))[0]!.requests, 41);
  });

  check("anonymous use is listed under no account and no key, apart from others", async (t) => {
    const { ledger } = await open(t);
    const anonymous = { ...EVENT, account_id: null, key_id: null };
    const events = [
      anonymous,
      { ...EVENT, event_id: "1" },
      { ...EVENT, event_id: "2", key_id: null },
    ];
    assert.equal(await apply(ledger, events), true);
    const list = async (key_id?: string): Promise<unknown[]> => {
      const rows = await ledger.listUsage({ month: "2026-11", ...(key_id && { key_id }) });
      return rows.map((row) => [row.account_id, row.key_id]);
    };
    assert.deepEqual(await list(), [
      [null, null],
      ["a", null],
      ["a", "key"],
    ]);
    assert.deepEqual(await list("key"), [["a", "key"]]);
    assert.deepEqual(await list("unknown"), []);
    assert.equal(ledger.unitsOf("a", "2026-11"), 6);
  });

  check("events before a time are deleted, and their totals stay", async (t) => {
    const { ledger, countEvents } = await open(t);
    const events = Array.from({ length: 1_300 }, (_, i) => ({ ...sample(i), at_ms: NOW_MS - i }));
    assert.equal(await apply(ledger, events), true);
    const forgotten = ledger.forget(NOW_MS);
    const late = { ...EVENT, event_id: "while others are being forgotten" };
    assert.equal(await apply(ledger, [late]), true);
    await forgotten;
    assert.equal(await countEvents(), 2, "the one of that very millisecond, and the late one");
    await ledger.forget(0);
    assert.equal(await countEvents(), 2);
    await assertSums(ledger, [...events, late]);
  });

  check("totals are the sums of distinct events, across ledgers and restarts", async (t) => {
    const seen = { batches: 0, replays: 0, restarts: 0, events: 0 };
    await fc.assert(
      fc.asyncProperty(histories(), async (steps) => {
        const opened = await open(t);
        const ledgers = [opened.ledger];
        if (opened.openOther) ledgers.push(await opened.openOther(), await opened.openOther());
        const cache = new Map<number, UsageEvent>();
        for (const { batches, restart } of steps) {
          const applied = batches.map((ids, i) =>
            apply(ledgers[i % ledgers.length]!, ids.map(sample)),
          );
          assert.ok(
            (await Promise.all(applied)).every(Boolean),
            "no replica waits for one that is waiting",
          );
          seen.batches += batches.length;
          seen.replays += batches.flat().filter((id) => cache.has(id)).length;
          for (const id of batches.flat()) cache.set(id, sample(id));
          if (restart && opened.reopen) {
            ledgers[0] = await opened.reopen();
            seen.restarts += 1;
            await assertSums(ledgers[0], [...cache.values()]);
          }
        }
        seen.events += cache.size;
        const fresh = (await opened.reopen?.()) ?? opened.ledger;
        await assertSums(fresh, [...cache.values()]);
        assert.equal(await opened.countEvents(), cache.size);
        await opened.end?.();
      }),
      { numRuns: runs },
    );
    t.diagnostic(JSON.stringify(seen));
    assert.ok(seen.replays > runs, "replays were tried");
  });

  check("a closed ledger accepts nothing more and keeps what it had accepted", async (t) => {
    const { ledger, reopen } = await open(t);
    const events = Array.from({ length: 100 }, (_, i) => sample(i));
    const taken = apply(ledger, events);
    await ledger.close();
    assert.equal(await taken, true);
    assert.equal(await apply(ledger, [EVENT]), false);
    if (reopen) await assertSums(await reopen(), events);
  });
}

/** As the journal hands them over, each written by itself. */
export function apply(ledger: Ledger, events: readonly UsageEvent[]): Promise<boolean> {
  const text = joinEvents(events.map((event) => writeEvents([event])));
  return ledger.apply(text, () => undefined);
}

/** The bank's rule: rows are the sums of events by key, operation and day; accounts by month. */
export async function assertSums(ledger: Ledger, events: readonly UsageEvent[]): Promise<void> {
  for (const month of MONTHS) {
    const own_events = events.filter(({ at_ms }) => monthOf(at_ms) === month);
    const sums = new Map<string, UsageRow>();
    for (const { account_id, key_id, operation, at_ms, units, requests = 1 } of own_events) {
      const place = { account_id, key_id, operation, day: dayOf(at_ms) };
      const row = sums.get(orderOf(place)) ?? { ...place, units: 0, requests: 0 };
      sums.set(orderOf(place), row);
      row.units += units;
      row.requests += requests;
    }
    const expected = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    assert.deepEqual(await ledger.listUsage({ month }), expected);
    for (const id of ACCOUNTS)
      assert.equal(
        ledger.unitsOf(id, month),
        own_events.reduce((sum, event) => sum + (event.account_id === id ? event.units : 0), 0),
        `${id} in ${month}`,
      );
  }
  assertDays(ledger, events);
}

/** Days that every ledger knows: today and yesterday. */
function assertDays(ledger: Ledger, events: readonly UsageEvent[]): void {
  for (const at_ms of [NOW_MS - DAY_MS, NOW_MS])
    for (const id of ACCOUNTS)
      assert.equal(
        ledger.unitsOf(id, dayOf(at_ms)),
        events.reduce(
          (sum, event) =>
            sum +
            (event.account_id === id && dayOf(event.at_ms) === dayOf(at_ms) ? event.units : 0),
          0,
        ),
        `${id} on ${dayOf(at_ms)}`,
      );
}

const DAY_MS = 86_400_000;

function orderOf({ day, account_id, key_id, operation }: Omit<UsageRow, "units" | "requests">) {
  return [day, account_id ?? "", key_id ?? "", operation].join("\u0000");
}

/** The event of an id is always the same: a replay brings nothing new. */
export function sample(id: number): UsageEvent {
  const account_id = (["a", "b", null] as const)[id % 3]!;
  return {
    event_id: `event ${id}`,
    account_id,
    key_id: account_id === null ? null : `${account_id}${id % 2}`,
    operation: (["getNearby", "geocode"] as const)[(id >> 1) % 2]!,
    units: id % 7,
    ...(id % 5 === 0 && { requests: (id % 3) + 1 }),
    at_ms: Date.UTC(2026, 10, 1) + ((id * 37) % 61) * 43_200_000 - 86_400_000,
  };
}

type Step = { batches: number[][]; restart: boolean };

/** The batches of a step go at once. */
function histories(): fc.Arbitrary<Step[]> {
  const batch = fc.array(fc.nat(80), { maxLength: 30 });
  const step = fc.record({
    batches: fc.array(batch, { minLength: 1, maxLength: 6 }),
    restart: fc.boolean(),
  });
  return fc.array(step, { minLength: 1, maxLength: 4 });
}
