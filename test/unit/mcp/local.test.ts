/** The clocks of an answer of a tool: what the system of a thing states, else the maps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sizeAtPlace, sizeOf } from "#mcp/brief.ts";
import { localAt, sourcesOfThings, withPlaceTimes } from "#mcp/local.ts";

const TORNIO = { lat: 65.8481, lon: 24.1466 };
const AT_MS = Date.parse("2026-11-26T22:44:00Z");
const STATED: Readonly<Record<string, string>> = {
  tornio: "Europe/Helsinki",
  haparanda: "Europe/Stockholm",
};
const clocks = {
  timezones: () => Promise.resolve(() => "Europe/Oslo"),
  statedZone: (id: string) => STATED[id] ?? null,
};

const CASES: readonly [what: string, sources: string[][], zone: string, local_time: string][] = [
  ["no thing", [], "Europe/Oslo", "2026-11-26T23:44:00+01:00"],
  ["a system that states none", [["other"]], "Europe/Oslo", "2026-11-26T23:44:00+01:00"],
  ["the system's zone", [["tornio"]], "Europe/Helsinki", "2026-11-27T00:44:00+02:00"],
  [
    "the nearest thing's first",
    [["haparanda"], ["tornio"]],
    "Europe/Stockholm",
    "2026-11-26T23:44:00+01:00",
  ],
  [
    "the first that states one",
    [["other"], ["other", "tornio"]],
    "Europe/Helsinki",
    "2026-11-27T00:44:00+02:00",
  ],
  [
    "none beyond the nearest twenty",
    [...Array.from({ length: 20 }, () => ["other"]), ["tornio"]],
    "Europe/Oslo",
    "2026-11-26T23:44:00+01:00",
  ],
];

for (const [what, sources, time_zone, local_time] of CASES)
  test(`the time at a point: ${what}`, async () => {
    const things = sources.map((each) => ({ sources: each }));
    const on = { at_ms: AT_MS, sources: sourcesOfThings(things) };
    const match = await localAt(clocks, TORNIO, on);
    const weekday = local_time.startsWith("2026-11-27") ? "Friday" : "Thursday";
    assert.deepEqual(match, { local_time, weekday, time_zone });
  });

const TIMES: readonly [what: string, given: object, shown: object][] = [
  [
    "a member that is a time",
    { planned_at: "2026-11-26T22:44:30Z" },
    { planned_at: "2026-11-26T23:44:30+01:00" },
  ],
  [
    "in a list, and in what a list has",
    { results: [{ availability: { observed_at: "2026-07-01T10:00:00Z" } }] },
    { results: [{ availability: { observed_at: "2026-07-01T12:00:00+02:00" } }] },
  ],
  [
    "both ends of a span",
    { from: "2026-01-01T00:00:00Z", to: null },
    {
      from: "2026-01-01T01:00:00+01:00",
      to: null,
    },
  ],
  [
    "fractions are cut",
    { answered_at: "2026-11-26T22:44:30.123Z" },
    {
      answered_at: "2026-11-26T23:44:30+01:00",
    },
  ],
  [
    "a time that has an offset",
    { until: "2026-11-26T22:44:00+05:30" },
    {
      until: "2026-11-26T22:44:00+05:30",
    },
  ],
  [
    "a text of a source that is a time by chance",
    { name: "2026-11-26T22:44:00Z" },
    {
      name: "2026-11-26T22:44:00Z",
    },
  ],
  [
    "a moment that there is not",
    { ends_at: "2026-02-30T22:44:00Z" },
    {
      ends_at: "2026-02-30T22:44:00Z",
    },
  ],
];

for (const [what, input, listed] of TIMES)
  test(`times of an answer about a place: ${what}`, () => {
    const place = { time_zone: "Europe/Paris" };
    assert.deepEqual(withPlaceTimes({ ...place, ...input }), { ...place, ...listed });
    assert.deepEqual(withPlaceTimes(input), input, "an answer about no place");
  });

test("an answer is no larger with its offsets than it was taken to be", () => {
  const times = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(times), (moments) => {
      const rows = moments.map((at) => ({ observed_at: at.toISOString(), expires_at: null }));
      const answer = { time_zone: "Asia/Kolkata", results: rows };
      assert.ok(sizeOf(withPlaceTimes(answer)) <= sizeAtPlace(answer));
    }),
  );
});
