/** Where a system's files are: discovery, its fall-backs, and the best version. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, createBottle, createCity, type Bottle, type City } from "./support.ts";

const HTTP_500 = { status: "error", reason: "http_500" } as const;

test("discovery is read once an hour", async () => {
  const bottle = createBottle({ idle_s: 100_000 });
  createCity(bottle.upstream);
  await ask(bottle);
  for (let i = 0; i < 59; i++) await bottle.clock.advance(60_000);
  assert.equal(bottle.upstream.count("/gbfs.json"), 1);
  for (let i = 0; i < 3; i++) await bottle.clock.advance(60_000);
  assert.equal(bottle.upstream.count("/gbfs.json"), 2);
});

for (const [what, script] of [
  ["missing", null],
  ["unreadable", { body: "<html>" }],
  ["something else", { body: { error: "no" } }],
] as const)
  test(`a discovery that is ${what}: the default places`, async () => {
    const bottle = createBottle();
    const city = createCity(bottle.upstream);
    if (script) bottle.upstream.set(city.url, script);
    else bottle.upstream.remove(city.url);
    assert.equal((await ask(bottle)).status, "ok");
    assert.equal(bottle.shard().statics.count, 2);
    assert.equal(bottle.shard().vehicles!.data!.count, 1);
    assert.equal(bottle.feeds.health("a").status, "ok");
  });

test("guessed files that are not there are not offered", async () => {
  const bottle = createBottle();
  const city = createCity(bottle.upstream);
  for (const name of ["gbfs", "vehicle_types", "free_bike_status"])
    bottle.upstream.remove(city.file(name));
  assert.equal((await ask(bottle)).status, "ok");
  assert.equal(bottle.shard().vehicles, null);
  assert.equal(bottle.shard().alerts, null);
  assert.equal(bottle.feeds.health("a").status, "ok");
});

test("nothing in the default places either: the discovery's own failure", async () => {
  const bottle = createBottle();
  assert.deepEqual(await ask(bottle), { status: "error", reason: "discovery:http_404" });
  assert.deepEqual(await ask(bottle), { status: "error", reason: "discovery:http_404" });
  assert.equal(bottle.puts.length, 0);
});

test("a discovery that fails otherwise is no reason to guess; the old one goes on", async () => {
  const bottle = createBottle({ idle_s: 100_000 });
  const city = createCity(bottle.upstream);
  city.fail("gbfs", HTTP_500);
  assert.deepEqual(await ask(bottle), { status: "error", reason: "discovery:http_500" });
  assert.equal(bottle.upstream.requests.length, 1);
  createCity(bottle.upstream);
  await bottle.clock.advance(6_000);
  await ask(bottle);
  city.fail("gbfs", HTTP_500);
  for (let i = 0; i < 65; i++) await bottle.clock.advance(60_000);
  assert.equal(bottle.feeds.health("a").reason, "discovery:http_500");
  assert.equal((await ask(bottle)).status, "ok", "the files themselves are fine");
});

test("the best version that is listed is read", async () => {
  const bottle = createBottle();
  const { best } = twoVersions(bottle);
  await ask(bottle);
  assert.equal(bottle.shard().statics.count, 3);
  assert.ok(bottle.upstream.requests.some(({ url }) => url === best.file("station_status")));
});

for (const [what, spoil] of [
  ["fails", (_: City, best: City) => best.fail("gbfs", HTTP_500)],
  ["is unreadable", (_: City, best: City) => best.publish("gbfs", { en: { feeds: [] } })],
  ["is not understood", (city: City) => versions(city, "9.0")],
  ["cannot be learnt", (city: City) => city.fail("gbfs_versions", HTTP_500)],
] as const)
  test(`when the best version ${what}, the catalogue's is read`, async () => {
    const bottle = createBottle();
    const { city, best } = twoVersions(bottle);
    spoil(city, best);
    assert.equal((await ask(bottle)).status, "ok");
    assert.equal(bottle.shard().statics.count, 2);
  });

test("a part that comes or goes with a new discovery", async () => {
  const bottle = createBottle({ idle_s: 100_000 });
  const city = createCity(bottle.upstream, undefined, { vehicles: false });
  await ask(bottle);
  assert.equal(bottle.shard().vehicles, null);
  createCity(bottle.upstream);
  for (let i = 0; i < 62; i++) await bottle.clock.advance(60_000);
  assert.equal(bottle.shard().vehicles!.data!.count, 1);
  createCity(bottle.upstream, city.base, { vehicles: false });
  for (let i = 0; i < 62; i++) await bottle.clock.advance(60_000);
  assert.equal(bottle.shard().vehicles, null);
});

function twoVersions(bottle: Bottle): { city: City; best: City } {
  const city = createCity(bottle.upstream, undefined, { extra: ["gbfs_versions"] });
  const best = createCity(bottle.upstream, "https://a.example/v3", { stations: 3 });
  versions(city, "3.0");
  return { city, best };
}

function versions(city: City, version: string): void {
  const url = "https://a.example/v3/gbfs.json";
  city.publish("gbfs_versions", {
    versions: [
      { version: "2.3", url: city.url },
      { version, url },
    ],
  });
}
