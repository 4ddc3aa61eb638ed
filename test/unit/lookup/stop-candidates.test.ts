/** Stops of timetables by name among the candidates of the geocoder, and never before a settlement. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withStops } from "#app/places/stop-candidates.ts";
import { createFindStops } from "#app/transit/stop-names.ts";
import { SEARCH_CUT } from "#core/places/geocode-notices.ts";
import type { Candidate, CandidateType } from "#osm/geocoder/candidate.ts";
import type { GeocodeQuery } from "#providers/lookup.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import { feedOf } from "../../support/gtfs.ts";
import { packFeed } from "../../support/transit.ts";
import { openFeed } from "#transit/index.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const NO_ADDRESS = {
  ...{ formatted: null, street: null, street_number: null, city: null },
  ...{ postal_code: null, region: null, country: null },
};

/** A feed of stops, each of which one route calls at. */
function feed(feed_id: string, ...stops: [name: string, lat: number, lon: number][]): HeldFeed {
  const rows = stops.map(([name, lat, lon], i) => `S${i},"${name}",${lat},${lon}`);
  const calls = stops.map((_, i) => `T,S${i},${i + 1},08:0${i}:00,08:0${i}:00`);
  const texts = {
    "stops.txt": ["stop_id,stop_name,stop_lat,stop_lon", ...rows].join("\n"),
    "stop_times.txt": [
      "trip_id,stop_id,stop_sequence,arrival_time,departure_time",
      ...calls.map((call) => call.replace(/^T,/, "T1,")),
    ].join("\n"),
  };
  const opened = openFeed(packFeed(feedOf(texts).feed))!;
  return {
    feed_id,
    version: 1,
    feed: opened,
    failure: null,
    realtime: null,
    alerts: null,
    live: null,
    box: null,
  };
}

const candidate = (name: string, type: CandidateType, at = PARIS): Candidate => ({
  ...{ name, label: name, type, location: at, address: NO_ADDRESS, source_place_id: null },
});

const FEEDS = [
  feed(
    "a",
    ["Gare de Lyon", 48.8443, 2.3743],
    ["Châtelet", 48.8587, 2.3472],
    ["Vaduz", 47.14, 9.52],
  ),
  feed(
    "b",
    ["GARE DE LYON", 48.8445, 2.3746],
    ["Hauptbahnhof", 47.05, 8.31],
    ["Hauptbahnhof", 47.38, 8.54],
  ),
];

async function ask(
  q: string,
  candidates: Candidate[],
  more: Partial<GeocodeQuery> = {},
  most?: number,
) {
  const reply = () =>
    Promise.resolve({
      status: "ok" as const,
      cache: "miss" as const,
      stored: { value: candidates, raw: candidates.length, fetched_at_ms: 0, good_until_ms: 1 },
    });
  const extended = withStops(
    { geocode: reply, search: reply, reverse: reply },
    {
      findStops: createFindStops(() => FEEDS, most),
      termsOf: (provider) => ({ provider, licence: "CC0", attribution: "Feed", store: "all" }),
      countries: () => Promise.resolve((lat) => [lat < 48 ? "CH" : "FR"]),
    },
  );
  const query = { q, language: null, country: null, near: null, ...more };
  const { signal } = new AbortController();
  const answer = await extended.geocode(query, { signal, keyed: false, freshness: null });
  if (answer.status !== "ok") return assert.fail(answer.status);
  const { value, notices } = answer.stored;
  return { names: value.map(({ name }) => name), value, notices };
}

test("a stop is found by its name however it is written, typed, and under the id of its station", async () => {
  const street = candidate("Rue de Lyon", "street");
  for (const q of ["Gare de Lyon", "gare de lyon", "GARE DE  LYON"]) {
    const { names, value } = await ask(q, [street]);
    // Two feeds have it: it is shown once.
    assert.equal(names.length, 2, names.join());
    assert.equal(names[1], "Rue de Lyon");
    assert.match(value[0]!.source_place_id!, /^svc_transport_station_/);
    assert.match(value[0]!.type, /^(railway|transit)_station$/);
    assert.match(value[0]!.base!.id, /^gtfs:[ab]$/);
  }
  assert.deepEqual((await ask("chatelet", [])).names, ["Châtelet"]);
  assert.deepEqual((await ask("Gare", [])).names, []);
});

test("a settlement of that name is what it means, and a station that the map has is not shown twice", async () => {
  const town = candidate("Vaduz", "city", { lat: 47.141, lon: 9.521 });
  assert.deepEqual((await ask("Vaduz", [town])).names, ["Vaduz"]);
  const mapped = candidate("Paris Gare de Lyon", "railway_station", { lat: 48.8448, lon: 2.3735 });
  assert.deepEqual((await ask("Gare de Lyon", [mapped])).names, ["Paris Gare de Lyon"]);
  const shop = candidate("Châtelet", "poi");
  const { value } = await ask("Châtelet", [shop, candidate("Place du Châtelet", "street")]);
  assert.deepEqual(
    value.map(({ type }) => type),
    ["poi", value[1]!.type, "street"],
  );
});

test("no stop goes before a settlement that is called so in another language, or with more words", async () => {
  const address = { ...NO_ADDRESS, country: "Liechtenstein" };
  const english = { ...candidate("Fadutz", "city"), label: "Fadutz, Liechtenstein", address };
  const longer = candidate("Vaduz am Rhein", "locality");
  const street = candidate("Vaduzer Strasse", "street");
  const { value } = await ask("Vaduz", [english, longer, street]);
  assert.deepEqual(
    value.map(({ type }) => type),
    ["city", "locality", "transit_station", "street"],
  );
  // It is called by a word of the question, and not by all: it is another thing.
  const lyon = candidate("Lyon", "city");
  assert.equal((await ask("Gare de Lyon", [lyon])).names[1], "Lyon");
});

test("a town that is named with it, a country and a point choose among stops of one name", async () => {
  const lucerne = candidate("Luzern", "city", { lat: 47.05, lon: 8.3 });
  const paris = candidate("Paris", "city");
  assert.equal((await ask("Hauptbahnhof", [])).names.length, 2);
  for (const q of ["Hauptbahnhof, Luzern", "Hauptbahnhof Luzern"]) {
    const { value } = await ask(q, [lucerne]);
    const stops = value.filter(({ name }) => name === "Hauptbahnhof");
    assert.deepEqual(
      stops.map(({ location }) => location.lon.toFixed(2)),
      ["8.31"],
    );
  }
  assert.deepEqual((await ask("Gare de Lyon, Luzern", [lucerne])).names, ["Luzern"]);
  assert.ok((await ask("Gare de Lyon, Paris", [paris])).names.some((name) => /lyon/i.test(name)));
  assert.deepEqual((await ask("Gare de Lyon", [], { country: "CH" })).names, []);
  assert.equal((await ask("Gare de Lyon", [], { country: "FR" })).names.length, 1);
  const near = { lat: 47.37, lon: 8.55 };
  const [first] = (await ask("Hauptbahnhof", [], { near })).value;
  assert.equal(first!.location.lon.toFixed(2), "8.54");
});

test("stops beyond the bound are not looked at, and the answer says so", async () => {
  const { names, notices } = await ask("Hauptbahnhof", [], {}, 4);
  assert.deepEqual([names, notices], [[], [SEARCH_CUT]]);
  assert.equal((await ask("Gare de Lyon", [], {}, 4)).names.length, 1);
});
