// The open geocoders as the simulator speaks them, and the addresses that they all know.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startSandbox, type Sandbox } from "../../../sandbox/main.ts";
import { createAddresses } from "../../../sandbox/world/addresses.ts";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { COUNTRIES, countryAt } from "../../../sandbox/world/countries.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import type { Row } from "./reader.ts";

const NOW_MS = Date.UTC(2026, 8, 21, 12, 0, 30);
const AGENT = { "user-agent": "vicinity-tests/1.0" };

type Feature = { geometry: { coordinates: [number, number] }; properties: Row };
type Collection = { features: Feature[]; geocoding?: Row; bbox?: number[] };

describe("addresses", () => {
  const addresses = createAddresses(createWorld(1));
  const first = (text: string) => addresses.search(text)[0]?.spot;

  test("every city, street and country is found by its own name", () => {
    for (const city of CITIES) {
      assert.equal(first(city.name)?.town?.city.id, city.id, city.name);
      for (const street of city.streets.flat()) {
        const match = addresses.search(`${street}, ${city.name}`);
        const names = match.map(({ spot }) => [spot.name.local, spot.name.english]).flat();
        assert.ok(names.includes(street), `${street} ${city.name}`);
      }
    }
    for (const country of COUNTRIES) {
      assert.equal(first(country.english)?.country.code, country.code, country.english);
      assert.equal(first(country.local)?.country.code, country.code, country.local);
      assert.equal(countryAt(country)?.code, country.code, country.english);
    }
    assert.ok(COUNTRIES.length >= 60);
  });

  test("a centre has a house within 150 m, its own country, and houses that are found again", () => {
    for (const city of CITIES) {
      const near = addresses.near(city, 150);
      const house = near.find(({ spot }) => spot.kind === "house")?.spot;
      assert.ok(house, city.name);
      const again = first(`${house.street?.local} ${house.number} ${city.name}`);
      assert.deepEqual([again?.lat, again?.lon], [house.lat, house.lon], city.name);
      assert.deepEqual(
        near.map(({ distance_m }) => distance_m),
        near.map(({ distance_m }) => distance_m).toSorted((a, b) => a - b),
      );
      assert.equal(addresses.holding(city).at(-1)?.country.code, city.country);
    }
  });
});

