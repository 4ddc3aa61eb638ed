/** Laws that the evaluation of opening hours keeps for every value, place and moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHoursMemory, evaluateHours, type HoursPlace, parseHours } from "../hours.ts";
import { createDice } from "../../../trials/dice.ts";
import { sized } from "../../../test/support/size.ts";
import { CASES } from "./cases.ts";
import { attempt } from "./mutations.ts";

const PLACES: readonly HoursPlace[] = [
  { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE" },
  { lat: 69.65, lon: 18.96, time_zone: "Europe/Oslo", country: "NO" },
  { lat: -31.55, lon: 159.08, time_zone: "Australia/Lord_Howe", country: "AU" },
  { lat: 40.71, lon: -73.74, time_zone: "America/New_York", country: "US" },
  { lat: -18.14, lon: 178.44, time_zone: "Pacific/Fiji", country: "FJ" },
  { lat: 27.7, lon: 85.32, time_zone: "Asia/Kathmandu", country: "NP" },
];
const BEGIN_MS = Date.UTC(2026, 0, 1);
const END_MS = Date.UTC(2028, 0, 1);
/** Clocks change in Berlin, New York and on Lord Howe, and a year ends. */
const EDGES_MS = [
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 2, 8, 7),
  Date.UTC(2026, 10, 1, 6),
  Date.UTC(2026, 3, 4, 15),
  Date.UTC(2026, 9, 3, 15, 30),
  Date.UTC(2027, 0, 1),
];
const TEXTS = [...new Set(CASES.map(([text]) => text))];

/** Some moments at each place for every value. */
function* questions(count: number): Generator<[text: string, place: HoursPlace, at_ms: number]> {
  for (const [index, text] of TEXTS.entries()) {
    const dice = createDice(7, index);
    for (const place of PLACES)
      for (let i = 0; i < count; i++) {
        const near = dice.pick(EDGES_MS) + dice.integer(-86_400_000, 86_400_000);
        yield [text, place, i % 3 === 0 ? near : dice.integer(BEGIN_MS, END_MS)];
      }
  }
}

test("a state holds until the moment that is given, and not at that moment", () => {
  const dice = createDice(8);
  let changes = 0;
  for (const [text, place, at_ms] of questions(sized(2, 6))) {
    const hours = parseHours(text)!;
    const at = (ms: number) => evaluateHours(hours, ms, place, createHoursMemoryOf(place));
    const { state, until_ms } = at(at_ms);
    if (until_ms === null) continue;
    changes += 1;
    const where = `${text} ${place.time_zone} ${new Date(at_ms).toISOString()}`;
    assert.ok(until_ms > at_ms, where);
    assert.notEqual(at(until_ms).state, state, `${where}: at the end`);
    assert.equal(at(until_ms - 1).state, state, `${where}: just before`);
    for (let i = 0; i < 6; i++) {
      const between = at(dice.integer(at_ms, until_ms - 1));
      assert.equal(between.state, state, `${where}: in between`);
      assert.equal(between.until_ms, until_ms, `${where}: another end`);
    }
  }
  assert.ok(changes > sized(1_000, 3_000), `only ${changes} changes`);
});

/** One memory for each place, as a program has one for all. */
const memories = new Map<HoursPlace, ReturnType<typeof createHoursMemory>>();
function createHoursMemoryOf(place: HoursPlace): ReturnType<typeof createHoursMemory> {
  const memory = memories.get(place) ?? createHoursMemory();
  memories.set(place, memory);
  return memory;
}

test("what was evaluated before changes no answer", () => {
  const shared = createHoursMemory();
  const compiled = new Map(TEXTS.map((text) => [text, parseHours(text)!]));
  for (const [text, place, at_ms] of questions(sized(1, 4))) {
    const hours = compiled.get(text)!;
    for (const ms of [at_ms, at_ms + 60_000, at_ms - 3_600_000])
      assert.deepEqual(
        evaluateHours(hours, ms, place, shared),
        evaluateHours(parseHours(text)!, ms, place, createHoursMemoryOf(place)),
        `${text} ${place.time_zone} ${new Date(ms).toISOString()}`,
      );
  }
});

test("the time zone of the process makes no difference", () => {
  const answers = (): string[] => {
    const memory = createHoursMemory();
    return [...questions(sized(1, 2))].map(([text, place, at_ms]) =>
      JSON.stringify(evaluateHours(parseHours(text)!, at_ms, place, memory)),
    );
  };
  const before = process.env["TZ"];
  try {
    process.env["TZ"] = "UTC";
    const expected = answers();
    for (const zone of ["America/St_Johns", "Pacific/Kiritimati"]) {
      process.env["TZ"] = zone;
      assert.notEqual(new Date(0).getTimezoneOffset(), 0);
      assert.deepEqual(answers(), expected, zone);
    }
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
});

test("a rule that closes opens nothing", () => {
  const memory = createHoursMemory();
  for (const suffix of [
    "; We off",
    "; Dec closed",
    ", Mo-Su 10:00-14:00 off",
    "; PH off",
    "; 2026 off",
  ])
    for (const [text, place, at_ms] of questions(1)) {
      const fewer = parseHours(text + suffix);
      // A comment, or what is added after a fallback, is another value.
      if (!fewer || text.includes("||")) continue;
      if (evaluateHours(fewer, at_ms, place, memory).state !== "open") continue;
      const { state } = evaluateHours(parseHours(text)!, at_ms, place, memory);
      assert.equal(state, "open", `${text}${suffix} ${new Date(at_ms).toISOString()}`);
    }
});

test("what is always open is open at every moment, and has no end", () => {
  const memory = createHoursMemory();
  for (const text of ["24/7", "open", "Mo-Su 00:00-24:00", "00:00-24:00"])
    for (const place of PLACES)
      for (const edge_ms of EDGES_MS)
        for (let hour = -30; hour <= 30; hour++) {
          const at = evaluateHours(parseHours(text)!, edge_ms + hour * 3_600_000, place, memory);
          assert.equal(at.state, "open");
          assert.equal(at.until_ms, null);
        }
});

test("generated texts: none throws, and none takes more than a millisecond", (t) => {
  const match = attempt(TEXTS, { count: sized(5_000, 20_000), seed: 3, places: PLACES });
  t.diagnostic(`${match.read} read, the slowest ${match.most_us.toFixed(0)} us`);
  assert.deepEqual(match.findings, []);
  assert.ok(match.read > sized(500, 2_000), `only ${match.read} read`);
});
