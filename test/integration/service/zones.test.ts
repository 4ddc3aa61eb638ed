/** `include=zones`: the rules at a point and the zones of the circle, as the simulator publishes them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listZones } from "../../../sandbox/gbfs/notices.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import {
  createClient,
  createFolder,
  eventually,
  start,
  type Started,
  closeAll,
} from "./support.ts";

const client = createClient();
const operator = createWorld(1).operators.find(({ id }) => id === "paris-zigzag")!;
let started: Started;

before(async () => {
  const data_dir = await createFolder();
  started = await start({
    cities: "paris",
    data_dir,
    variables: { SANDBOX_SEED: "1" },
    timetables: false,
  });
});
after(() => closeAll(client, started));

type Zone = ReturnType<typeof listZones>[number];

/** Middle of a zone's outline. */
function middleOf({ ring }: Zone): { lat: number; lon: number } {
  const corners = ring.slice(1);
  const mean = (axis: 0 | 1) =>
    corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  return { lat: mean(1), lon: mean(0) };
}

/** Its zones are read behind the first answers. */
async function zonesAt(at: { lat: number; lon: number }, modes = "scooter") {
  const query = { ...at, include: "zones", modes };
  const attempt = async () => {
    const { results } = await client.nearby(started.service, query);
    return results.zones!.find(({ network }) => network.id === operator.id) ?? null;
  };
  return await eventually(attempt, { within_ms: 30_000, what: "its zones" });
}

test("at a zone's middle the first zone's rule holds, and the zones there are listed", async () => {
  const zones = listZones(operator);
  assert.equal(zones.length, 3);
  for (const zone of zones.slice(0, 2)) {
    const match = await zonesAt(middleOf(zone));
    assert.deepEqual(match.rules, [
      {
        ride_start_allowed: zone.may_park,
        ride_end_allowed: zone.may_park,
        ride_through_allowed: zone.may_pass,
        ...(zone.speed_kph === null ? {} : { maximum_speed_kph: zone.speed_kph }),
        scope: "zone",
        zone: zone.name["fr"],
      },
    ]);
    const around = match.zones.map(({ name, contains_point, distance_meters }) => [
      name,
      contains_point,
      distance_meters === 0,
    ]);
    assert.ok(around.some(([name]) => name === zone.name["fr"]));
    assert.ok(around.some(([name, inside]) => name === "Zone de service" && inside));
    assert.equal(match.total, match.zones.length);
  }
});

test("outside all zones the global rules of version 3 hold", async () => {
  const [, , service] = listZones(operator);
  const north = Math.max(...service!.ring.map(([, lat]) => lat));
  const { lon } = middleOf(service!);
  const match = await zonesAt({ lat: north + 0.0005, lon });
  assert.equal(match.rules[0]!.scope, "global");
  assert.equal(match.rules[0]!.ride_end_allowed, false);
  assert.ok(match.zones.every(({ contains_point }) => !contains_point));
});

test("other modes have none of it, and nothing is said where nothing was asked", async () => {
  const at = middleOf(listZones(operator)[0]!);
  await zonesAt(at);
  const cars = await client.nearby(started.service, { ...at, include: "zones", modes: "car" });
  assert.ok(cars.results.zones!.every(({ network }) => network.id !== operator.id));
  const plain = await client.nearby(started.service, at);
  assert.ok(!("zones" in plain.results));
  const geo = await client.json<{ meta: { zones?: unknown[] } }>(
    `${started.service.url}/v1/nearby?lat=${at.lat}&lon=${at.lon}&include=zones&format=geojson`,
  );
  assert.ok((geo.meta.zones?.length ?? 0) > 0);
});
