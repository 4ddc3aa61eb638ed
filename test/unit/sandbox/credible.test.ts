// What a person would not believe of the simulated world: money, codes, names, stations, addresses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { planFacts } from "../../../sandbox/gbfs/v2.ts";
import { distance } from "../../../sandbox/geo.ts";
import { isInInpost } from "../../../sandbox/listing.ts";
import { startSandbox } from "../../../sandbox/main.ts";
import { tagsOf } from "../../../sandbox/openmap/tags.ts";
import { listRestrooms } from "../../../sandbox/refuge/restrooms.ts";
import { createAddresses } from "../../../sandbox/world/addresses.ts";
import { modesOf } from "../../../sandbox/world/transit-model.ts";
import { createWorld } from "../../../sandbox/world/world.ts";

const world = createWorld(1);
const addresses = createAddresses(world);
const services = world.cities.flatMap((city) => world.listServices(city));

/** Of a public toilet: neither a hundredth nor a hundred times what it is anywhere. */
const DEAREST: Readonly<Record<string, number>> = {
  ...{ EUR: 2, GBP: 2, PLN: 5, USD: 2, MXN: 15, BRL: 6 },
  ...{ JPY: 200, AUD: 3, ZAR: 20, FJD: 3 },
};

test("prices are in the money of the country, and such as one pays", () => {
  let charges = 0;
  for (const thing of services) {
    const { charge } = tagsOf(thing);
    if (charge === undefined) continue;
    const [amount, currency] = charge.split(" ");
    assert.equal(currency, thing.city.currency);
    const dearest = DEAREST[currency]!;
    assert.ok(Number(amount) <= dearest && Number(amount) >= dearest / 10, charge);
    charges += 1;
  }
  assert.ok(charges > 50, String(charges));
  for (const operator of world.operators) {
    const plan = planFacts(operator) as {
      currency: string;
      price: number;
      per_min_pricing: [{ rate: number }];
    };
    const dearest = DEAREST[plan.currency]!;
    const paid = [plan.price, plan.per_min_pricing[0].rate];
    for (const each of paid) assert.ok(each <= dearest && each > dearest / 20, operator.id);
  }
});

test("InPost is where InPost is", () => {
  const lockers = services.filter(({ service_type }) => service_type === "locker");
  const at = (own: typeof lockers) => [...new Set(own.map(({ city }) => city.country))].sort();
  const theirs = lockers.filter(({ operator }) => operator === "InPost");
  assert.deepEqual(at(theirs), ["ES", "FR", "GB", "PL"]);
  assert.deepEqual(at(lockers.filter(isInInpost)), ["ES", "FR", "GB", "PL"]);
  for (const thing of lockers.filter(({ operator }) => operator !== "InPost"))
    assert.ok(!/inpost/i.test(Object.values(tagsOf(thing)).join(" ")), thing.city.id);
});

test("an office has a name of its country", () => {
  const found = services.filter(({ operator }) => /City Hall|Parks Department/.test(operator));
  const countries = [...new Set(found.map(({ city }) => city.country))].sort();
  assert.deepEqual(countries, ["AU", "FJ", "GB", "US", "ZA"]);
});

const FORMS: Readonly<Record<string, RegExp>> = {
  ...{ GB: /^WC2N \d[A-Z]{2}$/, PL: /^\d\d-\d{3}$/, BR: /^\d{5}-\d{3}$/, JP: /^\d{3}-\d{4}$/ },
  ...{ AU: /^\d{4}$/, ZA: /^\d{4}$/, FJ: /^$/ },
};

test("a street has one post code, in every source, in the form of its country", () => {
  const codes = new Map<string, Set<string>>();
  const note = (city: { id: string; country: string }, street: string, code: string) => {
    const key = `${city.id}: ${street}`;
    codes.set(key, (codes.get(key) ?? new Set()).add(code));
    assert.match(code, FORMS[city.country] ?? /^\d{5}$/, key);
  };
  for (const { city, street, post_code } of services) note(city, street, post_code);
  for (const operator of world.operators)
    for (const { address, post_code } of world.listPlaces(operator)) {
      const street = address.replace(/^\d+ | \d+$/g, "");
      note(operator.city, street, post_code);
    }
  for (const city of world.cities)
    for (const { spot } of addresses.near(city, 6000))
      if (spot.street) note(city, spot.street.local, spot.post_code);
  for (const [street, own] of codes) assert.equal(own.size, 1, `${street} ${[...own].join(" ")}`);
  assert.ok(codes.size >= 13 * world.cities.length);
});

const COMPASS =
  /(?<!\p{L})(north|south|east|west|nord|sud|süd|ost|ouest|norte|sur|este|oeste|leste|północny)(?!\p{Ll})|[東西南北]/iu;

