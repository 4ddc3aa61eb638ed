/** What a link is about: current counts alone, with their time at the place, and nothing that is not known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFindShared } from "#app/share/shared-thing.ts";
import { createFindPlaceById } from "#app/nearby-one.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import { ask, deploy } from "../../support/answers.ts";
import { aShard, aStation, aStatus, HERE, NOW_MS, NOW_S } from "../../support/domain.ts";

async function find(status: Parameters<typeof aStatus>[1], doc_age_s = 5) {
  const deployment = deploy({
    refresh: () => async () => ({ status: "error", reason: "http_500" }),
    shards: [
      aShard({
        stations: [aStation("1", { name: "Port" })],
        statuses: [aStatus("1", status)],
        doc_age_s,
      }),
    ],
  });
  const { world, nearby } = deployment;
  const findPlace = createFindPlaceById({ world, nearby, renderNearby: createRenderNearby() });
  const findShared = createFindShared({
    findPlace,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    clock: { now: () => NOW_MS },
  });
  const body = await ask(deployment, { ...HERE, include: ["stations"] });
  const id = body.results.stations[0]?.id ?? "svc_station_none";
  return { known: await findShared({ id, at: { lat: 0, lon: 0 } }, 100), findShared };
}

test("a station has its counts and the time of their report, wherever the link looks", async () => {
  const { known, findShared } = await find({ vehicles: 10, docks: 3, last_reported_s: NOW_S - 60 });
  assert.deepEqual(known, {
    name: "Port",
    location: HERE,
    counts: { of: "station", vehicles: 10, docks: 3, isBikes: true },
    time: "2026-09-21T15:45:40+02:00",
  });
  assert.equal(await findShared({ id: "svc_station_none", at: HERE }, 100), null);
  assert.equal(await findShared({ id: "svc_place_none", at: HERE }, 100), null);
});

test("counts of an old report are left out, and so is what is unknown", async () => {
  const { known: old } = await find({ vehicles: 10, docks: 3 }, 7_200);
  assert.deepEqual([old?.counts, old?.time], [null, null]);
  const { known: half } = await find({ vehicles: 4, docks: null, last_reported_s: NOW_S - 5 });
  assert.deepEqual(half?.counts, { of: "station", vehicles: 4, docks: null, isBikes: true });
});
