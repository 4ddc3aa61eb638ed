/** What was left out of a file is said once a file, with the reason and examples. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBottle, createCity, stationsOf } from "./support.ts";

test("rows that are dropped are told once for each file, survey and flight together", async () => {
  const bottle = createBottle({ survey: { enabled: true, concurrency: 8 } });
  const city = createCity(bottle.upstream);
  const broken = { station_id: "x", name: "Nowhere", lat: 200, lon: 2.35 };
  city.publish("station_information", { stations: [...stationsOf(2), broken] });
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  bottle.feeds.wake("a");
  await bottle.feeds.refresh("a", { begun_after_ms: bottle.clock.now() });
  const told = bottle.events.filter(({ kind }) => kind === "dropped");
  assert.deepEqual(
    told.map(({ source_id, file, seen }) => [source_id, file, seen]),
    [["a", "station_information", 3]],
  );
  const [dropped] = told[0]!.dropped!;
  assert.deepEqual([dropped!.count, dropped!.examples], [1, ["x"]]);
});
