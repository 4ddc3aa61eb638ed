/** Which timetables the start of a sandbox waits for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listFirstTimetables } from "#main/sources.ts";

const CITIES = [{ timetables: ["paris-bus", "paris-rail"] }, { timetables: ["berlin-bus"] }];

const toGtfs = (enabled: boolean, ...ids: string[]) => ({
  enabled,
  feeds: ids.map((id) => ({ id })),
});

test("the start of a sandbox waits for the timetables of its first city", () => {
  const gtfs = toGtfs(true, "berlin-bus", "paris-bus", "paris-rail");
  assert.deepEqual(listFirstTimetables(gtfs, CITIES), ["paris-bus", "paris-rail"]);
});

test("it waits for none that is not configured, which would never be read", () => {
  assert.deepEqual(listFirstTimetables(toGtfs(true, "own"), CITIES), []);
  assert.deepEqual(listFirstTimetables(toGtfs(true), CITIES), []);
  assert.deepEqual(listFirstTimetables(toGtfs(false, "paris-bus"), CITIES), []);
  assert.deepEqual(listFirstTimetables(toGtfs(true, "paris-bus"), []), []);
});
