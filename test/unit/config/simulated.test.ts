/** What the start of a sandbox waits for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listNeeded } from "#config/simulated.ts";

const CITIES = [
  { country: "FR", timetables: ["paris-bus", "paris-rail"] },
  { country: "GB", timetables: ["london-bus"] },
  { country: "DE", timetables: ["berlin-bus"] },
];

const toSources = (enabled: boolean, ...ids: string[]) => ({
  gtfs: { enabled, feeds: ids.map((id) => ({ id })) },
});

const needOf = (sources: ReturnType<typeof toSources>, cities = CITIES) =>
  listNeeded(sources, { cities: () => cities });

test("the start of a sandbox waits for the first two countries and the first city's timetables", () => {
  const sources = toSources(true, "london-bus", "paris-bus", "paris-rail");
  const expected = { countries: ["FR", "GB"], timetables: ["paris-bus", "paris-rail"] };
  assert.deepEqual(needOf(sources), expected);
});

test("it waits for no timetable that is not configured, which would never be read", () => {
  for (const sources of [toSources(true, "own"), toSources(true), toSources(false, "paris-bus")])
    assert.deepEqual(needOf(sources).timetables, []);
  assert.deepEqual(needOf(toSources(true, "paris-bus"), []), { countries: [], timetables: [] });
});

test("live, nothing is waited for", () => {
  const sources = toSources(true, "paris-bus");
  assert.deepEqual(listNeeded(sources, null), { countries: [], timetables: [] });
});