describe("open geocoders", () => {
  let sandbox: Sandbox;
  before(async () => (sandbox = await startSandbox({ seed: 1, port: 0, now: () => NOW_MS })));
  after(() => sandbox.close());

  const ask = async (id: string, path: string, headers: Record<string, string> = AGENT) => {
    const response = await fetch(`${sandbox.upstreams()[id]!.url}${path}`, { headers });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    return { status: response.status, type, text, body: read(type, text) as Row };
  };
  const read = (type: string, text: string): unknown =>
    type.includes("json") ? JSON.parse(text) : null;
  const features = async (id: string, path: string, headers?: Record<string, string>) =>
    ((await ask(id, path, headers)).body as unknown as Collection).features;
  const tick = (): Promise<Response> =>
    fetch(`${sandbox.url}/__sandbox/clock`, { method: "POST", body: '{"advance_s":2}' });

  test("Photon: a city is a district and a city, post codes are lists or have no object", async () => {
    const paris = await features("photon", "/api?q=Paris");
    const kinds = paris.slice(0, 2).map(({ properties: p }) => [p["type"], p["osm_key"]]);
    assert.deepEqual(kinds, [
      ["district", "boundary"],
      ["city", "place"],
    ]);
    assert.match(String(paris[0]!.properties["postcode"]), /^75004;75011;/);
    const [west, north, east, south] = paris[0]!.properties["extent"] as number[];
    assert.ok(west! < east! && south! < north!);
    const [code] = await features("photon", "/api?q=75004");
    assert.equal(code!.properties["osm_value"], "postcode");
    assert.ok(!("osm_id" in code!.properties) && !("osm_type" in code!.properties));
    const [museum] = await features("photon", "/api?q=museum%20berlin");
    assert.deepEqual(
      [museum!.properties["type"], museum!.properties["osm_value"]],
      ["house", "museum"],
    );
  });

  test("Photon reverse: one, within a kilometre, perhaps without a name", async () => {
    const match = await features("photon", "/reverse?lat=48.8566&lon=2.3522");
    assert.equal(match.length, 1);
    assert.ok(!("name" in match[0]!.properties) && "housenumber" in match[0]!.properties);
    assert.equal((await features("photon", "/reverse?lat=48.8566&lon=2.3522&limit=60")).length, 50);
    assert.deepEqual(await features("photon", "/reverse?lat=0&lon=-140"), []);
    const [france] = await features("photon", "/reverse?lat=45&lon=3");
    assert.equal(france!.properties["type"], "country");
  });

  test("Nominatim: texts for numbers, names that are missing, codes without objects", async () => {
    await tick();
    const search = async (query: string) =>
      (await ask("nominatim", `/search?format=jsonv2&addressdetails=1&${query}`))
        .body as unknown as Row[];
    const [paris] = await search("q=Paris");
    assert.deepEqual([typeof paris!["lat"], typeof paris!["lon"]], ["string", "string"]);
    assert.equal(paris!["addresstype"], "city");
    assert.equal((paris!["address"] as Row)["country_code"], "fr");
    const [code] = await search("postalcode=75004");
    assert.ok(!("osm_id" in code!));
    const houses: Row[] = [];
    for (let n = 1; n <= 15; n++) houses.push(...(await search(`q=${n}+Larkspur+Road`)));
    assert.deepEqual(new Set(houses.map((house) => house["name"])), new Set(["", null, undefined]));
    assert.ok(
      houses.every((house) => typeof (house["address"] as Row)["house_number"] === "string"),
    );
    assert.ok(houses.some((house) => house["type"] === "house" && house["osm_type"] === "way"));
  });

  test("Nominatim reverse: one object by zoom, and a miss is 200", async () => {
    await tick();
    const reverse = async (query: string) => (await ask("nominatim", `/reverse?${query}`)).body;
    const at = "format=jsonv2&lat=48.8566&lon=2.3522";
    const ranks = [];
    for (const zoom of [3, 8, 10, 14, 16])
      ranks.push((await reverse(`${at}&zoom=${zoom}`))["place_rank"]);
    assert.deepEqual(ranks, [4, 8, 16, 22, 26]);
    assert.equal(typeof ((await reverse(at))["address"] as Row)["house_number"], "string");
    const road = (await reverse(`${at}&zoom=16`))["address"] as Row;
    assert.equal(road["road"] ?? road["pedestrian"], "Rue des Tilleuls");
    assert.deepEqual(await reverse("lat=0&lon=-140"), { error: "Unable to geocode" });
  });

  test("Pelias: layers, kinds of match, countries of two or three letters", async () => {
    const [house] = await features("pelias", "/v1/search?text=7%20Larkspur%20Road");
    const { layer, gid, match_type, accuracy, country_a, postalcode } = house!.properties;
    assert.equal(layer, "address");
    assert.match(String(gid), /^openaddresses:address:gb\//);
    assert.ok(["exact", "interpolated"].includes(String(match_type)));
    assert.ok(["point", "interpolated"].includes(String(accuracy)));
    assert.equal(country_a, "GBR");
    assert.match(String(postalcode), /^WC2N /);
    const [street] = await features("pelias", "/v1/search?text=9999%20Larkspur%20Road");
    assert.deepEqual(
      [street!.properties["layer"], street!.properties["match_type"]],
      ["street", "fallback"],
    );
    const codes = (
      await features("pelias", "/v1/search?text=museum&size=40&boundary.country=JPN,de")
    ).map(({ properties }) => properties["country_code"]);
    assert.deepEqual(new Set(codes), new Set(["DE", "JP"]));
    const [sydney] = await features(
      "pelias",
      "/v1/search?text=museum&focus.point.lat=-33.87&focus.point.lon=151.2",
    );
    assert.equal(sydney!.properties["locality"], "Sydney");
  });

  test("Pelias reverse: distances in kilometres; where nothing is, the country", async () => {
    const near = await features("pelias", "/v1/reverse?point.lat=48.8566&point.lon=2.3522");
    assert.equal(near.length, 10);
    assert.ok(near.every(({ properties }) => Number(properties["distance"]) <= 1));
    const [france] = await features("pelias", "/v1/reverse?point.lat=45&point.lon=3&lang=en");
    assert.equal(france!.properties["layer"], "country");
    assert.deepEqual(await features("pelias", "/v1/reverse?point.lat=0&point.lon=-140"), []);
  });
});
