/** What was left out of a file is said once a file, with the reason and examples. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBottle, createCity, stationsOf } from "./support.ts";

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
