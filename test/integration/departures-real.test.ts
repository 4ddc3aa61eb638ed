/**
 * Planned departures and arrivals equal those of an independent program that reads the raw files
 * (test/oracle/departures.py): of recorded feeds, and of made-up ones with what those do not hold.
 * `npm run trials -- departures` asks more of all recorded feeds.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { importGtfs, openFeed } from "#transit/index.ts";
import { feedPath, listFeeds } from "../../scripts/gtfs-count.ts";
import { compareDepartures, type Comparison, hasPython } from "../support/departures-oracle.ts";
import { makeOddFeed } from "../support/odd-feeds.ts";
import { sized } from "../support/size.ts";
import { zipOf } from "../support/zip.ts";

const feeds = listFeeds();
/** Two with weeks, one with frequencies, one with exceptions only. */
const SAMPLE = ["berlin-subset-2020", "caltrain-2016", "sao-paulo-subset", "slovak-railways-2025"];
const ODD_FEEDS = sized(30, 300);
const noPython = hasPython() ? false : "python3 or its time zones are missing";
const folder = mkdtempSync(join(tmpdir(), "departures-"));
after(() => rmSync(folder, { recursive: true }));

async function compareFeed(path: string, count: number, seed: number): Promise<Comparison> {
  const imported = await importGtfs({ path }, { feed_id: "f", region: null, now_ms: 1 });
  assert.ok(imported.ok, imported.ok ? "" : imported.problem);
  return compareDepartures({ path, open: openFeed(imported.pack)! }, { count, seed });
}

test("there are real feeds to hold departures against", (t) => {
  if (feeds.length === 0) return t.skip("no GTFS feeds in ../shared/data");
  assert.ok(SAMPLE.every((name) => feeds.includes(name)));
});

for (const name of sized(SAMPLE, feeds).filter((each) => feeds.includes(each)))
  test(`${name} departs as its files say`, { skip: noPython }, async (t) => {
    const { questions, answered, rows, differences } = await compareFeed(feedPath(name), 100, 2);
    t.diagnostic(`${name}: ${questions} questions, ${answered} with an answer, ${rows} rows`);
    assert.deepEqual(differences, []);
    assert.ok(answered >= 0.7 * questions, "something is compared");
  });

test("made-up feeds depart as their files say", { skip: noPython }, async (t) => {
  let rows = 0;
  for (let seed = 1; seed <= ODD_FEEDS; seed++) {
    const path = join(folder, `${seed}.zip`);
    writeFileSync(path, zipOf(makeOddFeed(seed)));
    const comparison = await compareFeed(path, 60, seed);
    assert.deepEqual(comparison.differences, [], `makeOddFeed(${seed})`);
    rows += comparison.rows;
  }
  t.diagnostic(`${ODD_FEEDS} feeds, ${rows} rows`);
  assert.ok(rows > ODD_FEEDS * 100);
});
