/** The search box: coordinates as they are written, one request at a time, and places that are not alike. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../support/any-text.ts";
import { tries } from "../../support/size.ts";
import { withFetch } from "../../support/with-fetch.ts";

type Point = { lat: number; lon: number };
type Option = { name: string; label: string };
const page = (path: string): URL => new URL(`../../../explorer/${path}`, import.meta.url);
const load = async <T>(path: string): Promise<T> => (await import(page(path).href)) as T;
const { readCoordinates } = await load<{
  readCoordinates(text: string, language?: string): Point | "nowhere" | null;
}>("data/coordinates.js");
const { createPace } = await load<{
  createPace(
    gap_ms: number,
    time: { now(): number; wait(ms: number, signal: AbortSignal): Promise<void> },
  ): <T>(job: () => Promise<T>, signal: AbortSignal) => Promise<T | null>;
}>("data/pace.js");
const { toNamed, isNamed } = await load<{
  toNamed(places: object[], at: Point | null): Option[];
  isNamed(text: string, places: object[]): boolean;
}>("panel/place-options.js");
const { loadTexts } = await load<{ loadTexts(assets: string): Promise<void> }>("page/texts.js");

before(async () => {
  const texts = readFileSync(page("texts/en.json"), "utf8");
  Object.assign(globalThis, {
    document: { documentElement: {} },
    location: { search: "" },
    localStorage: { getItem: () => null },
  });
  await withFetch(
    () => new Response(texts),
    () => loadTexts("/"),
  );
});

test("coordinates are read as people write, copy and share them", () => {
  const near = (text: string, lat: number, lon: number, language = "en"): void => {
    const point = readCoordinates(text, language);
    assert.ok(point !== null && point !== "nowhere", text);
    assert.ok(Math.abs(point.lat - lat) < 1e-6 && Math.abs(point.lon - lon) < 1e-6, text);
  };
  for (const text of [
    ...["48.85, 2.35", "48.85 2.35", " 48.85;2.35 ", "48,85 2,35", "48,85; 2,35"],
    ...["geo:48.85,2.35", "geo:48.85,2.35;u=35", "geo:48.85,2.35?z=17", "GEO:48.85,2.35,12"],
    ...["48.85N 2.35E", "2.35E 48.85N", "48.85° N, 2.35° E", "N 48.85 E 2.35", "48.85n2.35e"],
    ...["48°51′N 2°21′E", "48° 51' 0\" N, 2° 21' 0\" E", "N 48° 51.0' E 2° 21.0'"],
    ...["48°51′00″N, 2°21′00″E", "2°21'E 48°51'N", "48º51’N 2º21’E"],
    "https://www.openstreetmap.org/?mlat=48.85&mlon=2.35#map=15/1/2",
    "https://www.openstreetmap.org/#map=15/48.85/2.35",
    "https://www.google.com/maps/@48.85,2.35,15z",
    "https://www.google.com/maps/place/Name/@1,2,17z/data=!3m1!4b1!3d48.85!4d2.35",
    "https://www.google.com/maps?q=48.85,2.35",
    "https://www.google.com/maps/search/?api=1&query=48.85%2C2.35",
    "https://maps.google.com/?ll=48.85,2.35",
    "https://www.google.com/maps/place/48.85,+2.35",
    "https://maps.apple.com/?ll=48.85,2.35&q=Name",
    "https://vicinity.example/?at=48.850000,2.350000&r=800",
  ])
    near(text, 48.85, 2.35);
  near("33°52′04″S 151°12′36″E", -(33 + 52 / 60 + 4 / 3600), 151.21);
  near("-33.8, -151.2", -33.8, -151.2);
  near("−33.8, −151.2", -33.8, -151.2);
  // An O is east in German and Dutch, west in languages of Latin.
  near("48.85 N 2.35 O", 48.85, 2.35, "de");
  near("48.85 N 2.35 O", 48.85, -2.35, "fr");
  assert.equal(readCoordinates("48.85 N 2.35 O", "en"), null);
});

test("what is no point is a text, and what is none on Earth is said to be none", () => {
  for (const text of ["999, 999", "91 0", "95N 3E", "48°75′N 2°21′E", "geo:91,0"])
    assert.equal(readCoordinates(text), "nowhere", text);
  for (const text of [
    ...["", "Paris", "10115 Berlin", "48", "48.85", "12 rue de Rivoli", "48N 49S", "2E 3E"],
    ...["https://example.org/", "https://www.openstreetmap.org/way/123", "geo:here"],
    "48.85,2.35,".repeat(200),
  ])
    assert.equal(readCoordinates(text), null, text);
  fc.assert(
    fc.property(anyText({ maxLength: 600 }), (text) => {
      const point = readCoordinates(text);
      if (point === null || point === "nowhere") return;
      assert.ok(Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180);
    }),
    { numRuns: tries(200) },
  );
});

test("requests are made one at a time, none sooner than the gap, and those given up are not made", async () => {
  let now_ms = 0;
  let running = 0;
  const begun: [string, number][] = [];
  const pace = createPace(250, {
    now: () => now_ms,
    wait: async (ms) => void (now_ms += ms),
  });
  const job = (name: string, takes_ms: number) => async (): Promise<string> => {
    begun.push([name, now_ms]);
    running += 1;
    assert.equal(running, 1, "one at a time");
    await Promise.resolve();
    now_ms += takes_ms;
    running -= 1;
    if (name === "b") throw new Error("refused");
    return name;
  };
  const given_up = new AbortController();
  const stays = new AbortController().signal;
  const all = Promise.allSettled([
    pace(job("a", 10), stays),
    pace(job("b", 400), stays),
    pace(job("c", 1), given_up.signal),
    pace(job("d", 1), stays),
  ]);
  given_up.abort();
  const results = await all;
  assert.deepEqual(begun, [
    ["a", 0],
    ["b", 250],
    ["d", 650],
  ]);
  assert.deepEqual(
    results.map((one) => (one.status === "fulfilled" ? one.value : "failed")),
    ["a", "failed", null, "d"],
  );
});

test("a place has its type and region, and two that read alike say how far each is", () => {
  const place = (name: string, label: string, type: string, lat: number) => ({
    ...{ name, label, type, location: { lat, lon: 0 } },
    address: { formatted: null },
  });
  const places = [
    place("Vaduz", "Vaduz, Liechtenstein", "city", 47),
    place("Vaduz", "Vaduz, Liechtenstein", "region", 47),
    place("Gare des Docks", "Gare des Docks, Paris", "transit_station", 1),
    place("Gare des Docks", "Gare des Docks, Paris", "transit_station", 2),
    place("", "Rue A, Paris", "unknown", 3),
  ];
  assert.deepEqual(
    toNamed(places, { lat: 0, lon: 0 }).map(({ name, label }) => `${name}: ${label}`),
    [
      "Vaduz: city · Liechtenstein",
      "Vaduz: region · Liechtenstein",
      "Gare des Docks: stop · Paris · 111.2 km",
      "Gare des Docks: stop · Paris · 222.4 km",
      "Rue A, Paris: Rue A, Paris",
    ],
  );
  assert.match(toNamed(places, null)[2]!.label, /1\.00000, 0\.00000$/);
  assert.equal(isNamed("tower tokyo", [place("Tower", "Tower, Tokyo", "poi", 1)]), true);
  assert.equal(isNamed("Eiffel Tower", [place("Tower", "Tower, Tokyo", "poi", 1)]), false);
});
