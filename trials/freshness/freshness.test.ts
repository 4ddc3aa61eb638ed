/** The freshness policies of §4.8, counted at the simulator; docs/capabilities.md shows the table. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { measureFreshness, type Row, SHARERS, toTable } from "./table.ts";

const ALL_FRESH = { stale: 0, unknown: 0, reliable: true };
const ALL_STALE = { fresh: 0, unknown: 0, reliable: false };

/** What is decided of each (decisions, Capabilities); a fetch behind the answer is of the background. */
const EXPECTED: Readonly<Record<string, { live_files: number } & Partial<Row>>> = {
  "validated 2 s ago, accept_valid_cache": { live_files: 0, others: 0, ...ALL_FRESH },
  "validated 2 s ago, revalidate": { live_files: 0, ...ALL_FRESH },
  "validated 2 s ago, null": { live_files: 0, ...ALL_FRESH },
  "fresh, 30 s, accept_valid_cache": { live_files: 0, others: 0, ...ALL_FRESH },
  "fresh, 30 s, revalidate": { live_files: 1, ...ALL_FRESH },
  "fresh, 30 s, null": { live_files: 0, ...ALL_FRESH },
  "past its 60 s, 90 s, accept_valid_cache": { live_files: 1, ...ALL_FRESH },
  "past its 60 s, 90 s, revalidate": { live_files: 1, ...ALL_FRESH },
  "past its 60 s, 90 s, null": { live_files: 1, ...ALL_STALE },
  "expired, 200 s, accept_valid_cache": { live_files: 1, ...ALL_FRESH },
  "expired, 200 s, revalidate": { live_files: 1, ...ALL_FRESH },
  "expired, 200 s, null": { live_files: 1, ...ALL_FRESH },
  "expired, and failing, accept_valid_cache": { live_files: 1, ...ALL_STALE },
  "expired, and failing, revalidate": { live_files: 1, ...ALL_STALE },
  "expired, and failing, null": { live_files: 1, ...ALL_STALE },
  "fresh, and failing, accept_valid_cache": { live_files: 0, others: 0, ...ALL_FRESH },
  "fresh, and failing, revalidate": { live_files: 1, ...ALL_STALE },
  "fresh, and failing, null": { live_files: 0, ...ALL_FRESH },
};

// Proves §4.8 freshness_policy
test("each policy fetches and counts as decided, and the page shows what was measured", async () => {
  const { rows, shared, again } = await measureFreshness();
  const names = rows.map(({ state, policy }) => `${state}, ${policy}`);
  assert.deepEqual(names.toSorted(), Object.keys(EXPECTED).toSorted());
  for (const [i, row] of rows.entries()) {
    const wanted = EXPECTED[names[i]!]!;
    assert.deepEqual({ ...row, ...wanted }, row, names[i]!);
    assert.ok(row.fresh + row.stale + row.unknown > 5, "something is found");
  }
  // Callers that came before the first of two refreshes began share it, the others the second.
  assert.ok(shared >= 1 && shared <= 2, `${shared} fetches for ${SHARERS} questions at once`);
  assert.equal(again, 0, "validated within the last 5 s");
  const page = readFileSync(new URL("../../docs/capabilities.md", import.meta.url), "utf8");
  assert.ok(page.includes(toTable(rows)), "run npm run trials -- freshness --write");
});
