// Navitia, Transitland and MOTIS as the simulator speaks them: the truth, and what is odd of each.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { start } from "./reader.ts";
import { type At, keysOf, modeOf, stationsAt, type TrueStation } from "./transit-reader.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
type Body = Record<string, any>;
type Answer = { status: number; body: Body };

async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, { headers });
  return { status: response.status, body: (await response.json()) as Body };
}

function metres(a: At, b: At): number {
  const east = (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * 111_195;
}

describe("Navitia", () => {
  let sandbox: Sandbox;
  let base: string;
  const token = { authorization: "sandbox-navitia-token" };
  const ask = (path: string) => get(`${base}${path}`, token);
  before(async () => {
    sandbox = await start();
    base = sandbox.upstreams()["navitia"]!.url;
  });
  after(() => sandbox.close());
  const near = async (query: string, { lat, lon }: At = PARIS): Promise<Body> => {
    const { status, body } = await ask(`/coord/${lon};${lat}/places_nearby?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const objects = (body: Body): Body[] =>
    body["places_nearby"].map((place: Body) => place[place["embedded_type"]]);

  test("what is listed there is the truth, with pins up to 15 m off and names a little other", async () => {
    let [pins, names] = [0, 0];
    for (const city of sandbox.cities().filter(({ name }) => NAVITIA.includes(name))) {
      const truth = keysOf(await stationsAt(sandbox, city), "navitia");
      const { body } = await ask(`/coverage/${city.lon};${city.lat}`);
      const region = body["regions"][0].id as string;
      const listed = await readAll(city);
      const served = listed.filter((area) => area["lines"].length > 0);
      assert.equal(served.length, truth.size, city.name);
      assert.equal(listed.length, truth.size + 2, `${city.name}: two without any service`);
      for (const area of served) {
        const station = truth.get(`${region} ${area["id"]}`)!;
        assert.ok(station, area["id"]);
        assert.deepEqual(modesIn(area), new Set(station.modes), station.name);
        assert.equal(area["lines"].length, station.routes);
        const operators = area["lines"].map((line: Body) => line["network"].name);
        assert.deepEqual(new Set(operators), new Set(station.operators));
        const { lat, lon } = area["coord"];
        assert.equal(typeof lat, "string");
        const off = metres(station.location, { lat: Number(lat), lon: Number(lon) });
        assert.ok(off < 15.5, `${station.name}: ${off}`);
        if (off > 3) pins += 1;
        if (area["name"] !== station.name) names += 1;
      }
    }
    assert.ok(pins > 100 && names > 100, `${pins} pins, ${names} names`);
  });

  async function readAll(at: At): Promise<Body[]> {
    const bodies: Body[] = [];
    for (let page = 0; ; page += 1) {
      const query = `distance=9000&count=100&depth=3&type[]=stop_area&start_page=${page}`;
      const body = await near(query, at);
      bodies.push(...objects(body));
      if (bodies.length >= body["pagination"].total_result) return bodies;
    }
  }

  test("members come with depth: equipments at 1, modes at 2, lines at 3", async () => {
    const keys = new Map<number, Set<string>>();
    for (const depth of [0, 1, 2, 3]) {
      const body = await near(
        `depth=${depth}&distance=2000&count=200&type[]=stop_area&type[]=stop_point`,
      );
      keys.set(depth, new Set(objects(body).flatMap((object) => Object.keys(object))));
    }
    const has = (depth: number, member: string): boolean => keys.get(depth)!.has(member);
    for (const [member, from] of [
      ["equipments", 1],
      ["stop_area", 1],
      ["physical_modes", 2],
      ["lines", 3],
    ] as const)
      for (const depth of [0, 1, 2, 3]) assert.equal(has(depth, member), depth >= from, member);
    assert.ok(!has(3, "distance"));
    const areas = objects(await near("depth=3&distance=2000&type[]=stop_area"));
    assert.ok(areas.every((area) => !("equipments" in area)));
  });
});

const NAVITIA = ["Paris", "Berlin", "Warszawa", "London", "New York"];
const PHYSICAL: Record<string, string> = {
  Bus: "bus",
  BusRapidTransit: "bus",
  Tramway: "tram",
  Metro: "metro",
  LocalTrain: "rail",
  LongDistanceTrain: "rail",
  RapidTransit: "rapid_transit",
  Ferry: "ferry",
  Boat: "ferry",
  Coach: "coach",
};
const modesIn = (area: Body): Set<string> =>
  new Set(area["physical_modes"].map(({ id }: Body) => PHYSICAL[id.split(":")[1]]!));

describe("Transitland", () => {
  let sandbox: Sandbox;
  let url: string;
  const key = { apikey: "sandbox-transitland-key" };
  const ask = (query: string) => get(`${url}?${query}`, key);
  before(async () => {
    sandbox = await start();
    url = `${sandbox.upstreams()["transitland"]!.url}/stops`;
  });
  after(() => sandbox.close());

  async function readAll(query: string): Promise<Body[]> {
    const bodies: Body[] = [];
    for (let last = 0; ;) {
      const { status, body } = await ask(`${query}&after=${last}`);
      assert.equal(status, 200);
      bodies.push(...body["stops"]);
      if (body["meta"]?.after === undefined) return bodies;
      last = body["meta"].after;
    }
  }

  test("rolled up to parents they are those of the truth, except in two cities", async () => {
    let [platforms, shared] = [0, 0];
    for (const city of sandbox.cities()) {
      const stations = await stationsAt(sandbox, city);
      const truth = keysOf(stations, "transitland");
      const query = `lat=${city.lat}&lon=${city.lon}&radius=9000&include_routes=true&limit=200`;
      const stops = await readAll(query);
      if (["Taveuni", "Cape Town"].includes(city.name)) {
        assert.ok(stops.length === 0 && truth.size === 0, city.name);
        continue;
      }
      const modes = new Map<string, Set<string>>();
      for (const stop of stops) {
        if (stop["route_stops"].length === 0) continue;
        assert.equal(stop["location_type"], 0);
        const feed = stop["feed_version"].feed.onestop_id;
        const at = `${feed} ${stop["parent"]?.stop_id ?? stop["onestop_id"]}`;
        if (stop["parent"] !== null) platforms += 1;
        const match = modes.get(at) ?? new Set();
        for (const { route } of stop["route_stops"]) match.add(modeOf(route.route_type));
        modes.set(at, match);
      }
      assert.deepEqual([...modes.keys()].toSorted(), [...truth.keys()].toSorted(), city.name);
      for (const station of stations) {
        const own_sources = station.sources.filter(({ source }) => source === "transitland");
        if (own_sources.length > 1) shared += 1;
        const union = own_sources.flatMap((s) => [...modes.get(`${s.network_id} ${s.source_id}`)!]);
        assert.deepEqual(new Set(union), new Set(station.modes), station.name);
        for (const { network_id, source_id, aliases } of own_sources)
          assert.ok(hasKeys(stops, network_id, [source_id, ...aliases!]), source_id);
      }
    }
    assert.ok(platforms > 500 && shared > 5, `${platforms} ${shared}`);
  });

  const hasKeys = (stops: Body[], feed: string, keys: string[]): boolean =>
    stops.some(
      (stop) =>
        stop["feed_version"].feed.onestop_id === feed &&
        keys.every((one) => one === stop["stop_id"] || one === stop["onestop_id"]),
    );

  test("in the order of its own ids, with a cursor", async () => {
    const query = "lat=48.8566&lon=2.3522&radius=2000";
    const { body } = await ask(query);
    assert.equal(body["stops"].length, 20);
    const ids = body["stops"].map((stop: Body) => stop["id"]);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b),
    );
    const far = body["stops"].map(({ geometry: { coordinates } }: Body) =>
      metres(PARIS, { lat: coordinates[1], lon: coordinates[0] }),
    );
    assert.notDeepEqual(
      far,
      far.toSorted((a: number, b: number) => a - b),
    );
    assert.equal(body["meta"].after, ids.at(-1));
    const next = new URL(body["meta"].next);
    assert.equal(next.searchParams.get("apikey"), null);
    const second = await get(next.toString(), key);
    assert.ok(second.body["stops"][0].id > ids.at(-1));
    const all = await readAll(query);
    assert.equal(new Set(all.map((stop) => stop["id"])).size, all.length);
    assert.ok(all.length > 40);
    assert.equal((await ask("limit=5000")).body["stops"].length, 1000);
    assert.ok(!("route_stops" in body["stops"][0]));
  });
});

describe("MOTIS stops", () => {
  let sandbox: Sandbox;
  let url: string;
  before(async () => {
    sandbox = await start();
    url = `${sandbox.upstreams()["motis_stops"]!.url}/api/v6/map/stops`;
  });
  after(() => sandbox.close());

  const around = ({ lat, lon }: At, by = 0.1): string =>
    `min=${lat - by},${lon - by}&max=${lat + by},${Math.min(180, lon + by)}`;

  test("its stops with their tags are those of the truth in two cities", async () => {
    let match = 0;
    for (const city of sandbox.cities()) {
      const truth = keysOf(await stationsAt(sandbox, city), "motis");
      const body = (await get(`${url}?${around(city)}`)).body as Body[];
      const modes = new Map<string, Set<string>>();
      for (const { stopId, parentId, modes: words, lat, lon } of body) {
        if (words.length === 0) continue;
        const root = String(parentId ?? stopId);
        const at = `${root.slice(0, root.indexOf("_"))} ${root}`;
        modes.set(at, new Set([...(modes.get(at) ?? []), ...words.map((w: string) => WORDS[w])]));
        assert.equal(typeof lat + typeof lon, "numbernumber");
      }
      assert.deepEqual([...modes.keys()].toSorted(), [...truth.keys()].toSorted(), city.name);
      checkModes(modes, truth);
      match += truth.size;
    }
    assert.ok(match > 200, String(match));
  });

  function checkModes(modes: Map<string, Set<string>>, truth: Map<string, TrueStation>): void {
    for (const station of new Set(truth.values())) {
      const own_ats = [...truth].filter(([, other]) => other === station).map(([at]) => at);
      const union = own_ats.flatMap((at) => [...modes.get(at)!]);
      assert.deepEqual(new Set(union), new Set(station.modes), station.name);
    }
  }

  const WORDS: Record<string, string> = {
    BUS: "bus",
    TRAM: "tram",
    SUBWAY: "metro",
    SUBURBAN: "rapid_transit",
    FERRY: "ferry",
    REGIONAL_RAIL: "rail",
    HIGHSPEED_RAIL: "rail",
    COACH: "coach",
  };
});
