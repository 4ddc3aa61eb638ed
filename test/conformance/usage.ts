/** What every Usage holds (src/ports.ts): totals are the sums of their events, whatever happens. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { dayOf, monthOf } from "#core/metering/metering-periods.ts";
import type { Usage, UsageEvent, UsageRow } from "#ports.ts";

/** `open` gives a fresh one; `reopen` the same one after a restart, where there is one. */
export type OpenedUsage = { usage: Usage; reopen?: () => Promise<Usage> };

/** More than are moved to a ledger at once. */
const MANY = 10_050;
const NOW_MS = Date.UTC(2026, 10, 21, 12);
const EVENT: UsageEvent = {
  event_id: "0",
  account_id: "acc",
  key_id: "key",
  operation: "getNearby",
  units: 3,
  at_ms: NOW_MS,
};

export function usageSuite(
  name: string,
  { open, runs }: { open: (t: TestContext) => OpenedUsage; runs: number },
): void {
  test(`${name}: empty at first`, async (t) => {
    const { usage } = open(t);
    assert.equal(usage.unitsOf("acc", "2026-11"), 0);
    assert.deepEqual(await usage.listUsage({ month: "2026-11" }), []);
  });

  test(`${name}: a recorded event counts at once and is listed`, async (t) => {
    const { usage } = open(t);
    assert.equal(usage.record([EVENT]), true);
    assert.equal(usage.unitsOf("acc", "2026-11"), 3);
    const { account_id, key_id, operation } = EVENT;
    const row = { account_id, key_id, operation, day: "2026-11-21", units: 3, requests: 1 };
    assert.deepEqual(await usage.listUsage({ month: "2026-11" }), [row]);
  });

  test(`${name}: an event that is recorded again counts once, also at once`, async (t) => {
    const { usage } = open(t);
    const first = [usage.record([EVENT]), usage.record([{ ...EVENT }]), usage.record([EVENT])];
    assert.deepEqual(first, [true, true, true]);
    await usage.listUsage({ month: "2026-11" });
    assert.equal(usage.record([EVENT]), true);
    assert.deepEqual(
      (await usage.listUsage({ month: "2026-11" })).map(({ units, requests }) => [units, requests]),
      [[3, 1]],
    );
    assert.equal(usage.unitsOf("acc", "2026-11"), 3);
  });

  test(`${name}: days and months end at midnight UTC, and free replies are counted as replies`, async (t) => {
    const { usage } = open(t);
    const end = Date.UTC(2026, 11, 1);
    usage.record([{ ...EVENT, event_id: "1", at_ms: end - 1 }]);
    usage.record([{ ...EVENT, event_id: "2", at_ms: end, units: 0 }]);
    assert.deepEqual(
      ["2026-11", "2026-12", "2026-11-30", "2026-12-01"].map((period) =>
        usage.unitsOf("acc", period),
      ),
      [3, 0, 3, 0],
    );
    const days = [
      ...(await usage.listUsage({ month: "2026-11" })),
      ...(await usage.listUsage({ month: "2026-12" })),
    ];
    assert.deepEqual(
      days.map(({ day, units, requests }) => [day, units, requests]),
      [
        ["2026-11-30", 3, 1],
        ["2026-12-01", 0, 1],
      ],
    );
  });

  test(`${name}: anonymous use is listed under no account and no key`, async (t) => {
    const { usage } = open(t);
    usage.record([{ ...EVENT, account_id: null, key_id: null }]);
    usage.record([{ ...EVENT, event_id: "1" }]);
    assert.deepEqual(
      (await usage.listUsage({ month: "2026-11" })).map(({ account_id, key_id }) => [
        account_id,
        key_id,
      ]),
      [
        [null, null],
        ["acc", "key"],
      ],
    );
    assert.equal((await usage.listUsage({ month: "2026-11", key_id: "key" })).length, 1);
    assert.deepEqual(await usage.listUsage({ month: "2026-11", key_id: "unknown" }), []);
  });

  test(`${name}: totals are the sums of what was recorded, over replays and restarts`, async (t) => {
    const seen = { events: 0, replays: 0, restarts: 0 };
    await fc.assert(
      fc.asyncProperty(histories(), async (steps) => {
        const opened = open(t);
        let { usage } = opened;
        const cache = new Map<string, UsageEvent>();
        for (const { events, restart, together } of steps) {
          for (const group of together ? [events] : events.map((event) => [event]))
            assert.equal(usage.record(group), true);
          seen.events += events.length;
          seen.replays += events.length;
          if (restart && opened.reopen) {
            usage = await opened.reopen();
            seen.restarts += 1;
          }
          seen.replays += cache.size;
          for (const event of events) cache.set(event.event_id, event);
          seen.replays -= cache.size;
          await assertSums(usage, [...cache.values()]);
        }
        await usage.close();
      }),
      { numRuns: runs },
    );
    t.diagnostic(JSON.stringify(seen));
    assert.ok(seen.replays > runs, "replays were tried");
  });

  test(`${name}: thousands of events at one moment are all kept, and so are later ones`, async (t) => {
    const { usage } = open(t);
    const many = Array.from({ length: MANY }, (_, i) => sample(i));
    for (const event of many) assert.equal(usage.record([event]), true);
    await assertSums(usage, many);
    assert.equal(usage.record([sample(MANY)]), true);
    await assertSums(usage, [...many, sample(MANY)]);
  });

  test(`${name}: the order of events does not matter`, async (t) => {
    const events = Array.from({ length: 300 }, (_, i) => sample(i));
    const lists: UsageRow[][] = [];
    for (const ordered of [events, events.toReversed()]) {
      const { usage } = open(t);
      for (const event of ordered) usage.record([event]);
      lists.push(await usage.listUsage({ month: "2026-11" }));
      await usage.close();
    }
    assert.deepEqual(lists[0], lists[1]);
    assert.ok(lists[0]!.length > 10);
  });
}

