/** What the detail of a thing says and where it leads, as far as it needs no browser. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import fc from "fast-check";
import { FACTS } from "#api/attributes.ts";
import { FORM_FACTORS, PROPULSIONS } from "#api/tokens.ts";
import { distance_m } from "#kit/geo.ts";
import { REASON_CODES } from "#stations/identity/weights.ts";
import { withFetch } from "../../support/with-fetch.ts";

type Platform = "android" | "apple" | "other";
type Hrefs = {
  platformOf(navigator: { userAgentData?: { platform?: string }; userAgent?: string }): Platform;
  toDirections(item: object, platform: Platform): string;
  toRent(uris: unknown, platform: Platform): { href: string; isApp: boolean } | null;
};
type Names = {
  systemOf(observation: { source_id: string; entity_id?: string }): string;
  namesOf(observations: object[], sources: object[]): Map<string, string>;
};
type Reasons = {
  metresBetween(a: unknown, b: unknown): number | null;
  toReasons(reasons: string[], metres: number | null): { text: string; isFor: boolean }[];
  toCertainty(share: unknown): string | null;
};
type Texts = { loadTexts(assets: string): Promise<void>; hasText(key: string): boolean };

const page = (path: string): URL => new URL(`../../../explorer/${path}`, import.meta.url);
const load = async <T>(path: string): Promise<T> => (await import(page(path).href)) as T;
const { platformOf, toDirections, toRent } = await load<Hrefs>("panel/hrefs.js");
const { systemOf, namesOf } = await load<Names>("panel/names.js");
const { metresBetween, toReasons, toCertainty } = await load<Reasons>("panel/reasons.js");
const { toRules } = await load<{ toRules(rule: object): string[] }>("panel/zones.js");
const { toRates } = await load<{ toRates(price: object): string[] }>("panel/prices.js");
const { feeOf, spacesOf } = await load<{
  feeOf(features: unknown): string | null;
  spacesOf(free: unknown, total: unknown): string;
}>("panel/places.js");
const { toCost } = await load<{ toCost(ride: object): string }>("panel/prices.js");
const { toRows } = await load<{ toRows(debug: object): object[] }>("panel/answer.js");
const { routeColors } = await load<{ routeColors(route: object): Record<string, string> }>(
  "panel/colors.js",
);
const { loadTexts, hasText } = await load<Texts>("page/texts.js");

before(async () => {
  const english = readFileSync(page("texts/en.json"), "utf8");
  const input = globalThis as unknown as Record<string, unknown>;
  input["location"] = { search: "?lang=en" };
  input["document"] = { documentElement: {} };
  await withFetch(
    () => new Response(english),
    () => loadTexts(""),
  );
});

const PLATFORMS = ["android", "apple", "other"] as const;

test("the platform is that of the browser's hints, else of its user agent", () => {
  assert.equal(platformOf({ userAgentData: { platform: "Android" }, userAgent: "X" }), "android");
  assert.equal(platformOf({ userAgent: "Mozilla/5.0 (Linux; Android 15; Pixel)" }), "android");
  assert.equal(platformOf({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" }), "apple");
  assert.equal(platformOf({ userAgentData: { platform: "macOS" } }), "apple");
  assert.equal(platformOf({ userAgent: "Mozilla/5.0 (X11; Linux x86_64)" }), "other");
});

test("directions lead to https or geo, whatever a thing is called", () => {
  const names = fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("\ud800 a&b=c#d%20)"));
  fc.assert(
    fc.property(names, fc.constantFrom(...PLATFORMS), (name, platform) => {
      const item = { lat: 48.5, lon: -2.25, name, onMap: true, raw: {} };
      const { protocol, href } = new URL(toDirections(item, platform));
      assert.equal(protocol, platform === "android" ? "geo:" : "https:");
      assert.match(decodeURIComponent(href), /48\.500000,-2\.250000/);
      if (platform !== "android") return;
      const label = decodeURIComponent(href.slice(href.indexOf("?q=") + 3));
      assert.equal(label, `48.500000,-2.250000(${name.toWellFormed()})`);
    }),
  );
});

test("what a ride costs is in money of its country, and said to be the least where something is left out", () => {
  const ride = { amount: 3.5, currency: "EUR", minutes: 10, assumptions: [] };
  assert.equal(toCost(ride), "about €3.50 for 10 min");
  assert.equal(toCost({ ...ride, amount: 200, currency: "JPY" }), "about ¥200 for 10 min");
  const least = { ...ride, assumptions: ["distance_not_counted"] };
  assert.equal(toCost(least), "at least €3.50 for 10 min");
});

test("a place that may be on no other map is shown on its own", () => {
  const raw = { attributes: { maps_place_id: "a&b" } };
  const item = { lat: 1, lon: 2, name: "x", onMap: false, raw };
  for (const platform of PLATFORMS) {
    const { host, searchParams } = new URL(toDirections(item, platform));
    assert.equal(host, "www.google.com");
    assert.equal(searchParams.get("destination"), "1.000000,2.000000");
    assert.equal(searchParams.get("destination_place_id"), "a&b");
  }
});

test("a rental link is https, or of an app on its own platform", () => {
  const uris = { web: "https://a.example/w", ios: "velo://s/1", android: "https://a.example/a" };
  assert.deepEqual(toRent(uris, "apple"), { href: "velo://s/1", isApp: true });
  assert.deepEqual(toRent(uris, "android"), { href: "https://a.example/a", isApp: true });
  assert.deepEqual(toRent(uris, "other"), { href: "https://a.example/w", isApp: false });
  assert.equal(toRent({ ios: "velo://s/1" }, "other"), null);
  assert.equal(toRent(undefined, "other"), null);
});

test("no rental link runs or reads anything", () => {
  const schemes = [
    "javascript",
    "JavaScript",
    "data",
    "vbscript",
    "file",
    "blob",
    "intent",
    "http",
  ];
  const link = fc.oneof(
    fc.constantFrom(...schemes).chain((scheme) => fc.string().map((text) => `${scheme}://${text}`)),
    fc.constantFrom(...schemes).map((scheme) => `${scheme}:alert(1)`),
    fc.constantFrom(
      " java\nscript://%0aalert(1)",
      "\u0000javascript://x",
      "//evil.example",
      "velo:x",
    ),
    fc.constant("https://user@evil.example/"),
  );
  fc.assert(
    fc.property(link, fc.constantFrom(...PLATFORMS), (uri, platform) => {
      assert.equal(toRent({ web: uri, ios: uri, android: uri }, platform), null);
    }),
  );
});

test("the system of an observation is what precedes its id, colons or not", () => {
  const source_id = "tokyo-sakura-cycle:JPTOK:Station:790001";
  assert.equal(systemOf({ source_id, entity_id: "JPTOK:Station:790001" }), "tokyo-sakura-cycle");
  assert.equal(systemOf({ source_id: "openstreetmap" }), "openstreetmap");
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (system, entity_id) => {
      assert.equal(systemOf({ source_id: `${system}:${entity_id}`, entity_id }), system);
    }),
  );
});

test("sources have the names that users know, and two of one name are distinguished", () => {
  const sources = [
    { id: "velo", name: "Vélo Seine" },
    { id: "velo2", name: "Vélo Seine" },
    { id: "citybikes:velo", name: "Vélo Seine" },
  ];
  const seen = [
    { source_id: "velo:A:1", entity_id: "A:1", source: "gbfs", provider: "Société" },
    { source_id: "citybikes:velo:2", entity_id: "2", source: "citybikes", provider: "Société" },
  ];
  assert.deepEqual([...namesOf(seen, sources).values()], ["Vélo Seine", "CityBikes"]);
  const twins = [
    { source_id: "velo:1", entity_id: "1", source: "gbfs" },
    { source_id: "velo2:1", entity_id: "1", source: "gbfs_aggregator" },
  ];
  const names = [...namesOf(twins, sources).values()];
  assert.equal(new Set(names).size, 2);
  for (const name of names) assert.match(name, /^Vélo Seine \(.+ feeds?\)$/);
  assert.deepEqual([...namesOf([{ source_id: "x:1", entity_id: "1" }], []).values()], ["x"]);
});

test("every finding is a sentence, and one that is not known is in its own words", () => {
  const codes = [...REASON_CODES, "too_far", "override", "succession"];
  for (const code of codes)
    for (const metres of [null, 12]) {
      const [reason] = toReasons([`${code} +1`], metres);
      assert.match(reason?.text ?? "", /^[A-Z][^_]*\.$/, code);
      assert.notEqual(reason?.text.toLowerCase(), `${code.replaceAll("_", " ")}.`, code);
    }
  assert.deepEqual(toReasons(["brand_new -2"], null), [{ text: "Brand new.", isFor: false }]);
  assert.deepEqual(
    toReasons(["name_equal +6", "name_literal +3"], null).map(({ text }) => text),
    ["The names are equal."],
  );
  assert.match(toReasons(["distance +2.7"], 3.2)[0]?.text ?? "", /is 3 m from/);
});

test("certainty is in words, and none is made up", () => {
  const reported = [0.3, 0.7, 0.95, 1].map(toCertainty);
  assert.equal(new Set(reported).size, 4);
  assert.equal(toCertainty(undefined), null);
});

test("distances between observations agree with those of the service", () => {
  const near = fc.double({ min: -0.005, max: 0.005, noNaN: true });
  const lat = fc.double({ min: -80, max: 80, noNaN: true });
  const lon = fc.constantFrom(-179.999, 0, 2.35, 179.999);
  fc.assert(
    fc.property(lat, lon, near, near, (y, x, dy, dx) => {
      const turned = ((x + dx + 540) % 360) - 180;
      const metres = metresBetween({ lat: y, lon: x }, { lat: y + dy, lon: turned });
      const expected = distance_m(y, x, y + dy, turned);
      assert.ok(
        Math.abs((metres ?? 0) - expected) <= 0.01 * expected + 0.01,
        `${metres} ${expected}`,
      );
    }),
  );
  assert.equal(metresBetween(null, { lat: 1, lon: 1 }), null);
});

test("every fact, value and kind of vehicle of the contract has its words", () => {
  /** Shown in forms of their own. */
  const apart = new Set(["charge", "usable", "upvotes", "downvotes", "image_url", "season"]);
  for (const { name, type, ...rest } of FACTS) {
    if (apart.has(name) || type === "record" || type === "records") continue;
    assert.ok(hasText(`attr.${name}`), name);
    const values: readonly string[] = "values" in rest ? rest.values : [];
    for (const value of values)
      assert.ok(
        hasText(`attr.${name}.${value}`) || hasText(`attr.${value}`) || name === "drinking_water",
        `${name} ${value}`,
      );
  }
  for (const form of FORM_FACTORS) assert.ok(hasText(`attr.form.${form}`), form);
  for (const one of PROPULSIONS) assert.ok(hasText(`attr.propulsion.${one}`), one);
});

