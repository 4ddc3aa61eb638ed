/** Pelias: what is asked, word for word, and what the pairs of the fixtures mean. */
import assert from "node:assert/strict";
import { test } from "node:test";
import provider, { peliasGeocoder } from "#providers/pelias/index.ts";
import { toLookup } from "#providers/source.ts";
import { checkPairs, QUERY, readAs, SETTINGS } from "../open-geocoding/support.ts";

const geocode = toLookup(provider, peliasGeocoder.geocode);
const search = toLookup(provider, peliasGeocoder.search);
const reverse = toLookup(provider, peliasGeocoder.reverse);

test("every recorded body is read as expected", () => {
  checkPairs("pelias", 11);
});

test("a question in words", () => {
  const near = { lat: 48.123_46, lon: -2 };
  const query = { q: "דיזנגוף 🚲 Łódź", country: "FX", language: "fr", near };
  const request = search.request(query, SETTINGS);
  const { origin, pathname, searchParams } = new URL(request.url);
  assert.equal(origin + pathname, "https://geocoder.example/v1/search");
  assert.deepEqual(Object.fromEntries(searchParams), {
    text: "דיזנגוף 🚲 Łódź",
    size: "5",
    "boundary.country": "FX",
    "focus.point.lat": "48.123",
    "focus.point.lon": "-2",
    lang: "fr",
  });
  assert.deepEqual(request.headers, { "accept-language": "fr" });
  assert.equal(request.timeout_ms, 2_500);
  assert.equal(request.max_bytes, provider.limits.max_bytes);
});

test("parameters that are not given are not in the address", () => {
  const { url, headers } = geocode.request(QUERY, SETTINGS);
  assert.equal(url, "https://geocoder.example/v1/search?text=Bellerive&size=5&lang=en");
  assert.deepEqual(headers, { "accept-language": "en" });
});

test("a question about a place", () => {
  const { url } = reverse.request({ lat: 48.1, lon: -2, language: "de" }, SETTINGS);
  const expected = "https://geocoder.example/v1/reverse?point.lat=48.1&point.lon=-2&size=5&lang=de";
  assert.equal(url, expected);
});

test("errors alongside results are remarks; without results they are a failure", () => {
  const feature = { geometry: { coordinates: [2, 48] }, properties: { name: "A" } };
  const read = (features: object[]) => {
    const text = JSON.stringify({ geocoding: { errors: ["Timeout"] }, features });
    return readAs("pelias", new TextEncoder().encode(text));
  };
  assert.equal(read([feature]).ok, true);
  assert.equal(read([]).ok, false);
});

test("a server with keys may refuse one, or have enough of us", () => {
  const wanted: [number, string, string][] = [
    [401, "unauthorized", "http_401"],
    [403, "unauthorized", "http_403"],
    [429, "unavailable", "http_429"],
  ];
  for (const [code, status, reason] of wanted) {
    const intended = readAs("pelias", new TextEncoder().encode("{}"), { status: code });
    assert.deepEqual(intended, { ok: false, status, reason, dropped: {} });
  }
});

test("the operations have ids of their own", () => {
  const ids = [geocode, search, reverse].map(({ id }) => id);
  assert.deepEqual(ids, ["pelias.geocode", "pelias.search", "pelias.reverse"]);
  assert.deepEqual([provider.id, provider.name], ["pelias", "Pelias"]);
  assert.equal(provider.terms.store, "all");
});
