/** Nominatim: what is asked, word for word, and what the pairs of the fixtures mean. */
import assert from "node:assert/strict";
import { test } from "node:test";
import provider, { nominatimGeocoder } from "#providers/nominatim/index.ts";
import { toLookup } from "#providers/source.ts";
import { checkPairs, QUERY, readAs, SETTINGS } from "../open-geocoding/support.ts";

const geocode = toLookup(provider, nominatimGeocoder.geocode);
const search = toLookup(provider, nominatimGeocoder.search);
const reverse = toLookup(provider, nominatimGeocoder.reverse);

function ask(query: object) {
  const request = search.request({ ...QUERY, ...query }, SETTINGS);
  const { origin, pathname, searchParams } = new URL(request.url);
  return { request, address: origin + pathname, params: Object.fromEntries(searchParams) };
}

test("every recorded body is read as expected", () => {
  checkPairs("nominatim", 18);
});

test("a question in words", () => {
  const { request, address, params } = ask({ q: "Łódź 🚲 שלום", country: "FX", language: "fr-CH" });
  assert.equal(address, "https://geocoder.example/search");
  assert.deepEqual(params, {
    q: "Łódź 🚲 שלום",
    format: "jsonv2",
    addressdetails: "1",
    limit: "5",
    "accept-language": "fr-CH",
    countrycodes: "fx",
  });
  assert.deepEqual(request.headers, { "accept-language": "fr-CH" });
  assert.equal(request.timeout_ms, 2_500);
  assert.equal(request.max_bytes, provider.limits.max_bytes);
  // Without the body of a 403 it would count as a refused key.
  assert.ok(request.refusal_bytes! >= 1_024);
});

test("without a language English is asked for, never any", () => {
  for (const language of [null, "*", "", "a\r\nb"]) {
    const { request, params } = ask({ language });
    assert.equal(params["accept-language"], "en");
    assert.deepEqual(request.headers, { "accept-language": "en" });
  }
});

test("the caller's position becomes a box to look in first", () => {
  const cases: [number, number, string | undefined][] = [
    [48.123_4, 2.5, "2.25,47.873,2.75,48.373"],
    [-33, -70, "-70.25,-33.25,-69.75,-32.75"],
    [89.9, 0, "-0.25,89.65,0.25,90"],
    [-89.9, 0, "-0.25,-90,0.25,-89.65"],
    [10, 179.75, "179.5,9.75,180,10.25"],
    [10, 179.8, undefined],
    [10, -179.8, undefined],
  ];
  for (const [lat, lon, viewbox] of cases) {
    const { params } = ask({ near: { lat, lon } });
    assert.equal(params["viewbox"], viewbox, `${lat},${lon}`);
    assert.equal(params["bounded"], undefined);
  }
  assert.ok(!("viewbox" in ask({}).params));
});

test("a question about a place", () => {
  const { url, headers } = reverse.request({ lat: 48.1, lon: -2, language: "de" }, SETTINGS);
  const expected =
    "https://geocoder.example/reverse?lat=48.1&lon=-2&format=jsonv2&addressdetails=1&accept-language=de";
  assert.equal(url, expected);
  assert.deepEqual(headers, { "accept-language": "de" });
});

/** Status and body of an answer, and what it is worth. */
const REFUSALS: [number, string, string][] = [
  [400, "{}", "error bad_request"],
  [401, "{}", "unauthorized http_401"],
  [403, "<html>", "unavailable blocked"],
  [404, '{"error":"Unable to geocode"}', "ok"],
  [404, "<html>", "unavailable http_404"],
  [408, "", "timeout http_408"],
  [418, "", "error http_418"],
  [429, '{"error":"too many"}', "unavailable blocked"],
  [500, "", "unavailable http_500"],
  [503, "Query took too long to process.", "timeout query_timeout"],
  [503, "Service unavailable", "unavailable http_503"],
  [504, "", "timeout http_504"],
  [200, "Query took too long to process.", "error not_json"],
  [200, '{"error":{"code":429}}', "unavailable blocked"],
  [200, '{"error":{"code":"503"}}', "unavailable http_503"],
  [200, '{"error":{"code":200}}', "error upstream_error"],
  [200, '{"error":{}}', "error upstream_error"],
  [200, '{"error":null}', "error wrong_shape"],
  [200, '{"error":"Unable to geocode"}', "ok"],
];

test("each refusal has its name, in the head or in the body", () => {
  for (const [status, text, wanted] of REFUSALS)
    for (const operation of ["geocode", "reverse"] as const) {
      const intended = readAs("nominatim", new TextEncoder().encode(text), { status, operation });
      const message = intended.ok ? "ok" : `${intended.status} ${intended.reason}`;
      assert.equal(message, wanted, `${status} ${text}`);
      if (intended.ok) assert.deepEqual([intended.value, intended.raw], [[], 0]);
    }
});

test("the operations have ids of their own and ask alike", () => {
  const ids = [geocode, search, reverse].map(({ id }) => id);
  assert.deepEqual(ids, ["nominatim.geocode", "nominatim.search", "nominatim.reverse"]);
  assert.deepEqual(search.request(QUERY, SETTINGS), geocode.request(QUERY, SETTINGS));
  assert.deepEqual([provider.id, provider.name], ["nominatim", "Nominatim"]);
  assert.equal(provider.terms.store, "all");
});
