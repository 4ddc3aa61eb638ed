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
        const found = addresses.search(`${street}, ${city.name}`);
        const names = found.map(({ spot }) => [spot.name.local, spot.name.english]).flat();
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

  test("numbers must match, half of the words must, and no text breaks it", () => {
    assert.deepEqual(addresses.search("9999 Larkspur Road"), []);
    assert.deepEqual(addresses.search("zzzz qqqq London"), []);
    assert.equal(addresses.search("qqqq London")[0]?.missed, 1);
    assert.equal(first("BÄCKERSTRASSE 3")?.number, "3");
    const [code] = addresses.search("Larkspur Road").map(({ spot }) => spot.post_code);
    for (const number of ["2", "4", "11", "12", "18"]) {
      const found = first(`${number} Larkspur Road, ${code} London`);
      assert.deepEqual([found?.kind, found?.number], ["house", number]);
    }
    assert.equal(first("東京都")?.town?.city.id, "tokyo");
    for (const text of [
      "",
      " ",
      "🚲",
      "🏳️‍🌈",
      "\u0000",
      "'; --",
      "%%%",
      "\ud800",
      "مصرف",
      "ก็",
      "a".repeat(5000),
    ])
      assert.ok(Array.isArray(addresses.search(text)));
    assert.deepEqual(addresses.search("🚲"), []);
  });

  test("a point at sea is held by nothing, one on land by its country", () => {
    assert.deepEqual(addresses.holding({ lat: 0, lon: -140 }), []);
    const names = addresses.holding({ lat: 48.14, lon: 11.58 }).map(({ name }) => name.local);
    assert.deepEqual(names, ["Deutschland"]);
  });

  test("same seed, same addresses; another seed, others", () => {
    const spots = (seed: number) => createAddresses(createWorld(seed)).search("museum");
    assert.deepEqual(spots(3), spots(3));
    assert.notDeepEqual(spots(3), spots(4));
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

  test("Photon refuses parameters and languages that it does not know, in two forms", async () => {
    const unknown = await ask("photon", "/api?q=berlin&country=de");
    assert.equal(unknown.status, 400);
    assert.match(String(unknown.body["message"]), /'country'/);
    const lang = await ask("photon", "/api?q=berlin&lang=it");
    assert.equal(lang.status, 400);
    assert.deepEqual(lang.body, {
      lang: [
        {
          message: "Language is not supported. Supported are: default, de, en, fr",
          args: {},
          value: "it",
        },
      ],
    });
    for (const path of [
      "/api",
      "/api?q=x&lat=1",
      "/reverse",
      "/reverse?lat=91&lon=0",
      "/api?q=x&limit=a",
      "/api?q=x&bbox=1,2",
      "/api?q=x&layer=planet",
    ])
      assert.equal((await ask("photon", path)).status, 400, path);
    const { body } = await ask("photon", "/status");
    assert.equal(body["status"], "Ok");
    assert.ok(Date.parse(String(body["import_date"])) <= NOW_MS);
  });

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

  test("Photon: countries, layers, bias, limits, languages of the header", async () => {
    const codes = async (path: string) =>
      new Set((await features("photon", path)).map(({ properties }) => properties["countrycode"]));
    assert.deepEqual(
      await codes("/api?q=museum&countrycode=de&countrycode=FR"),
      new Set(["DE", "FR"]),
    );
    assert.equal((await features("photon", "/api?q=museum")).length, 15);
    const many = await features("photon", "/api?q=caf%C3%A9&limit=500");
    assert.equal(many.length, 50);
    const [near] = await features("photon", "/api?q=museum&lat=-33.87&lon=151.2");
    assert.equal(near!.properties["city"], "Sydney");
    const layers = await features("photon", "/api?q=berlin&layer=state&layer=city");
    assert.deepEqual(
      new Set(layers.map(({ properties }) => properties["type"])),
      new Set(["state", "city"]),
    );
    const name = async (path: string, language: string) =>
      (await features("photon", path, { ...AGENT, "accept-language": language }))[0]!.properties[
        "name"
      ];
    assert.equal(await name("/api?q=tokyo", "en-GB,ja;q=0.5"), "Tokyo");
    assert.equal(await name("/api?q=tokyo", "it, fr;q=0.2"), "東京");
    assert.equal(await name("/api?q=tokyo&lang=en", "fr"), "Tokyo");
    assert.equal(await name("/api?q=tokyo&lang=default", "en"), "東京");
    assert.deepEqual(await features("photon", "/api?q=%F0%9F%9A%B2"), []);
  });

  test("Photon reverse: one, within a kilometre, perhaps without a name", async () => {
    const found = await features("photon", "/reverse?lat=48.8566&lon=2.3522");
    assert.equal(found.length, 1);
    assert.ok(!("name" in found[0]!.properties) && "housenumber" in found[0]!.properties);
    assert.equal((await features("photon", "/reverse?lat=48.8566&lon=2.3522&limit=60")).length, 50);
    assert.deepEqual(await features("photon", "/reverse?lat=0&lon=-140"), []);
    const [france] = await features("photon", "/reverse?lat=45&lon=3");
    assert.equal(france!.properties["type"], "country");
  });

  test("Nominatim blocks clients that do not identify themselves", async () => {
    for (const agent of ["node", "undici", ""]) {
      const blocked = await ask("nominatim", "/search?q=paris", { "user-agent": agent });
      assert.equal(blocked.status, 403, agent);
      assert.match(blocked.type, /html/);
    }
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

  test("Nominatim: bias and filters", async () => {
    await tick();
    const search = async (query: string) =>
      (await ask("nominatim", `/search?format=json&${query}`)).body as unknown as Row[];
    const [berlin] = await search("q=museum&viewbox=13.2,52.6,13.6,52.4");
    assert.match(String(berlin!["display_name"]), /Berlin/);
    assert.equal(berlin!["class"], "tourism");
    assert.ok(!("address" in berlin!));
    assert.equal(
      (await search("q=museum&viewbox=13.2,52.6,13.6,52.4&bounded=1&limit=40")).length,
      3,
    );
    assert.ok((await search("q=museum&viewbox=13.2,52.6,13.6,52.4&limit=40")).length > 3);
    assert.equal((await search("q=museum&countrycodes=jp,de&limit=40")).length, 6);
    assert.equal((await search("q=museum")).length, 10);
    assert.deepEqual(await search("q=%F0%9F%9A%B2"), []);
    const local = (await search("q=Warsaw"))[0]!["name"];
    const english = (await search("q=Warsaw&accept-language=en"))[0]!["name"];
    assert.deepEqual([local, english], ["Warszawa", "Warsaw"]);
  });

  test("Nominatim refuses both kinds of question at once, and none", async () => {
    await tick();
    for (const path of [
      "/search?q=paris&city=paris",
      "/search",
      "/search?q=a&viewbox=1,2",
      "/search?q=a&format=geojson",
      "/reverse?lat=1",
      "/reverse?lat=x&lon=1",
    ]) {
      const { status, body } = await ask("nominatim", path);
      assert.equal(status, 400, path);
      assert.equal((body["error"] as Row)["code"], 400);
    }
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

  test("Nominatim: the twenty-first question in a second is one too many", async () => {
    await tick();
    for (let n = 0; n < 20; n++) assert.equal((await ask("nominatim", "/search?q=a")).status, 200);
    const refused = await ask("nominatim", "/search?q=a");
    assert.equal(refused.status, 429);
    assert.match(refused.type, /html/);
    await tick();
    assert.equal((await ask("nominatim", "/search?q=a")).status, 200);
  });

  test("Pelias: errors and warnings are in the answer", async () => {
    for (const path of [
      "/v1/search",
      "/v1/search?text=a&boundary.country=France!",
      "/v1/search?text=a&layers=planet",
      "/v1/search?text=a&focus.point.lat=1",
      "/v1/reverse",
      "/v1/reverse?point.lat=1",
    ]) {
      const { status, body } = await ask("pelias", path);
      assert.equal(status, 400, path);
      assert.ok(((body["geocoding"] as Row)["errors"] as string[]).length > 0, path);
      assert.deepEqual(body["features"], []);
    }
    const { status, body } = await ask("pelias", "/v1/search?text=museum&size=50");
    assert.equal(status, 200);
    assert.deepEqual((body["geocoding"] as Row)["warnings"], [
      "out-of-range integer 'size', using MAX_SIZE",
    ]);
    assert.ok(Array.isArray(body["bbox"]));
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

  test("addresses are listed without a trailing slash", () => {
    for (const id of ["google_maps", "photon", "nominatim", "pelias"])
      assert.equal(sandbox.upstreams()[id]!.url, `${sandbox.url}/upstreams/${id}`);
  });
});
