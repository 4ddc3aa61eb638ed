/**
 * The recorded feeds kept next to the repository: what the importer makes of them equals an
 * independent count straight from their text files, and circles equal brute force.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance_m } from "#kit/geo.ts";
import type { GtfsReport } from "#transit/imports.ts";
import { importGtfs, openFeed, type OpenFeed } from "#transit/index.ts";
import { sized } from "../support/size.ts";
import { createRng } from "../../bench/world.ts";
import {
  countFeed,
  feedPath,
  listFeeds,
  summary,
  type FeedCount,
} from "../../scripts/gtfs-count.ts";

const feeds = listFeeds();
const CIRCLES = 300;
/** Every fourth. */
const SAMPLE = feeds.filter((_, i) => i % 4 === 0);

test("there are real feeds", (t) => {
  if (feeds.length === 0) return t.skip("no GTFS feeds in ../shared/data");
  assert.ok(feeds.length >= 13, `only ${feeds.length} feeds`);
});

for (const name of sized(SAMPLE, feeds))
  test(`${name} is imported as its files say`, async (t) => {
    const imported = await importGtfs(
      { path: feedPath(name) },
      { feed_id: name, region: null, now_ms: 1 },
    );
    assert.ok(imported.ok, imported.ok ? "" : imported.problem);
    const open = openFeed(imported.pack)!;
    const count = await countFeed(feedPath(name));
    t.diagnostic(`${name}: ${summary(count)}`);
    compareTotals(imported.report, count);
    compareStations(open, count);
    compareCircles(open);
  });

function compareTotals(report: GtfsReport, count: FeedCount): void {
  assert.deepEqual(
    {
      stations: report.stations,
      stops: report.stops,
      routes: report.routes,
      operators: report.operators,
      modes: report.modes.toSorted(),
      stop_times: report.stop_times,
      unserved: report.rejected.find(({ reason }) => reason === "served_by_no_trip")?.count ?? 0,
    },
    {
      stations: count.stations.size,
      stops: count.stops,
      routes: count.routes.size,
      operators: count.operators.size,
      modes: [...count.modes].sort(),
      stop_times: count.stop_times,
      unserved: count.unserved,
    },
  );
}

/** Station by station: the same routes, and the modes of them. */
function compareStations(open: OpenFeed, count: FeedCount): void {
  const seen = new Set<string>();
  for (let row = 0; row < open.count; row++) {
    const { source, routes, modes, name, lat, lon } = open.station(row);
    seen.add(source.source_id);
    assert.deepEqual(
      routes.map(({ id }) => id).sort(),
      [...count.stations.get(source.source_id)!].sort(),
      `routes of ${source.source_id}`,
    );
    assert.deepEqual(modes.toSorted(), [...count.modes_of.get(source.source_id)!].sort());
    assert.ok(name !== "" && Math.abs(lat) <= 90 && Math.abs(lon) <= 180);
  }
  assert.deepEqual(seen, new Set(count.stations.keys()));
}

function compareCircles(open: OpenFeed): void {
  const random = createRng(open.count);
  const points = Array.from({ length: open.count }, (_, row) => open.station(row));
  let match = 0;
  for (let i = 0; i < CIRCLES; i++) {
    const around = points[Math.floor(random() * points.length)]!;
    const lat = around.lat + (random() - 0.5) * 0.05;
    const lon = around.lon + (random() - 0.5) * 0.05;
    // Mostly what people ask for, sometimes a whole region.
    const radius_m = random() * (i % 10 === 0 ? 300_000 : 5_000);
    const hits = open.search(lat, lon, radius_m);
    const expected = points
      .map((point, row) => ({ row, distance_m: distance_m(lat, lon, point.lat, point.lon) }))
      .filter((hit) => hit.distance_m <= radius_m)
      .sort((a, b) => a.distance_m - b.distance_m || a.row - b.row);
    assert.deepEqual(hits, expected);
    match += hits.length;
  }
  assert.ok(match > CIRCLES, "the circles hold something");
}
