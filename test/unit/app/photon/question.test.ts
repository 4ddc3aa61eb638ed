/** Questions in Photon's parameters: what is read of them, and what is refused (places.md 2.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LOCAL, localCountryName, preferredLanguage } from "#app/photon/language.ts";
import { readReverse, readSearch } from "#app/photon/photon-question.ts";
import { passesTags, readTagFilter } from "#app/photon/tag-filter.ts";

const requestOf = (text: string, accepted_languages?: string) => ({
  ...{ query: new URLSearchParams(text), accepted_languages },
});

function search(text: string, accepted?: string) {
  const read = readSearch(requestOf(text, accepted));
  return read.ok ? read.value : assert.fail(read.message);
}

function refusal(text: string, read: typeof readSearch | typeof readReverse = readSearch): string {
  const result = read(requestOf(text));
  return result.ok ? "" : result.message;
}

test("a question with nothing but a term", () => {
  assert.deepEqual(search("q=+berlin+"), {
    ...{ q: "berlin", near: null, box: null, countries: [] },
    ...{ limit: 15, language: LOCAL, layers: [], tags: [] },
  });
});

test("a question with every parameter", () => {
  const common = "lang=de&limit=3&layer=city&layer=house&osm_tag=place:city&osm_tag=!highway";
  const ignored = "zoom=12&location_bias_scale=0.2&dedupe=0&debug=1&geometry=false&token=x";
  const read = search(`q=a&${common}&${ignored}&lat=1.5&lon=-2&bbox=4,3,2,1&countrycode=de`);
  assert.deepEqual(
    { ...read, tags: read.tags.length },
    {
      ...{ q: "a", near: { lat: 1.5, lon: -2 }, countries: ["DE"] },
      box: { south: 1, west: 2, north: 3, east: 4 },
      ...{ limit: 3, language: "de", layers: ["city", "house"], tags: 2 },
    },
  );
});

test("a reverse question", () => {
  const read = readReverse(requestOf("lat=47&lon=9&radius=0.5"));
  assert.deepEqual(read, {
    ok: true,
    value: {
      ...{ at: { lat: 47, lon: 9 }, radius_m: 500 },
      ...{ limit: 1, language: LOCAL, layers: [], tags: [] },
    },
  });
  const far = readReverse(requestOf("lat=47&lon=9&radius=9999999"));
  assert.equal(far.ok && far.value.radius_m, 5_000_000);
});

test("a limit is between 1 and 50, whatever is asked for", () => {
  const limits = ["0", "-4", "1", "50", "51", "1e9"].map((n) => search(`q=a&limit=${n}`).limit);
  assert.deepEqual(limits, [1, 1, 1, 50, 50, 50]);
});

test("what cannot be read is refused, with the name of the parameter", () => {
  const cases: [string, RegExp][] = [
    ["", /'q'/],
    ["q=+", /'q'/],
    ["q=a&limit=x", /'limit'/],
    ["q=a&limit=1.5", /'limit'/],
    ["q=a&lat=1", /'lon'/],
    ["q=a&lon=1", /'lat'/],
    ["q=a&lat=91&lon=1", /'lat'/],
    ["q=a&lat=NaN&lon=1", /'lat'/],
    ["q=a&zoom=high", /'zoom'/],
    ["q=a&bbox=1,2,3", /'bbox'/],
    ["q=a&bbox=1,2,3,x", /'bbox'/],
    ["q=a&bbox=1,2,3,99", /'bbox'/],
    ["q=a&layer=planet", /layer/],
    ["q=a&osm_tag=a:b:c", /'osm_tag'/],
    ["q=a&lang=not+one", /[Ll]anguage/],
    ["q=a&include=osm.shop", /'include'/],
    ["q=a&geometry=true", /Geometry/],
    ["q=a&radius=1", /'radius'/],
    ["q=a&limit=1&whatever=1", /'whatever'/],
    [`q=a${"&osm_tag=shop".repeat(33)}`, /'osm_tag'/],
  ];
  for (const [text, message] of cases) assert.match(refusal(text), message, text);
  for (const text of ["q=a%00b", "q=a%0Ab", "q=a&osm_tag=amenity:%1B", "q=a&countrycode=%7F"])
    assert.match(refusal(text), /'(q|osm_tag|countrycode)': a control character/, text);
  assert.match(refusal("lat=1", readReverse), /'lon'/);
  assert.match(refusal("", readReverse), /'lat'/);
  assert.match(refusal("lat=1&lon=1&radius=-1", readReverse), /'radius'/);
  assert.match(refusal("lat=1&lon=1&q=a", readReverse), /'q'/);
});

test("no text makes the reader throw, and what it reads is within its bounds", () => {
  const names = ["q", "lat", "lon", "limit", "bbox", "osm_tag", "layer", "lang", "radius", "x"];
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.constantFrom("1", "-1", "1,2,3,4"),
  );
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 });
  fc.assert(
    fc.property(pairs, fc.string(), (input, accepted_languages) => {
      const query = new URLSearchParams(input);
      const read = readSearch({ query, accepted_languages });
      const back = readReverse({ query, accepted_languages });
      for (const each of [read, back]) {
        if (!each.ok) return assert.notEqual(each.message, "");
        assert.ok(each.value.limit >= 1 && each.value.limit <= 50);
      }
      if (read.ok) assert.notEqual(read.value.q, "");
      if (back.ok) assert.ok(Math.abs(back.value.at.lat) <= 90);
    }),
  );
});

test("the language: the parameter, else the header, else the local one", () => {
  assert.equal(search("q=a", "fr").language, "fr");
  assert.equal(search("q=a&lang=default", "fr").language, LOCAL);
  const headers: [string | undefined, string][] = [
    [undefined, LOCAL],
    ["", LOCAL],
    ["*", LOCAL],
    ["de-CH, en;q=0.9", "de-CH"],
    ["en;q=0.2, fr;q=0.8", "fr"],
    ["en;q=0", LOCAL],
    ["en;q=bad, it", "it"],
  ];
  for (const [header, tag] of headers) assert.equal(preferredLanguage(header), tag, String(header));
  assert.equal(localCountryName("DE"), "Deutschland");
  assert.equal(localCountryName("FI"), "Suomi");
  for (const text of ["", "X", "D!", "CH;LI", "ZZ", "XX", "QQ"])
    assert.equal(typeof localCountryName(text), "string");
  assert.equal(localCountryName("CH;LI"), "CH;LI");
});

test("filters by the main tag", () => {
  const cafe = { osm_key: "amenity", osm_value: "cafe" };
  const cases: [string[], boolean][] = [
    [[], true],
    [["amenity"], true],
    [["shop"], false],
    [["shop", "amenity"], true],
    [["amenity:cafe"], true],
    [["amenity:bar"], false],
    [[":cafe"], true],
    [[":bar"], false],
    [["!amenity"], false],
    [["!shop"], true],
    [["!amenity:cafe"], false],
    [["!amenity:bar"], true],
    [[":!cafe"], false],
    [["amenity:!cafe"], false],
    [["amenity:!bar"], true],
    [["shop:!bar"], false],
    [["amenity", "!amenity:cafe"], false],
  ];
  for (const [texts, passes] of cases) {
    const filters = texts.map((text) => readTagFilter(text) ?? assert.fail(text));
    assert.equal(passesTags(cafe, filters), passes, texts.join(" "));
  }
  for (const text of ["", "!", ":", "a:", "a:b:c", ":!"])
    assert.equal(readTagFilter(text), null, text);
});
