/** The state of a place from all that its source says of its hours (docs/design/places.md, "Usable now"). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { OpenState } from "#hours/hours.ts";
import { type Opening, openStateOf, toDays } from "#core/places/opening.ts";

const HOUR_MS = 3_600_000;
const AT_MS = 100 * HOUR_MS;
const NOW = { at_ms: AT_MS, is_now: true };
const THEN = { at_ms: AT_MS, is_now: false };
const UNKNOWN: OpenState = { state: "unknown", until_ms: null, rule: null, holidays_known: true };

/** Hours that are open in every even hour and closed in every odd one; an opening without text has none. */
function everyOther({ text }: Opening, at_ms: number): OpenState | null {
  if (text === undefined) return null;
  const hour = Math.floor(at_ms / HOUR_MS);
  const state = hour % 2 === 0 ? "open" : "closed";
  return { state, until_ms: (hour + 1) * HOUR_MS, rule: text, holidays_known: true };
}

const stateOf = (opening: Opening | undefined, moment = THEN) =>
  openStateOf(opening, moment, everyOther);

test("hours decide; without hours, and without readable ones, nothing is known", () => {
  const open = { state: "open", until_ms: 101 * HOUR_MS, rule: "x", holidays_known: true };
  assert.deepEqual(stateOf({ text: "x" }), open);
  assert.deepEqual(stateOf(undefined), UNKNOWN);
  assert.deepEqual(stateOf({}), UNKNOWN);
});

test("what a source says of now decides now, and at no other time", () => {
  const closed: Opening = { text: "x", now: { state: "closed", until_ms: null } };
  assert.deepEqual(stateOf(closed, NOW), { ...UNKNOWN, state: "closed" });
  assert.equal(stateOf(closed, THEN).state, "open");
  const open: Opening = { text: "x", now: { state: "open", until_ms: null } };
  assert.deepEqual(stateOf(open, NOW), everyOther(open, AT_MS), "its hours say until when");
  const sooner: Opening = { ...open, now: { state: "open", until_ms: AT_MS + 1 } };
  assert.equal(stateOf(sooner, NOW).until_ms, AT_MS + 1);
  const over: Opening = { text: "x", now: { state: "closed", until_ms: AT_MS } };
  assert.equal(stateOf(over, NOW).state, "open", "what has ended says nothing");
  assert.deepEqual(stateOf({ now: { state: "closed", until_ms: null } }, THEN), UNKNOWN);
});

test("an exception goes before the hours, and ends their state where it begins", () => {
  const span = (state: "open" | "closed", from: number, until: number) => ({
    ...{ state, from_ms: from * HOUR_MS, until_ms: until * HOUR_MS },
  });
  const closed = { text: "x", exceptions: [span("closed", 99, 102)] };
  assert.deepEqual(stateOf(closed), { ...UNKNOWN, state: "closed", until_ms: 102 * HOUR_MS });
  const longer = { text: "x", exceptions: [span("closed", 99, 103)] };
  assert.equal(stateOf(longer).until_ms, 104 * HOUR_MS, "the hours keep it closed after it");
  const later = { text: "x", exceptions: [span("closed", 100.5, 103)] };
  assert.deepEqual([stateOf(later).state, stateOf(later).until_ms], ["open", 100.5 * HOUR_MS]);
  const same = { text: "x", exceptions: [span("open", 100.5, 103)] };
  assert.deepEqual([stateOf(same).state, stateOf(same).until_ms], ["open", 103 * HOUR_MS]);
  const beyond = { text: "x", exceptions: [span("closed", 102, 103)] };
  assert.equal(stateOf(beyond).until_ms, 101 * HOUR_MS);
  assert.equal(stateOf({ exceptions: [span("open", 99, 101)] }).state, "open");
  const unknown = stateOf({ exceptions: [span("open", 104, 105)] });
  assert.deepEqual([unknown.state, unknown.until_ms], ["unknown", 104 * HOUR_MS]);
});

