// Google Maps Platform as the simulator speaks it: members, masks, proto3 zeros, the truth.
import { THING_KINDS } from "#api/place-classes.ts";
import { unknownTypes } from "../../../sandbox/google/place-types.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
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
});

test("the simulated provider knows every type that it is asked for by class", () => {
  const types = THING_KINDS.flatMap(({ google }) => google);
  assert.ok(types.length > 80);
  assert.deepEqual(unknownTypes(types, false), []);
});
