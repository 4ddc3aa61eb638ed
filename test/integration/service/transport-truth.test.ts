/**
 * Public transport as it really is: in every simulated city, held against GET /__sandbox/truth. A
 * station is one result with all its observations; the two poles of a street stay two.
 */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import { TRANSPORT_DEFAULT_MODES } from "#api/tokens.ts";
import type { TransportBodyValue } from "#api/transit.ts";
import { sized } from "../../support/size.ts";
import { type Client, type Started, serviceFor } from "./support.ts";

type Item = TransportBodyValue["results"]["stations"][number];
type City = { name: string; lat: number; lon: number };
type Observation = {
  source: string;
  network_id: string;
  source_id: string;
  aliases?: string[];
};
type Thing = {
  kind: string;
  name: string;
  location: { lat: number; lon: number };
  distance_m: number;
  modes: string[];
  wheelchair: "yes" | "no" | "unknown";
  routes: number;
  /** By all feeds. */
  routes_published: number;
  operators: string[];
  sources: Observation[];
};

const RADIUS_M = 1000;
/** Sources draw a station at most so far from where it is. */
const PIN_M = 20;
const ALL_MODES = TRANSPORT_MODES.join();
const USUAL_MODES: ReadonlySet<string> = new Set(TRANSPORT_DEFAULT_MODES);
const NAVITIA = new Set(["Paris", "Berlin", "Warszawa", "London", "New York"]);

/** `modes`: all of them where left out, `""`: none is sent. */
type Ask = { providers: string | null; modes?: string; radius?: number };

function addressOf(
  { service }: Started,
  { lat, lon }: City,
  { providers, modes, radius }: Ask,
): string {
  const query = new URLSearchParams({
    lat: String(lat),
    lon: String(lon),
    radius: String(radius ?? RADIUS_M),
    limit: "200",
    ...(modes === "" ? {} : { modes: modes ?? ALL_MODES }),
    debug: "true",
    ...(providers === null ? {} : { providers }),
  });
  return `${service.url}/v1/transport/nearby?${query.toString()}`;
}

async function listTruth(
  client: Client,
  { service }: Started,
  { lat, lon }: City,
): Promise<Thing[]> {
  const { things } = await client.json<{ things: Thing[] }>(
    `${service.sandbox!.url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${RADIUS_M + 2 * PIN_M}`,
  );
  return things;
}

/** As `providers` observe it; null: none of them does. */
function seenBy(thing: Thing, providers: readonly string[]): Thing | null {
  const sources = thing.sources.filter(({ source }) => providers.includes(source));
  return sources.length > 0 ? { ...thing, sources } : null;
}

const keysOf = ({ source, network_id, source_id, aliases = [] }: Observation): string[] =>
  [source_id, ...aliases].map((id) => [source, network_id, id].join(" "));

const keyOf = ({ provider, region, feed_id, source_id }: Item["sources"][number]): string =>
  [provider, provider === "navitia" ? region : feed_id, source_id].join(" ");

type Seen = { things: number; merged: number; pairs: number };

/** Every result is one thing with all its observations, and every thing well inside is a result. */
function checkCity(body: TransportBodyValue, truth: readonly Thing[], city: City): Seen {
  const index = new Map(
    truth.flatMap((thing) => thing.sources.flatMap(keysOf).map((key) => [key, thing] as const)),
  );
  const results = new Map<Thing, Item>();
  for (const item of body.results.stations) {
    const matches = new Set(item.sources.map((source) => index.get(keyOf(source))));
    const what = `${city.name}: ${JSON.stringify([item.name, item.sources, [...matches]], null, 1)}`;
    assert.equal(matches.size, 1, `several things: ${what}`);
    const [thing] = matches;
    assert.ok(thing, `no such thing: ${what}`);
    assert.ok(!results.has(thing), `twice: ${what}`);
    checkItem(item, thing, city);
    results.set(thing, item);
  }
  assert.equal(body.total, results.size);
  for (const thing of truth)
    if (thing.distance_m <= RADIUS_M - PIN_M)
      assert.ok(results.has(thing), `${city.name}: not found: ${JSON.stringify(thing)}`);
  const names = [...results.values()].map(({ name }) => name);
  return {
    things: results.size,
    merged: [...results.keys()].filter(({ sources }) => sources.length > 1).length,
    pairs: names.filter((name, i) => names.indexOf(name) !== i).length,
  };
}

