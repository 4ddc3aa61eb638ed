/** Golden pairs: the texts of a feed, and the stations, calls and remarks that come of them. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { openFeed, type OpenFeed } from "../../schedule/feed-pack.ts";
import { ample } from "../../../../test/support/timetables.ts";
import { packFeed } from "../../../../test/support/transit.ts";
import { readTexts, type Read } from "../../../../test/support/gtfs.ts";

const folder = new URL("../../../../test/fixtures/providers/gtfs/", import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".wire.json"))
  .map((name) => name.replace(".wire.json", ""));

function shown(read: Read): unknown {
  if (read.problem !== null) return read;
  const open = openFeed(packFeed(read.feed))!;
  const stations = Array.from({ length: open.count }, (_, row) => {
    const { routes, operators, ...rest } = open.station(row);
    return {
      ...rest,
      routes: routes.map(({ id }) => id),
      operators: operators.map(({ id }) => id),
    };
  });
  const calls = stations.flatMap((_, row) => listCalls(open, row));
  return { meta: open.meta, stations, calls, trail: read.trail, counts: read.counts };
}

/** All there are, in the order of their times. */
function listCalls(open: OpenFeed, row: number): unknown[] {
  const { list, trip, stopId, platform, headsign } = open.timetable!;
  return (["departures", "arrivals"] as const).flatMap((kind) =>
    list(row, { kind, from_ms: 0, to_ms: Date.UTC(2199, 0) }, ample())
      .toSorted((a, b) => a.planned_ms - b.planned_ms)
      .map((call) => ({
        station: open.station(row).source.source_id,
        kind,
        trip: trip(call.trip).id,
        stop: stopId(call.stop),
        platform: platform(call.stop),
        headsign: headsign(call.trip, call.position),
        planned: new Date(call.planned_ms).toISOString(),
        headway_s: call.headway_s,
      })),
  );
}

test("there are pairs, a malformed one among them", () => {
  assert.ok(names.length >= 3);
  assert.ok(names.some((name) => name.startsWith("malformed")));
});

for (const name of names)
  test(name, () => {
    const { files } = JSON.parse(readFileSync(new URL(`${name}.wire.json`, folder), "utf8")) as {
      files: Record<string, string[]>;
    };
    const texts = Object.fromEntries(
      Object.entries(files).map(([file, lines]) => [file, lines.join("\n")]),
    );
    const expected = new URL(`${name}.expected.json`, folder);
    assert.deepEqual(shown(readTexts(texts)), JSON.parse(readFileSync(expected, "utf8")));
  });
