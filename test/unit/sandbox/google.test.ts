// Google Maps Platform as the simulator speaks it: statuses, masks, limits, proto3 zeros.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { distance } from "../../../sandbox/geo.ts";
import { createGoogleMaps } from "../../../sandbox/google/host.ts";
import { startSandbox, type Sandbox } from "../../../sandbox/main.ts";
import { plusCode } from "../../../sandbox/google/plus-code.ts";
import { createAddresses } from "../../../sandbox/world/addresses.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import type { Row } from "./reader.ts";

const NOW_MS = Date.UTC(2026, 8, 21, 12, 0, 30);
const KEY = "sandbox-google-key";
const PARKING = ["parking", "parking_garage", "parking_lot"];
const CHARGING = ["electric_vehicle_charging_station"];

type Result = {
  formatted_address: string;
  types: string[];
  place_id: string;
  partial_match?: boolean;
  plus_code?: Row;
  address_components: { long_name: string; short_name: string; types: string[] }[];
  geometry: { location_type: string; location: { lat: number; lng: number }; viewport: Row };
};
type Geocoded = { status: string; error_message?: string; results?: Result[]; plus_code?: Row };
type Aggregation = Record<string, unknown> & { type: string };
type Place = Row & {
  id: string;
  location: { latitude: number; longitude: number };
  evChargeOptions?: { connectorCount?: number; connectorAggregation?: Aggregation[] };
  parkingOptions?: Record<string, boolean>;
};

const start = (): Promise<Sandbox> => startSandbox({ seed: 1, port: 0, now: () => NOW_MS });

