/** Imports that answer nothing are counted by kind and reason, and those that come by themselves are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import { findUnusable } from "#app/transit/timetable-facts.ts";
import { createMetrics } from "#http/metrics.ts";
import { IMPORT_KINDS, UNUSABLE, watchImports } from "#observe/import-meter.ts";
import { METRICS } from "#http/metric-table.ts";

test("each unusable import is counted once, and nothing is 0 where it is known", async (t) => {
  const metrics = createMetrics();
  t.after(metrics.close);
  watchImports(metrics, {
    timetable: () => ["ended", "damaged", "ended"],
    base: () => ["earlier_version"],
  });
  const text = metrics.text();
  const lines = text.split("\n").filter((line) => line.startsWith("svc_imports_unusable{"));
  assert.equal(lines.length, IMPORT_KINDS.length * UNUSABLE.length);
  assert.deepEqual(lines.filter((line) => !line.endsWith(" 0")).toSorted(), [
    'svc_imports_unusable{kind="base",reason="earlier_version"} 1',
    'svc_imports_unusable{kind="timetable",reason="damaged"} 1',
    'svc_imports_unusable{kind="timetable",reason="ended"} 2',
  ]);
});

test("the labels of the metric are the kinds and reasons", () => {
  assert.deepEqual(METRICS.svc_imports_unusable.labels, { kind: IMPORT_KINDS, reason: UNUSABLE });
});

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 27);
const storedOf = (failure: string | null, days: readonly [number, number] | null): HeldFeed =>
  ({
    failure,
    feed: days && {
      timetable: {
        meta: { days, max_time_s: 0 },
        dayStart_ms: (day: number) => day * DAY_MS,
      },
    },
  }) as unknown as HeldFeed;

test("what only a new import mends is unusable; what comes again by itself is not", () => {
  const today = NOW_MS / DAY_MS;
  const cases: [HeldFeed, string | null][] = [
    [storedOf("earlier_version", null), "earlier_version"],
    [storedOf("later_version", null), "later_version"],
    [storedOf("damaged", null), "damaged"],
    [storedOf("http_500", null), null],
    [storedOf(null, null), null],
    [storedOf(null, [today - 30, today + 30]), null],
    [storedOf(null, [today - 30, today - 5]), "ended"],
    // It is for later, and its file may be the right one.
    [storedOf(null, [today + 5, today + 30]), null],
  ];
  for (const [feed, reason] of cases) assert.equal(findUnusable(feed, NOW_MS), reason);
});
