/** What was left out of a file is said once a file, with the reason and examples. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceReading } from "#core/quality/findings.ts";
import { createBottle, createCity, stationsOf, statusesOf } from "./support.ts";

test("dropped rows are reported once for each file, survey and refresh together", async () => {
  const bottle = createBottle({ survey: { enabled: true, concurrency: 8 } });
  const city = createCity(bottle.upstream);
  const broken = { station_id: "x", name: "Nowhere", lat: 200, lon: 2.35 };
  city.publish("station_information", { stations: [...stationsOf(2), broken] });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  bottle.feeds.wake("a");
  await bottle.feeds.refresh("a", { begun_after_ms: bottle.clock.now() });
  const reported = bottle.events.filter(({ kind }) => kind === "dropped");
  assert.deepEqual(
    reported.map(({ source_id, file, seen }) => [source_id, file, seen]),
    [["a", "station_information", 3]],
  );
  const [dropped] = reported[0]!.dropped!;
  assert.deepEqual([dropped!.count, dropped!.examples], [1, ["x"]]);
});

test("a file that the discovery lists twice is read where it is listed first, and named once", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  const feeds = ["system_information", "vehicle_types", "station_information", "station_status"];
  const listed = [...feeds, "free_bike_status"].map((name) => ({ name, url: city.file(name) }));
  const second = { name: "free_bike_status", url: city.file("elsewhere") };
  city.publish("gbfs", { en: { feeds: [...listed, second] } });
  for (let i = 0; i < 3; i++) {
    bottle.feeds.wake("a");
    await bottle.feeds.refresh("a", { begun_after_ms: bottle.clock.now() });
    await bottle.clock.advance(3_600_000 * 25);
  }
  const repeated = bottle.events.filter(({ kind }) => kind === "repeated");
  assert.deepEqual(
    repeated.map(({ source_id, files }) => [source_id, files]),
    [["a", ["vehicle_status"]]],
  );
  assert.ok(bottle.upstream.count("free_bike_status.json") > 0);
  assert.equal(bottle.upstream.count("elsewhere.json"), 0);
});

test("each reading of a file is reported with what it left out, put right and contradicts", async () => {
  const readings: [string, SourceReading][] = [];
  const bottle = createBottle({ onReading: (...reading) => void readings.push(reading) });
  const city = createCity(bottle.upstream);
  const lost = { station_id: "lost", num_bikes_available: 1, num_docks_available: 1 };
  const read = async (): Promise<void> => {
    bottle.feeds.wake("a");
    await bottle.feeds.refresh("a", { begun_after_ms: bottle.clock.now() });
    // Static files are renewed in the background.
    await bottle.clock.advance(1_000);
  };
  const contradictionsOf = (part: string) =>
    readings.findLast(([, reading]) => reading.part === part)![1].contradictions!;
  city.publish("station_status", { stations: [...statusesOf(2, 30), lost] });
  await read();
  assert.ok(readings.every(([id]) => id === "a"));
  const [, status] = readings.find(([, { part }]) => part === "station_status")!;
  assert.equal(status.dropped![0]!.reason, "status_without_station");
  assert.deepEqual(
    status.contradictions!.map(({ reason, count }) => [reason, count]),
    [["counts_exceed_capacity", 2]],
  );
  // The static file is the same for more than a day, and the status still has one more station.
  await bottle.clock.advance(86_400_000 * 1.5);
  city.publish("station_status", { stations: [...statusesOf(2, 3), lost] }, { last_updated: 0 });
  await read();
  assert.deepEqual(contradictionsOf("station_status"), [
    { reason: "stations_never_renewed", count: 1, examples: ["lost"] },
  ]);
  city.publish("station_information", { stations: stationsOf(2, 48.86) });
  await bottle.clock.advance(86_400_000 * 1.5);
  await read();
  assert.deepEqual(
    contradictionsOf("station_information").map(({ reason, count }) => [reason, count]),
    [["coordinates_moved", 2]],
  );
  assert.deepEqual(contradictionsOf("station_status"), []);
});