describe("Google Geocoding", () => {
  let sandbox: Sandbox;
  before(async () => (sandbox = await start()));
  after(() => sandbox.close());

  const ask = async (params: Record<string, string>, key: string | null = KEY) => {
    const query = new URLSearchParams({ ...params, ...(key === null ? {} : { key }) });
    const url = `${sandbox.upstreams()["google_maps"]!.url}/maps/api/geocode/json?${query.toString()}`;
    const response = await fetch(url);
    assert.equal(response.status, 200);
    return (await response.json()) as Geocoded;
  };

  test("the outcome is in the status, and the HTTP status is always 200", async () => {
    const address = "Paris";
    const wrong = await ask({ address }, "AIzaWrong");
    assert.equal(wrong.status, "REQUEST_DENIED");
    assert.equal(wrong.error_message, "The provided API key is invalid.");
    assert.deepEqual(wrong.results, []);
    assert.equal((await ask({ address }, null)).status, "REQUEST_DENIED");
    assert.match((await ask({ address }, null)).error_message!, /^You must use an API key/);
    assert.equal((await ask({ address }, `${KEY}-unbilled`)).status, "OVER_DAILY_LIMIT");
    const over = await ask({ address }, `${KEY}-over-quota`);
    assert.deepEqual(over, { error_message: "Please wait.", status: "OVER_QUERY_LIMIT" });
    assert.equal((await ask({})).status, "INVALID_REQUEST");
    assert.equal((await ask({ latlng: "48.85, 2.35" })).status, "INVALID_REQUEST");
    assert.equal((await ask({ address: "🚲" })).status, "ZERO_RESULTS");
    assert.equal((await ask({ latlng: "0,-140" })).status, "ZERO_RESULTS");
    assert.equal(
      (await ask({ address, components: "country:FR|country:DE" })).status,
      "INVALID_REQUEST",
    );
  });

  test("a bad signature is answered with plain text", async () => {
    const { url } = sandbox.upstreams()["google_maps"]!;
    const response = await fetch(`${url}/maps/api/geocode/json?address=x&client=y&signature=z`);
    assert.match(await response.text(), /^Unable to authenticate the request/);
  });

  test("a house is found in any spelling, with the members of the reference", async () => {
    for (const address of [
      "12 Rue de l’Étoile-Filante, Paris",
      "rue de l'etoile filante 12 PARIS",
    ]) {
      const { status, results } = await ask({ address });
      assert.equal(status, "OK", address);
      const [first] = results!;
      assert.match(first!.formatted_address, /^12 Rue de l’Étoile-Filante, 750\d\d Paris, France$/);
      const part = (type: string) =>
        first!.address_components.find(({ types }) => types.includes(type));
      assert.equal(part("street_number")?.long_name, "12");
      assert.equal(part("locality")?.long_name, "Paris");
      assert.equal(part("country")?.short_name, "FR");
      assert.ok(["ROOFTOP", "RANGE_INTERPOLATED"].includes(first!.geometry.location_type));
      assert.match(first!.place_id, /^ChIJsandbox[0-9a-f]{16}$/);
      assert.ok("northeast" in first!.geometry.viewport && !("partial_match" in first!));
    }
  });

  test("a number that the street does not have gives the street, as a partial match", async () => {
    const { results } = await ask({ address: "9999 Larkspur Road London" });
    assert.deepEqual(results![0]!.types, ["route"]);
    assert.equal(results![0]!.partial_match, true);
  });

  test("the country is a filter, by code or by name", async () => {
    const paris = { address: "museum" };
    const codes = async (country: string) => {
      const { results } = await ask({ ...paris, components: `country:${country}` });
      return new Set(
        results!.flatMap(({ address_components }) =>
          address_components.filter((c) => c.types.includes("country")).map((c) => c.short_name),
        ),
      );
    };
    assert.deepEqual(await codes("DE"), new Set(["DE"]));
    assert.deepEqual(await codes("france"), new Set(["FR"]));
    assert.deepEqual(await codes("ZZ"), new Set());
    assert.ok((await ask(paris)).results!.length > 5);
    const alone = await ask({ components: "country:KE" });
    assert.deepEqual(alone.results![0]!.types, ["country", "political"]);
  });

  test("reverse gives about ten, fine to coarse, a plus code first", async () => {
    for (const { name, lat, lon } of sandbox.cities()) {
      const { results, plus_code } = await ask({ latlng: `${lat},${lon}` });
      assert.ok(results!.length >= 9 && results!.length <= 15, `${name} ${results!.length}`);
      assert.deepEqual(results![0]!.types, ["plus_code"]);
      assert.equal(plus_code!["global_code"], plusCode({ lat, lon }));
      assert.ok(results!.at(-1)!.types.includes("country"), name);
    }
    const far = await ask({ latlng: "45.76,4.84", language: "de" });
    assert.equal(far.results!.at(-1)!.formatted_address, "France");
    const only = await ask({ latlng: "48.8566,2.3522", result_type: "country|locality" });
    assert.equal(only.results!.length, 2);
  });

  test("plus codes are those of the public specification", () => {
    assert.equal(plusCode({ lat: 20.3700625, lon: 2.7821875 }), "7FG49QCJ+2V");
    assert.equal(plusCode({ lat: 47.0000625, lon: 8.0000625 }), "8FVC2222+22");
    assert.equal(plusCode({ lat: -41.2730625, lon: 174.7859375 }), "4VCPPQGP+Q9");
  });

  test("languages: English, or what is said there", async () => {
    const cityIn = async (language: string) =>
      (await ask({ address: "Warszawa", language })).results![0]!.formatted_address;
    assert.equal(await cityIn("en"), "Warsaw, Poland");
    assert.equal(await cityIn("pl-PL"), "Warszawa, Polska");
    assert.equal(await cityIn("ko"), "Warsaw, Poland");
  });

  test("places that have no city, a postal town, a generic type only", async () => {
    const city = await ask({ address: "London" });
    assert.deepEqual(city.results![0]!.types, ["postal_town"]);
    const offices = await ask({ address: "Offices" });
    assert.deepEqual(offices.results![0]!.types, ["establishment", "point_of_interest"]);
    const boroughs = [];
    for (let n = 1; n <= 20; n++)
      boroughs.push(...(await ask({ address: `${n} Juniper Ave New York` })).results!);
    assert.ok(
      boroughs.some((r) => !r.address_components.some((c) => c.types.includes("locality"))),
    );
  });
});

