/** The checker of usage finds what is lost, invented, doubled or badly summed (reliability 3.6). */
import { test } from "node:test";
import { type Attempt, checkUsage, type Stored } from "../check/usage.ts";
import { assertFound, assertKept } from "./support.ts";

const DAY_MS = Date.UTC(2026, 10, 30);

/** Two acknowledged, one of two unknown ones stored, one refused: as tight as a history may be. */
const ATTEMPTS: Attempt[] = [
  { key_id: "key_a", units: 1, outcome: "acked" },
  { key_id: "key_a", units: 2, outcome: "acked" },
  { key_id: "key_a", units: 1, outcome: "unknown" },
  { key_id: "key_b", units: 1, outcome: "unknown" },
  { key_id: "key_b", units: 5, outcome: "refused" },
];

function stored(): Stored & { events: object[]; days: object[]; months: object[] } {
  const of = { account_id: "acc_1", key_id: "key_a" };
  return {
    events: [
      { event_id: "1", ...of, units: 1, requests: 1, at_ms: DAY_MS },
      { event_id: "2", ...of, units: 2, requests: 1, at_ms: DAY_MS + 86_400_000 },
      { event_id: "3", ...of, units: 1, requests: 1, at_ms: DAY_MS + 86_400_000 },
      // Without a key: in the totals of days, and in none of months.
      { event_id: "4", account_id: "", key_id: "", units: 1, requests: 1, at_ms: DAY_MS },
    ],
    days: [
      { day: "2026-11-30", ...of, units: 1, requests: 1 },
      { day: "2026-12-01", ...of, units: 3, requests: 2 },
      { day: "2026-11-30", account_id: "", key_id: "", units: 1, requests: 1 },
    ],
    months: [
      { month: "2026-11", account_id: "acc_1", units: 1, requests: 1 },
      { month: "2026-12", account_id: "acc_1", units: 3, requests: 2 },
    ],
  };
}

test("acknowledged, and some of the unknown, is what is stored", () => {
  assertKept(checkUsage(ATTEMPTS, stored()));
});

type Planted = [name: string, change: (history: ReturnType<typeof stored>) => void, RegExp];

const PLANTED: Planted[] = [
  [
    "an acknowledged event is gone, of the totals too",
    lose,
    /key_a: 1 acknowledged units are lost/,
  ],
  ["units that no request asked for", invent, /key_b: 1 units that no request asked for/],
  ["an event twice", repeat, /stored twice|units that no request|total of the/],
  [
    "a total of a day that is too high",
    (all) => raise(all.days[1]!),
    /total of the day 2026-12-01/,
  ],
  ["a total of a month that is too high", (all) => raise(all.months[0]!), /of the month 2026-11/],
  [
    "a total of a day that is missing",
    (all) => void all.days.shift(),
    /of the day 2026-11-30.*nothing/,
  ],
  ["a total of a month of nothing", ghost, /of the month 2026-10.*events of nothing/],
  ["requests that do not add up", (all) => void (all.days[1]!.requests = 1), /3 units, 1 requests/],
];

for (const [name, change, pattern] of PLANTED)
  test(`found: ${name}`, () => {
    const history = stored();
    change(history);
    assertFound(checkUsage(ATTEMPTS, history), pattern);
  });

type History = ReturnType<typeof stored>;

/** Two of the three events: three units were acknowledged. */
function lose({ events, days, months }: History): void {
  (events as unknown[]).splice(1, 1);
  Object.assign(days[1]!, { units: 1, requests: 1 });
  Object.assign(months[1]!, { units: 1, requests: 1 });
}

function invent({ events, days, months }: History): void {
  const of = { account_id: "acc_1", key_id: "key_b" };
  (events as unknown[]).push({ event_id: "9", ...of, units: 2, requests: 1, at_ms: DAY_MS });
  (days as unknown[]).push({ day: "2026-11-30", ...of, units: 2, requests: 1 });
  Object.assign(months[0]!, { units: 3, requests: 2 });
}

function repeat({ events }: History): void {
  (events as unknown[]).push({ ...events[0] });
}

function raise(row: { units: number }): void {
  row.units += 1;
}

function ghost({ months }: History): void {
  (months as unknown[]).push({ month: "2026-10", account_id: "acc_1", units: 1, requests: 1 });
}
