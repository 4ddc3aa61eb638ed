/** Photon: what is asked, word for word, and what the pairs of the fixtures mean. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import provider, { photonGeocoder } from "#providers/photon/index.ts";
import { toLookup } from "#providers/source.ts";
import { checkPairs, QUERY, SETTINGS } from "../open-geocoding/support.ts";

const geocode = toLookup(provider, photonGeocoder.geocode);
const search = toLookup(provider, photonGeocoder.search);
const reverse = toLookup(provider, photonGeocoder.reverse);

function ask(query: object, settings: object = {}) {
  const request = geocode.request({ ...QUERY, ...query }, { ...SETTINGS, ...settings });
  const { origin, pathname, searchParams } = new URL(request.url);
  return { request, address: origin + pathname, params: Object.fromEntries(searchParams) };
}

test("every recorded body is read as expected", () => {
  checkPairs("photon", 12);
});

test("a question in words", () => {
  const { request, address, params } = ask({ q: "10 rue des Lilas", country: "FX" });
  assert.equal(address, "https://geocoder.example/api");
  assert.deepEqual(params, { q: "10 rue des Lilas", limit: "5", countrycode: "FX", lang: "en" });
  assert.deepEqual(request.headers, { "accept-language": "en" });
  assert.equal(request.timeout_ms, 2_500);
  assert.equal(request.max_bytes, provider.limits.max_bytes);
  assert.ok(request.refusal_bytes! >= 1_024);
});

test("the caller's position is sent as a bias, rounded, both or none", () => {
  const near = { lat: 48.123_456_7, lon: -0.000_04 };
  const { params } = ask({ near });
  assert.deepEqual([params["lat"], params["lon"], params["zoom"]], ["48.123", "0", "14"]);
  const none = ask({}).params;
  assert.deepEqual(Object.keys(none), ["q", "limit", "lang"]);
});

test("a language that the server lacks is asked for in the header only", () => {
  const cases: [string | null, string | undefined, string][] = [
    [null, "en", "en"],
    ["fr", "fr", "fr"],
    ["FR-ca", "fr", "FR-ca"],
    ["it", undefined, "it"],
    ["bad\r\nx-y: z", "en", "en"],
    ["*", "en", "en"],
  ];
  for (const [language, lang, header] of cases) {
    const { request, params } = ask({ language });
    assert.equal(params["lang"], lang, `${language}`);
    assert.equal(request.headers!["accept-language"], header, `${language}`);
  }
  assert.equal(ask({}, { languages: [] }).params["lang"], undefined);
  assert.equal(ask({ language: "pt-BR" }, { languages: ["pt", "pt-br"] }).params["lang"], "pt-br");
});

test("a server that cannot filter is asked for more, and only then", () => {
  const old = { countrycode: false };
  const filtered = ask({ country: "FX" }, old).params;
  assert.deepEqual([filtered["limit"], filtered["countrycode"]], ["20", undefined]);
  assert.equal(ask({}, old).params["limit"], "5");
});

test("a server that filters is believed", () => {
  const text = JSON.stringify({
    features: [
      { geometry: { coordinates: [2, 48] }, properties: { name: "A", countrycode: "QQ" } },
    ],
  });
  const wire = { status: 200, content_type: null, body: new TextEncoder().encode(text) };
  const query = { ...QUERY, country: "FX" };
  const count = (countrycode: boolean): number => {
    const settings = { ...SETTINGS, countrycode };
    const read = geocode.read(wire, query, { settings, trail: createTrail() });
    return read.ok ? read.value.length : -1;
  };
  assert.deepEqual([count(true), count(false)], [1, 0]);
});

test("a question about a place", () => {
  const query = { lat: 48.123_456_78, lon: -0.000_000_4, language: "de" };
  const { url, headers } = reverse.request(query, SETTINGS);
  assert.equal(url, "https://geocoder.example/reverse?lat=48.123457&lon=0&limit=5&lang=de");
  assert.deepEqual(headers, { "accept-language": "de" });
  const tiny = reverse.request({ lat: 0.000_001, lon: 0.1 + 0.2, language: null }, SETTINGS);
  assert.match(tiny.url, /lat=0\.000001&lon=0\.3&/);
});

test("any script survives the way into the address", () => {
  for (const q of [
    "Łódź & ß=é+#?",
    "東京 駅",
    "🚲 café",
    "שדרות רוטשילד",
    "ab\u200Fc",
    "100% 2/3",
  ]) {
    const { request, params } = ask({ q });
    assert.equal(params["q"], q);
    assert.match(request.url, /^[!-~]+$/);
    assert.ok(!request.url.includes("+"));
  }
  assert.equal(ask({ q: "half \ud83d pair" }).params["q"], "half \ufffd pair");
});

test("equal questions have equal keys, others have others", () => {
  const near = { lat: 48.1, lon: 2.1 };
  const same = geocode.keyOf({ ...QUERY, near: { lat: 48.100_01, lon: 2.1 } });
  assert.equal(geocode.keyOf({ ...QUERY, near }), same);
  assert.equal(geocode.keyOf({ ...QUERY, language: "en" }), geocode.keyOf(QUERY));
  const others = [
    ...[QUERY, { ...QUERY, q: "x" }, { ...QUERY, language: "fr" }, { ...QUERY, country: "FX" }],
    ...[
      { ...QUERY, near },
      { ...QUERY, near: { lat: 2.1, lon: 48.1 } },
    ],
  ];
  assert.equal(new Set(others.map((query) => geocode.keyOf(query))).size, others.length);
  const at = { lat: 48, lon: 2, language: null };
  assert.equal(reverse.keyOf(at), reverse.keyOf({ ...at, lat: 48.000_000_1 }));
  assert.notEqual(reverse.keyOf(at), reverse.keyOf({ ...at, lat: 48.000_01 }));
});

test("the operations have ids of their own and ask alike", () => {
  const ids = [geocode, search, reverse].map(({ id }) => id);
  assert.deepEqual(ids, ["photon.geocode", "photon.search", "photon.reverse"]);
  assert.deepEqual(search.request(QUERY, SETTINGS), geocode.request(QUERY, SETTINGS));
  assert.deepEqual([provider.id, provider.name, provider.kind], ["photon", "Photon", "lookup"]);
  assert.equal(provider.terms.attribution, "© OpenStreetMap contributors");
});