test("what is called after a direction lies there", () => {
  const airports = addresses.listPois().filter(({ kind }) => kind === "airport");
  assert.equal(airports.length, world.cities.length);
  for (const { name, town, lat, lon } of airports) {
    const { city } = town!;
    const east_m = distance({ lat: city.lat, lon }, city);
    const north_m = distance({ lat, lon: city.lon }, city);
    const side = (lon - city.lon + 540) % 360 > 180 ? "east" : "west";
    assert.match(name.english, /East/);
    assert.ok(side === "east" && east_m > 2 * north_m, `${name.english} ${lat}, ${lon}`);
  }
  // Streets and squares are named often, wherever they are.
  for (const { streets, places } of world.cities)
    for (const word of [...streets, ...places].flat()) assert.doesNotMatch(word, COMPASS);
});

test("the stations of the geocoder are those of the timetable", () => {
  for (const city of world.cities) {
    const text = (each: { lat: number; lon: number }, name: string) =>
      `${name} ${each.lat} ${each.lon}`;
    const known = addresses
      .listPois()
      .filter(({ kind, town }) => town?.city === city && (kind === "station" || kind === "subway"))
      .map((spot) => text(spot, spot.name.local));
    const served = world
      .getNetwork(city)
      .stations.filter(({ form }) => form === "station")
      .filter((each) =>
        modesOf(each).some((mode) => ["rail", "rapid_transit", "metro"].includes(mode)),
      )
      .map((each) => text(each, each.name));
    assert.deepEqual(known.sort(), served.sort(), city.id);
  }
  assert.equal(addresses.search("Théâtre du Levant, Paris")[0]?.spot.kind, "station");
});

for (const [text, kind, city] of [
  ["Londres", "city", "london"],
  ["Londen", "city", "london"],
  ["Tokio", "city", "tokyo"],
  ["Varsovie", "city", "warsaw"],
  ["Warschau", "city", "warsaw"],
  ["Parigi", "city", "paris"],
  ["Nueva York", "city", "new-york"],
  ["Kapstadt", "city", "cape-town"],
  ["ロンドン", "city", "london"],
  ["pharmacie paris", "pharmacy", "paris"],
  ["Apotheke, Berlin", "pharmacy", "berlin"],
  ["hotel Londres", "hotel", "london"],
  ["parking Paris", "parking", "paris"],
  ["parking Tokio", "parking", "tokyo"],
  ["駐車場 東京", "parking", "tokyo"],
] as const)
  test(`the geocoder knows what is meant by ${text}`, () => {
    const [first] = addresses.search(text);
    assert.deepEqual([first?.missed, first?.spot.kind], [0, kind]);
    assert.equal(first!.spot.town?.city.id, city);
  });

test("a car park that is searched for is one of the world's", () => {
  const parks = addresses.listPois().filter(({ kind }) => kind === "parking");
  assert.ok(parks.length >= 4 * world.cities.length);
  for (const park of parks) {
    const thing = services.find(({ key }) => key === park.key);
    assert.equal(thing?.service_type, "parking");
    assert.deepEqual(
      [park.name.local, park.lat, park.lon, park.street?.local, park.post_code],
      [thing.name, thing.lat, thing.lon, thing.street, thing.post_code],
    );
  }
});

test("a restroom is in a city and in its state, which has the state's own name", () => {
  const rows = listRestrooms(world.cities, services, 1).map(({ record }) => record);
  const states = new Map(rows.map((row) => [row["city"], row["state"]]));
  assert.equal(states.get("Paris"), "Île-de-France");
  assert.equal(states.get("New York"), "NY");
  assert.equal(states.get("San Francisco"), "CA");
});

test("a point has one plus code, and the code a place id of its own", async (t) => {
  const sandbox = await startSandbox({ seed: 1, port: 0, now: () => Date.UTC(2026, 8, 21) });
  t.after(() => sandbox.close());
  const { url } = sandbox.upstreams()["google_maps"]!;
  const ask = async (latlng: string) => {
    const query = `latlng=${latlng}&key=sandbox-google-key`;
    const answer = (await (await fetch(`${url}/maps/api/geocode/json?${query}`)).json()) as {
      results: {
        place_id: string;
        formatted_address: string;
        types: string[];
        plus_code?: { global_code: string };
      }[];
    };
    return answer.results.map((each) => ({
      ...each,
      code: each.plus_code?.global_code ?? each.formatted_address,
    }));
  };
  const ids = new Map<string, string>();
  const codes = new Map<string, string>();
  // Two in Paris, two of the country alone, and the first one again.
  for (const at of ["48.8566,2.3522", "48.8666,2.3622", "45,3", "45.1,3.1", "48.8566,2.3522"]) {
    const results = await ask(at);
    const dot = results.find(({ types }) => types.includes("plus_code"))!;
    const others = results.filter((each) => each !== dot).map(({ place_id }) => place_id);
    assert.ok(dot.code && !others.includes(dot.place_id), at);
    assert.equal(ids.get(dot.code) ?? dot.place_id, dot.place_id);
    assert.equal(codes.get(dot.place_id) ?? dot.code, dot.code);
    ids.set(dot.code, dot.place_id);
    codes.set(dot.place_id, dot.code);
  }
  assert.deepEqual([ids.size, codes.size], [4, 4]);
});