function checkItem(item: Item, thing: Thing, city: City): void {
  const what = `${city.name}: ${JSON.stringify([item, thing])}`;
  assert.equal(item.sources.length, thing.sources.length, what);
  assert.deepEqual(item.modes, thing.modes, what);
  assert.equal(item.routes.length, thing.routes, what);
  assert.deepEqual(new Set(item.operators.map(({ name }) => name)), new Set(thing.operators), what);
  // Navitia reports step-free access only where there is one.
  const reticent = thing.sources.every(({ source }) => source === "navitia");
  const wheelchair = reticent && thing.wheelchair === "no" ? "unknown" : thing.wheelchair;
  assert.equal(item.accessibility.wheelchair, wheelchair, what);
  assert.ok(Math.abs(item.distance_meters - thing.distance_m) <= PIN_M, what);
}

/** The shipped one, and one that was never used before. */
for (const seed of sized([1], [1, randomInt(2 ** 32)]))
  describe(`as shipped, seed ${seed}`, () => {
    const served = serviceFor({ cities: "all", variables: { SANDBOX_SEED: String(seed) } });
    const { client } = served;

    test("a station is one result with all its observations; a city without one is empty", async (t) => {
      const providers = ["navitia", "transitland", "gtfs"];
      const ask = { providers: providers.join() };
      const sum: Seen = { things: 0, merged: 0, pairs: 0 };
      for (const city of served.started.service.sandbox!.cities()) {
        const all = await listTruth(client, served.started, city);
        const truth = all.flatMap((thing) =>
          thing.kind === "transit_station" ? (seenBy(thing, providers) ?? []) : [],
        );
        const body = await client.json<TransportBodyValue>(addressOf(served.started, city, ask));
        const status = truth.length > 0 ? "success" : "empty";
        assert.equal(body.status, status, `${city.name}: ${body.message}`);
        const seen = checkCity(body, truth, city);
        for (const name of ["things", "merged", "pairs"] as const) sum[name] += seen[name];
      }
      const { things, merged, pairs } = sum;
      assert.ok(things > 250, `${things} things`);
      assert.ok(merged > 200, `${merged} seen by several`);
      assert.ok(pairs > 30, `${pairs} pairs`);
      t.diagnostic(`seed ${seed}: ${things} exact, ${merged} merged, ${pairs} pairs of one name`);
    });

    test("providers left out: wherever a source knows a station one is found, of one true provider", async () => {
      for (const city of served.started.service.sandbox!.cities()) {
        const ask = { providers: null, modes: "" };
        const body = await client.json<TransportBodyValue>(addressOf(served.started, city, ask));
        const truth = (await listTruth(client, served.started, city)).filter(
          ({ kind, distance_m, modes }) =>
            kind === "transit_station" &&
            distance_m <= RADIUS_M - PIN_M &&
            modes.some((mode) => USUAL_MODES.has(mode)),
        );
        assert.ok(truth.length > 0, city.name);
        assert.equal(body.status, "success", `${city.name}: ${body.message}`);
        const from = new Set(
          body.results.stations.flatMap(({ sources }) => sources).map(({ provider }) => provider),
        );
        const first = NAVITIA.has(city.name) ? "navitia" : "gtfs";
        assert.deepEqual([...from], [first], city.name);
        const requests = NAVITIA.has(city.name) ? ["navitia"] : ["navitia", "gtfs"];
        assert.deepEqual(Object.keys(body.debug!.providers), requests, city.name);
      }
    });

    test("a station has the same id in departures, lines and every search, and live data are known", async (t) => {
      const counts = { named: 0, live: 0 };
      for (const city of served.started.service.sandbox!.cities()) {
        const own = await checkIds(client, served.started, city);
        for (const name of ["named", "live"] as const) counts[name] += own[name];
      }
      t.diagnostic(JSON.stringify(counts));
      assert.ok(counts.named > 100, JSON.stringify(counts));
      assert.ok(counts.live > 0, JSON.stringify(counts));
    });

    test("lines: the routes of the stations in range", async () => {
      let lines = 0;
      for (const city of served.started.service.sandbox!.cities())
        lines += await checkLines(client, served.started, city);
      assert.ok(lines > 60, `${lines} lines`);
    });
  });

type Board = { results: { departures: { station: { id: string; name: string } }[] } };
type NamedRow = { named: number; live: number };