type Spans = readonly (readonly [state: "open" | "closed", from: number, until: number])[];
const LAYERED: readonly [
  string,
  text: string | undefined,
  Spans,
  state: string,
  until: number | null,
][] = [
  [
    "a closing inside an opening",
    "x",
    [
      ["open", 98, 104],
      ["closed", 101, 102],
    ],
    "open",
    101,
  ],
  [
    "within that closing",
    "x",
    [
      ["open", 98, 104],
      ["closed", 100, 101],
    ],
    "closed",
    101,
  ],
  [
    "the order of the list says nothing",
    "x",
    [
      ["closed", 101, 102],
      ["open", 98, 104],
    ],
    "open",
    101,
  ],
  [
    "closings next to each other",
    "x",
    [
      ["closed", 99, 101],
      ["closed", 101, 102],
    ],
    "closed",
    102,
  ],
  [
    "closings that overlap",
    "x",
    [
      ["closed", 99, 101],
      ["closed", 100.5, 103],
    ],
    "closed",
    104,
  ],
  [
    "openings next to each other",
    "x",
    [
      ["open", 99, 101],
      ["open", 101, 103],
    ],
    "open",
    103,
  ],
  ["an opening until the hours open", "x", [["open", 99.5, 102]], "open", 103],
  ["a closing that ends where nothing is known", undefined, [["closed", 99, 101]], "closed", null],
  [
    "an opening cut by a closing, and no hours",
    undefined,
    [
      ["open", 99, 105],
      ["closed", 102, 103],
    ],
    "open",
    102,
  ],
];

for (const [name, text, spans, state, until] of LAYERED)
  test(`exceptions are layered, then asked: ${name}`, () => {
    const exceptions = spans.map(([each, from, end]) => ({
      ...{ state: each, from_ms: from * HOUR_MS, until_ms: end * HOUR_MS },
    }));
    const result = stateOf({ ...(text === undefined ? {} : { text }), exceptions });
    assert.deepEqual(
      [result.state, result.until_ms === null ? null : result.until_ms / HOUR_MS],
      [state, until],
    );
  });

test("states and ends equal those of a walk through every minute, and are found in bounded steps", () => {
  const spans = fc.array(
    fc.tuple(fc.constantFrom("open" as const, "closed" as const), fc.nat(600), fc.nat(300)),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(spans, (list) => {
      const minute_ms = 60_000;
      const exceptions = list.map(([state, from, length]) => ({
        ...{ state, from_ms: AT_MS + (from - 200) * minute_ms },
        until_ms: AT_MS + (from - 200 + length + 1) * minute_ms,
      }));
      const opening = { text: "x", exceptions };
      const stateAt = (at_ms: number): string => {
        const here = exceptions.filter((each) => each.from_ms <= at_ms && at_ms < each.until_ms);
        if (here.length === 0) return everyOther(opening, at_ms)!.state;
        return here.some(({ state }) => state === "closed") ? "closed" : "open";
      };
      const result = stateOf(opening);
      assert.equal(result.state, stateAt(AT_MS));
      let end_ms = AT_MS;
      while (stateAt(end_ms) === result.state) end_ms += minute_ms;
      assert.equal(result.until_ms, end_ms);
    }),
  );
  const many = Array.from({ length: 200 }, (_, n) => ({
    ...{ state: "closed" as const, from_ms: AT_MS + n, until_ms: AT_MS + n + 1 },
  }));
  assert.deepEqual(stateOf({ text: "x", exceptions: many }).state, "closed");
});

test("a period is split into days, and every minute of it is in one of them", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 1_439 }),
      fc.integer({ min: 1, max: 7 * 1_440 }),
      (day, from, length) => {
        const days = toDays(day, from, from + length)!;
        const minutes = days.reduce((sum, each) => sum + each.to_min - each.from_min, 0);
        assert.equal(minutes, length);
        for (const [at, each] of days.entries()) {
          assert.equal(each.day, (day + at) % 7);
          assert.ok(each.from_min >= 0 && each.from_min < each.to_min && each.to_min <= 1_440);
          assert.equal(each.from_min, at === 0 ? from : 0);
        }
      },
    ),
  );
  for (const [day, from, to] of [
    ...[[7, 0, 60] as const, [-1, 0, 60] as const, [0.5, 0, 60] as const, [0, 60, 60] as const],
    ...[[0, -1, 60] as const, [0, 1_440, 1_500] as const, [0, 0, 10_081] as const],
    [NaN, 0, 60] as const,
  ])
    assert.equal(toDays(day, from, to), null, `${day} ${from} ${to}`);
});