describe("Google Places", () => {
  let sandbox: Sandbox;
  before(async () => (sandbox = await start()));
  after(() => sandbox.close());

  type Call = { method?: string; body: unknown; headers?: Record<string, string>; base?: string };
  const call = async ({ method = "searchNearby", body, headers = {}, base = "" }: Call) => {
    const { places_url } = sandbox.upstreams()["google_maps"]!;
    const response = await fetch(`${places_url}${base}/v1/places:${method}`, {
      method: "POST",
      headers: { "X-Goog-Api-Key": KEY, "X-Goog-FieldMask": "*", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const read = (await response.json()) as Row & { places?: Place[]; error?: Row };
    return { status: response.status, body: read };
  };
  const circle = (lat: number, lon: number, radius = 3000) => ({
    circle: { center: { latitude: lat, longitude: lon }, radius },
  });
  const near = (includedTypes: string[], rest: object = {}) => ({
    includedTypes,
    maxResultCount: 20,
    rankPreference: "DISTANCE",
    languageCode: "en",
    locationRestriction: circle(48.8566, 2.3522),
    ...rest,
  });
  const everywhere = async (types: string[]) => {
    const all: Place[] = [];
    for (const { lat, lon } of sandbox.cities())
      for (const radius of [600, 1500, 4000]) {
        const body = near(types, {
          locationRestriction: circle(lat, lon, radius),
          rankPreference: "POPULARITY",
        });
        all.push(...((await call({ body })).body.places ?? []));
      }
    return all;
  };

  test("no mask, no key, a wrong key, no quota: refused in the documented forms", async () => {
    const body = near(PARKING);
    const reason = ({ error }: Row): unknown =>
      ((error as Row)["details"] as Row[] | undefined)?.[0]?.["reason"];
    const noMask = await call({ body, headers: { "X-Goog-FieldMask": "" } });
    assert.equal(noMask.status, 400);
    assert.match(String(noMask.body.error!["message"]), /^FieldMask is a required parameter/);
    const noKey = await call({ body, headers: { "X-Goog-Api-Key": "" } });
    assert.deepEqual([noKey.status, noKey.body.error!["status"]], [403, "PERMISSION_DENIED"]);
    const wrong = await call({ body, headers: { "X-Goog-Api-Key": "nope" } });
    assert.deepEqual([wrong.status, reason(wrong.body)], [400, "API_KEY_INVALID"]);
    const over = await call({ body, headers: { "X-Goog-Api-Key": `${KEY}-over-quota` } });
    assert.deepEqual([over.status, reason(over.body)], [429, "RATE_LIMIT_EXCEEDED"]);
    const { places_url } = sandbox.upstreams()["google_maps"]!;
    assert.equal((await fetch(`${places_url}/v1/places:searchNearby?key=${KEY}`)).status, 404);
  });

  test("the answer holds what the mask names, and nothing else", async () => {
    const mask = "places.id,places.displayName.text,places.location";
    const { body } = await call({ body: near(PARKING), headers: { "X-Goog-FieldMask": mask } });
    for (const place of body.places!) {
      const names = new Set(Object.keys(place));
      names.delete("displayName");
      assert.deepEqual(names, new Set(["id", "location"]));
      if (place["displayName"]) assert.deepEqual(Object.keys(place["displayName"]), ["text"]);
    }
    for (const bad of ["places.bogus", "places.id, places.location", "id"]) {
      const refused = await call({ body: near(PARKING), headers: { "X-Goog-FieldMask": bad } });
      assert.equal(refused.status, 400, bad);
    }
  });

  test("limits and unknown names are refused", async () => {
    const bad: object[] = [
      near(PARKING, { maxResultCount: 21 }),
      near(PARKING, { maxResultCount: -1 }),
      near(PARKING, { locationRestriction: circle(48, 2, 50_001) }),
      near(PARKING, { locationRestriction: circle(48, 2, 0) }),
      near(PARKING, { locationRestriction: circle(91, 2, 10) }),
      near(PARKING, { locationRestriction: undefined }),
      near(["point_of_interest"]),
      near(["car_park"]),
      near(["parking"], { excludedTypes: ["parking"] }),
      near(["parking"], { rankPreference: "NEAREST" }),
      near(["parking"], { radius: 10 }),
      near(["parking"], { regionCode: "FRA" }),
    ];
    for (const body of bad) {
      const { status, body: answer } = await call({ body });
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(answer.error!["status"], "INVALID_ARGUMENT");
    }
    assert.equal((await call({ body: "{" })).status, 400);
  });

  test("an old deployment does not know two types, and names no place by them", async () => {
    const refused = await call({ base: "_old", body: near(PARKING) });
    assert.equal(refused.status, 400);
    assert.match(String(refused.body.error!["message"]), /parking_garage, parking_lot/);
    const { body } = await call({ base: "_old", body: near(["parking"]) });
    assert.equal(body.places!.length, 20);
    assert.ok(body.places!.every((place) => place["primaryType"] === "parking"));
    assert.ok(body.places!.some(({ parkingOptions }) => parkingOptions?.["paidGarageParking"]));
  });

  test("at most 20, nearest first, and an empty object for nothing", async () => {
    const { body } = await call({ body: near(PARKING) });
    const far = body.places!.map(({ location: { latitude: lat, longitude: lon } }) =>
      distance({ lat, lon }, { lat: 48.8566, lon: 2.3522 }),
    );
    assert.equal(far.length, 20);
    assert.deepEqual(
      far,
      far.toSorted((a, b) => a - b),
    );
    const none = await call({ body: near(PARKING, { locationRestriction: circle(0, -140) }) });
    assert.deepEqual(none.body, {});
    const two = await call({ body: near(CHARGING, { maxResultCount: 2 }) });
    assert.equal(two.body.places!.length, 2);
  });

  test("a listed thing is at its true location, and is observed unless it is gone for good", async () => {
    const world = createWorld(1);
    const city = world.cities[0]!;
    const things = world
      .listServices(city)
      .filter(({ service_type }) => service_type === "parking" || service_type === "charging");
    const host = createGoogleMaps({
      world,
      addresses: createAddresses(world),
      now: () => NOW_MS,
      origin: "",
    });
    const places = await everywhere([...PARKING, ...CHARGING]);
    const byId = new Map(places.map((place) => [place.id, place]));
    let gone = 0;
    for (const thing of things) {
      const [observed] = host.observe(thing);
      if (observed === undefined) {
        gone += 1;
        continue;
      }
      assert.match(observed.source_id, /^ChIJsandbox/);
      const place = byId.get(observed.source_id);
      if (place === undefined) continue;
      assert.deepEqual(place.location, { latitude: thing.lat, longitude: thing.lon });
      assert.notEqual(place["businessStatus"], "CLOSED_PERMANENTLY");
    }
    assert.ok(gone > 0 && gone < things.length / 5, String(gone));
    assert.equal(
      new Set(things.flatMap((thing) => host.observe(thing)).map((o) => o.source_id)).size,
      things.length - gone,
    );
    const toilets = world.listServices(city).find((thing) => thing.service_type === "toilets");
    assert.deepEqual(host.observe(toilets!), []);
  });

  test("car parks: statuses, hours, options that are false, third parties", async () => {
    const all = await everywhere(PARKING);
    const statuses = new Set(all.map((place) => place["businessStatus"]));
    for (const status of ["OPERATIONAL", "CLOSED_TEMPORARILY", "CLOSED_PERMANENTLY", undefined])
      assert.ok(statuses.has(status), String(status));
    const primary = new Set(all.map((place) => place["primaryType"]));
    assert.deepEqual(primary, new Set(PARKING));
    assert.ok(
      all.some(({ parkingOptions }) => Object.values(parkingOptions ?? {}).includes(false)),
    );
    assert.ok(all.some((place) => place.parkingOptions === undefined));
    assert.ok(all.some((place) => place["attributions"] !== undefined));
    assert.ok(all.some((place) => place["displayName"] === undefined));
    const hours = all.map((place) => place["currentOpeningHours"] as Row | undefined);
    const always = hours.find((each) => (each?.["periods"] as Row[] | undefined)?.length === 1);
    const [period] = always!["periods"] as [Row];
    assert.ok(!("close" in period));
    const { day, hour, minute } = period["open"] as Row;
    assert.deepEqual([day, hour, minute], [0, 0, 0]);
    assert.equal((always!["weekdayDescriptions"] as string[])[0], "Monday: Open 24 hours");
    const week = hours.find((each) => (each?.["periods"] as Row[] | undefined)?.length === 6);
    assert.deepEqual((week!["weekdayDescriptions"] as string[]).slice(4), [
      "Friday: 8:00\u202fAM\u2009–\u20098:00\u202fPM",
      "Saturday: 9:00\u202fAM\u2009–\u20096:00\u202fPM",
      "Sunday: Closed",
    ]);
    assert.ok(hours.some((each) => each?.["openNow"] === false));
    assert.ok(all.some((p) => p["regularOpeningHours"] && !p["currentOpeningHours"]));
  });

  test("openNow follows the clock of the city", async () => {
    const openIn = async (lat: number, lon: number) => {
      const body = near(PARKING, { locationRestriction: circle(lat, lon, 4000) });
      const { places } = (await call({ body })).body;
      return places!
        .map((place) => place["regularOpeningHours"] as Row | undefined)
        .filter((each) => (each?.["periods"] as Row[] | undefined)?.length === 6)
        .map((each) => each!["openNow"]);
    };
    // Monday noon in UTC: 14:00 in Paris, 21:00 in Tokyo, 05:00 in San Francisco.
    assert.deepEqual(new Set(await openIn(48.8566, 2.3522)), new Set([true]));
    assert.deepEqual(new Set(await openIn(35.6812, 139.7671)), new Set([false]));
    assert.deepEqual(new Set(await openIn(37.7749, -122.4194)), new Set([false]));
  });

  test("chargers: some live, some half so; zeros only where proto3 keeps them", async () => {
    const all = await everywhere(CHARGING);
    assert.ok(all.length > 200, String(all.length));
    const listed = all.flatMap((place) => place.evChargeOptions?.connectorAggregation ?? []);
    const live = listed.filter((each) => "availableCount" in each);
    assert.ok(live.length > listed.length / 4 && live.length < (listed.length * 3) / 4);
    for (const name of ["availableCount", "outOfServiceCount"])
      assert.ok(
        live.some((each) => each[name] === 0),
        name,
      );
    for (const each of listed) {
      assert.match(each.type, /^EV_CONNECTOR_TYPE_/);
      for (const name of ["count", "maxChargeRateKw"]) assert.notEqual(each[name], 0);
      assert.equal("availableCount" in each, "availabilityLastUpdateTime" in each);
    }
    assert.ok(listed.some((each) => !("maxChargeRateKw" in each)));
    const mixed = all.filter(({ evChargeOptions }) => {
      const states = (evChargeOptions?.connectorAggregation ?? []).map(
        (a) => "availableCount" in a,
      );
      return states.includes(true) && states.includes(false);
    });
    assert.ok(mixed.length > 0);
    assert.ok(all.some((place) => place.evChargeOptions === undefined));
    assert.ok(all.some(({ evChargeOptions: o }) => o && o.connectorAggregation === undefined));
  });

  test("text search: pages, bias, and what it refuses", async () => {
    const ask = (body: object) => call({ method: "searchText", body });
    const { body } = await ask({ textQuery: "museum", pageSize: 5 });
    assert.equal(body.places!.length, 5);
    const next = await ask({ textQuery: "museum", pageSize: 5, pageToken: body["nextPageToken"] });
    assert.notEqual(next.body.places![0]!.id, body.places![0]!.id);
    const biased = await ask({
      textQuery: "museum",
      locationBias: circle(-33.8688, 151.2093, 20_000),
    });
    assert.match(String(biased.body.places![0]!["formattedAddress"]), /Sydney/);
    assert.deepEqual((await ask({ textQuery: "zzzz" })).body, {});
    const bad = [
      {},
      { textQuery: " " },
      { textQuery: "x", maxResultCount: 21 },
      { textQuery: "x", locationBias: circle(0, 0, 60_000) },
      { textQuery: "x", locationRestriction: circle(0, 0, 60) },
      { textQuery: "x", includedTypes: ["museum"] },
      { textQuery: "x", pageToken: "?" },
    ];
    for (const each of bad) assert.equal((await ask(each)).status, 400, JSON.stringify(each));
    assert.equal((await ask({ textQuery: "museum", pageSize: 500 })).body.places!.length, 20);
  });
});