/** Stations of departures and lines, held against the searches for stations. */
async function checkIds(client: Client, started: Started, city: City): Promise<NamedRow> {
  const { lat, lon } = city;
  const { service } = started;
  const at = new URLSearchParams({ lat: String(lat), lon: String(lon), radius: String(RADIUS_M) });
  const board = await client.json<Board>(
    `${service.url}/v1/departures/nearby?${at.toString()}&within=360&limit=100`,
  );
  const { results } = await client.nearby(service, {
    ...{ lat, lon, radius: RADIUS_M, include: "lines", limit: 1 },
  });
  const names = new Map(
    board.results.departures.map(({ station }) => [station.id, station.name] as const),
  );
  const ids = new Set([
    ...names.keys(),
    ...results.lines.flatMap(({ station_ids }) => station_ids),
  ]);
  const counts: NamedRow = { named: ids.size, live: 0 };
  const search = (providers: string | null) =>
    client.json<TransportBodyValue>(addressOf(started, city, { providers }));
  const everyone = await search("navitia,transitland,gtfs");
  const cache = new Map(everyone.results.stations.map((each) => [each.id, each]));
  for (const id of ids) {
    assert.ok(cache.has(id), `${city.name}: ${id} is in no search`);
    if (names.has(id)) assert.equal(cache.get(id)!.name, names.get(id), city.name);
  }
  for (const providers of [null, "navitia", "transitland", "gtfs", "gtfs,transitland"]) {
    const { stations } = (await search(providers)).results;
    const own = new Map(stations.map((each) => [keyOf(each.sources[0]!), each]));
    // Whatever was asked, what is known to all is what all call it.
    for (const each of everyone.results.stations) {
      const same = each.sources.map(keyOf).flatMap((key) => own.get(key) ?? [])[0];
      if (same === undefined) continue;
      const facts = ({ id, name, location }: Item) => ({ id, name, location });
      if (each.sources.some(({ provider }) => provider === "gtfs"))
        assert.deepEqual(facts(same), facts(each), `${city.name}: ${providers}`);
      if (each.realtime.available && providers === null) counts.live++;
      if (each.sources.some(({ provider }) => provider === "gtfs"))
        assert.equal(
          same.realtime.available,
          each.realtime.available,
          `${city.name}: ${each.name}`,
        );
    }
    if (providers === null) {
      const listed = new Set(stations.map(({ id }) => id));
      for (const id of ids) assert.ok(listed.has(id), `${city.name}: ${id} is in no usual answer`);
    }
  }
  return counts;
}

/** Each route of each station of the feeds, once, with all stations in range that it serves. */
async function checkLines(client: Client, started: Started, city: City): Promise<number> {
  const { lat, lon } = city;
  const radius = 400;
  const request = { lat, lon, radius, include: "lines,stations", limit: 1 };
  const body = await client.nearby(started.service, request);
  const { lines } = body.results;
  assert.notEqual(body.status, "partial", `${city.name}: ${body.message}`);
  const ids = lines.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const { station_ids } of lines) {
    assert.ok(station_ids.length > 0);
    assert.deepEqual(station_ids, station_ids.toSorted());
    assert.equal(new Set(station_ids).size, station_ids.length);
  }
  const truth = (await listTruth(client, started, city)).filter(
    ({ kind, distance_m }) => kind === "transit_station" && distance_m <= radius,
  );
  // Pins of a second publisher may lie on the other side of the edge.
  const edge = truth.some(({ distance_m }) => distance_m > radius - PIN_M);
  const feeds = ({ sources }: Thing): number =>
    sources.filter(({ source }) => source === "gtfs").length;
  const calls = truth.reduce((sum, { routes_published }) => sum + routes_published, 0);
  if (!edge) assert.equal(lines.flatMap((line) => line.station_ids).length, calls, city.name);
  if (!edge && truth.every((thing) => feeds(thing) === 1)) {
    const ask = { providers: "gtfs", radius };
    const nearby = await client.json<TransportBodyValue>(addressOf(started, city, ask));
    assert.deepEqual(
      new Set(lines.flatMap((line) => line.station_ids)),
      new Set(nearby.results.stations.map(({ id }) => id)),
      city.name,
    );
  }
  const later = await client.nearby(started.service, { ...request, offset: 1 });
  assert.deepEqual(later.results.lines, lines, `${city.name}: another page`);
  const bare = await client.nearby(started.service, { ...request, include: "stations" });
  assert.equal(bare.total, body.total, "lines are not counted");
  assert.deepEqual(bare.results.lines, []);
  return lines.length;
}
