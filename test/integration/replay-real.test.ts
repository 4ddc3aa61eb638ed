/**
 * Real captures through the whole service (docs/lab/replay.md). The captures are no part of this
 * repository: where they are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { sized } from "../support/size.ts";
import type { ReplayReport } from "../../trials/replay/report/report.ts";
import { makeReport } from "../../trials/replay/report/report.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const DIR = join(SHARED, "gbfs");
const skip = existsSync(DIR)
  ? false
  : `REAL FEEDS NOT TESTED: no captures at ${DIR} (VICINITY_SHARED_DATA names another folder)`;

/** Made once, by the first test that is not skipped. */
let made: Promise<ReplayReport> | null = null;

function check(claim: string, judge: (report: ReplayReport) => void): void {
  test(`real captures: ${claim}`, { skip }, async () => {
    judge(await (made ??= makeReport({ dir: DIR, circles: sized(100, 10_000) })));
  });
}

check(
  "all 117 systems are found: 116 served, one known by its status alone",
  ({ captured, systems }) => {
    assert.deepEqual(captured, { systems: 117, status_only: 1, empty: 6, hand_made: 2 });
    assert.equal(systems.length, 118);
    const versions = new Set(systems.map(({ version }) => version ?? "1.0"));
    assert.deepEqual([...versions].sort(), ["1.0", "2.2", "2.3", "3.0"]);
  },
);

check("what is no feed, empty or status-only is listed with the reason", (report) => {
  const reasons = report.skipped.map(({ path, reason }) => `${path}: ${reason}`).join("\n");
  for (const expected of [
    /^catalogue.*3 CSV files: a catalogue/m,
    /^columbus.*no GBFS document/m,
    /^france-2026-03-status.*27 CSV files/m,
    /^wienmobil.*station_status only/m,
  ])
    assert.match(reasons, expected);
  const empty = report.systems.filter((row) => row.empty);
  assert.ok(
    empty.every(({ id }) => id.startsWith("bird-")),
    "six Bird systems list no station",
  );
});

check("no feed is lost to a bad row, and every claim holds", (report) => {
  for (const { claim, figures, checks, differences } of report.claims) {
    assert.deepEqual(differences, [], `${claim} (${figures})`);
    assert.ok(checks > 0, `${claim}: nothing was checked`);
  }
});

check("the counts are those of the captures", (report) => {
  const { stations, vehicles } = report.totals;
  assert.ok(stations.accepted > 20_000, `${stations.accepted} stations`);
  assert.ok(vehicles.accepted > 6_000, `${vehicles.accepted} vehicles`);
  assert.equal(stations.seen - stations.accepted, stations.dropped);
  assert.equal(vehicles.seen - vehicles.accepted, vehicles.dropped);
});