test("a rule of a zone is whole sentences; what it does not state is not said", () => {
  assert.deepEqual(toRules({}), []);
  assert.deepEqual(toRules({ ride_end_allowed: true, station_parking: true }), [
    "You may end a ride at a station only.",
  ]);
  const rule = { ride_start_allowed: false, ride_through_allowed: true, maximum_speed_kph: 8 };
  assert.deepEqual(toRules(rule), ["You may not start a ride.", "The speed limit is 8 km/h."]);
});

test("the price of a car park is what its features say, and else not known", () => {
  assert.equal(feeOf(["paid_parking"]), "costs money");
  assert.equal(feeOf(["free_street_parking"]), "free of charge");
  assert.equal(feeOf(["free_parking", "paid_garage_parking"]), "partly free, partly paid");
  for (const unknown of [[], ["valet_parking"], null, "paid_"]) assert.equal(feeOf(unknown), null);
});

test("spaces of which none is known to be free are no connectors", () => {
  assert.equal(spacesOf(42, 319), "42 of 319 free");
  assert.equal(spacesOf(undefined, 400), "not known how many are free");
});

test("rates of a place are said where they are numbers, and nothing is said of unknown ones", () => {
  const none = { currency: null, unlock: null, per_minute: null, per_kwh: null };
  const rates = { ...none, currency: "EUR", per_hour: 2, per_kwh: 0.395 };
  assert.deepEqual(toRates(rates), ["€2.00 per hour", "€0.395 per kWh"]);
  assert.deepEqual(toRates({ ...none, currency: "EUR", unlock: 0 }), ["€0.00 to begin"]);
  assert.deepEqual(toRates({ ...none, text: "2 per hour" }), []);
  assert.deepEqual(toRates({ ...none, per_minute: 2 }), []);
});

test("counts and times that an answer does not state stay unknown", () => {
  const empty = { status: "error", reason: null, ms: null, cache: null, age_s: null };
  assert.deepEqual(toRows({ providers: { a: { status: "error" } } }), [
    { id: "a", ...empty, seen: null, used: null },
  ]);
  assert.deepEqual(toRows({ sources: [{ source_id: "b", status: "error", raw_count: 0 }] }), [
    { id: "b", ...empty, seen: 0, used: null },
  ]);
  assert.deepEqual(toRows({}), []);
});

test("the name of a line can be read on its colour, whatever its publisher chose", () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => n.toString(16).padStart(6, "0"));
  fc.assert(
    fc.property(hex, hex, (color, text_color) => {
      const style = routeColors({ color, text_color });
      const [a, b] = [light(style["--route"]!), light(style["--route-text"]!)];
      assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 4.5, `${color} ${text_color}`);
    }),
  );
  assert.deepEqual(routeColors({ color: "red;x", text_color: "FFFFFF" }), {});
});

/** Relative luminance of `#rrggbb`. */
function light(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