/** The bank's rule: rows are the sums of events by key, operation and day; accounts by month. */
async function assertSums(usage: Usage, events: readonly UsageEvent[]): Promise<void> {
  for (const month of ["2026-10", "2026-11", "2026-12"]) {
    const own_events = events.filter(({ at_ms }) => monthOf(at_ms) === month);
    const rows = await usage.listUsage({ month });
    for (const row of rows) {
      const part = own_events.filter(
        ({ account_id, key_id, operation, at_ms }) =>
          account_id === row.account_id &&
          key_id === row.key_id &&
          operation === row.operation &&
          dayOf(at_ms) === row.day,
      );
      assert.deepEqual([row.units, row.requests], [sum(part), part.length]);
    }
    assert.equal(sum(rows), sum(own_events));
    for (const id of ["a", "b"])
      assert.equal(usage.unitsOf(id, month), unitsIn(own_events, id, month));
    for (const day of new Set(own_events.map(({ at_ms }) => dayOf(at_ms))))
      for (const id of ["a", "b"])
        assert.equal(
          usage.unitsOf(id, day),
          sum(own_events.filter((each) => each.account_id === id && dayOf(each.at_ms) === day)),
        );
  }
}

function unitsIn(events: readonly UsageEvent[], id: string, month = "2026-11"): number {
  return sum(
    events.filter(({ account_id, at_ms }) => account_id === id && monthOf(at_ms) === month),
  );
}

function sum(items: readonly { units: number }[]): number {
  return items.reduce((total, { units }) => total + units, 0);
}

/** The event of an id is always the same: a replay brings nothing new. */
function sample(id: number): UsageEvent {
  const account_id = (["a", "b", null] as const)[id % 3]!;
  return {
    event_id: `event ${id}`,
    account_id,
    key_id: account_id === null ? null : `${account_id}${id % 2}`,
    operation: (["getNearby", "geocode"] as const)[(id >> 1) % 2]!,
    units: id % 7,
    at_ms: Date.UTC(2026, 10, 1) + ((id * 37) % 61) * 43_200_000 - 86_400_000,
  };
}

type Step = { events: UsageEvent[]; together: boolean; restart: boolean };

function histories(): fc.Arbitrary<Step[]> {
  const step = fc.record({
    events: fc.array(fc.nat(60).map(sample), { minLength: 1, maxLength: 40 }),
    together: fc.boolean(),
    restart: fc.boolean(),
  });
  return fc.array(step, { minLength: 3, maxLength: 6, size: "max" });
}
