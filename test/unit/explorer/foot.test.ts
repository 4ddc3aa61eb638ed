/** Ways on foot on the page: its words, its order, its questions, its address, and the pieces of a line. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import fc from "fast-check";
import { LIMITS } from "#api/limits.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { WayBody } from "#api/way.ts";
import { withFetch } from "../../support/with-fetch.ts";

type Walk = { meters: number; seconds: number; step_free: boolean | null };
type State = {
  at: { lat: number; lon: number } | null;
  radius: number;
  minutes: number | null;
  kinds: Set<string>;
  wishes: Set<string>;
  by: "walk" | "line";
};
type Ask = { path: string; query: Record<string, string | number | boolean> };
type Foot = {
  minutesOf(seconds: number): number;
  walkWords(walk: Walk | null | undefined): string | null;
  awayWords(item: { walk?: Walk | null; distance: number }): string;
  stepWords(step_free: boolean | null): string;
  reasonWords(reason: string | null, isStepFree: boolean): string;
  boundWords(state: { radius: number; minutes: number | null }): string;
  leaveWords(left_s: number, walk: Walk | null): { text: string; isMissed: boolean } | null;
};
type Line = { coordinates: [number, number][] } | null;
type Pieces = {
  features: {
    properties: { kind: string };
    geometry: { coordinates: [number, number][] };
  }[];
};
type Geometry = { type: string; coordinates: [number, number][][][] };
type Rings = { features: { properties: { kind: string }; geometry: object }[] };
type Item = { id: string; distance: number; walk: Walk | null; walk_reason: string | null };

const page = (path: string): URL => new URL(`../../../explorer/${path}`, import.meta.url);
const load = async <T>(path: string): Promise<T> => (await import(page(path).href)) as T;
const { loadTexts } = await load<{ loadTexts(assets: string): Promise<void> }>("page/texts.js");
const foot = await load<Foot>("page/foot.js");
const { readState, writeState, reachOf, MINUTES, PACE_MPS } = await load<{
  readState(search: string, start: null): State;
  writeState(state: State): string;
  reachOf(state: { radius: number; minutes: number | null }): number;
  MINUTES: number[];
  PACE_MPS: number;
}>("page/state.js");
const asks =
  await load<Record<string, (state: State, more?: object) => Ask | null>>("data/asks.js");
const { inOrder, readItems } = await load<{
  inOrder(items: Item[], by: State["by"]): Item[];
  readItems(lanes: object, sources: object[], by: State["by"]): Item[];
}>("data/items.js");
const { stepsOf } = await load<{
  stepsOf(item: { layer: string; walk: Walk | null }, way: Walk): boolean | null;
}>("panel/way.js");
const { toWay } = await load<{ toWay(line: Line): Pieces }>("map/way.js");
const { round } = await load<{ round(ring: [number, number][]): [number, number][] }>(
  "map/outline.js",
);
const { toCircle } = await load<{
  toCircle(at: object, radius: number, inner: number, outline?: object | null): Rings;
}>("map/view.js");

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

const walkOf = (seconds: number, step_free: boolean | null = null): Walk => ({
  meters: Math.round(seconds * PACE_MPS),
  seconds,
  step_free,
});
const PARIS = "?at=48.8566,2.3522";

test("minutes are whole and rounded up", () => {
  assert.deepEqual([0, 1, 60, 61, 600, 601].map(foot.minutesOf), [1, 1, 1, 2, 10, 11]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4000 }), (seconds) => {
      const minutes = foot.minutesOf(seconds);
      assert.ok(minutes * 60 >= seconds && (minutes - 1) * 60 < seconds);
    }),
  );
});

test("an unknown way has no minutes: the straight line is said as such", () => {
  const walk = { meters: 430, seconds: 324, step_free: true };
  assert.equal(foot.walkWords(walk), "6 min · 430 m");
  assert.equal(foot.awayWords({ walk, distance: 300 }), "6 min · 430 m on foot");
  for (const unknown of [null, undefined]) {
    assert.equal(foot.walkWords(unknown), null);
    const item = unknown === undefined ? { distance: 300 } : { walk: unknown, distance: 300 };
    assert.equal(foot.awayWords(item), "300 m in a straight line");
    assert.doesNotMatch(foot.awayWords(item), /min/);
  }
});

test("steps are none, some or not known, and the three are distinguished", () => {
  assert.deepEqual([true, false, null].map(foot.stepWords), [
    "No steps",
    "Has steps",
    "Steps: not known",
  ]);
});

test("every reason of the contract is a sentence of its own, and a strange one is no reason", () => {
  const { enum: reasons } = WayBody.properties.reason as unknown as { enum: string[] };
  assert.ok(reasons.length >= 6, String(reasons));
  const sentences = reasons.map((reason) => foot.reasonWords(reason, false));
  for (const text of sentences) assert.match(text, /^[A-Z][^_]*\.$/);
  assert.equal(new Set(sentences).size, reasons.length);
  for (const strange of [null, "brand_new", "__proto__"])
    assert.equal(foot.reasonWords(strange, true), "The way on foot is not known.");
  assert.match(foot.reasonWords("not_reached", true), /without steps/);
});

test("the minutes to leave are rounded down, too late is missed, and nothing is made of what is not known", () => {
  const walk = walkOf(300);
  const textOf = (left_s: number): string | undefined => foot.leaveWords(left_s, walk)?.text;
  assert.deepEqual([299, 300, 359, 360, 539].map(textOf), [
    "missed",
    "leave now",
    "leave now",
    "leave in 1 min",
    "leave in 3 min",
  ]);
  assert.equal(foot.leaveWords(299, walk)?.isMissed, true);
  assert.equal(foot.leaveWords(300, null), null);
  assert.equal(foot.leaveWords(Number.NaN, walk), null);
});

test("the list is by time on foot with unknown ways last, or by the straight line", () => {
  const item = (id: string, distance: number, seconds: number | null): Item => ({
    id,
    distance,
    walk: seconds === null ? null : walkOf(seconds),
    walk_reason: null,
  });
  const items = [item("a", 10, 500), item("b", 20, null), item("c", 30, 60), item("d", 5, null)];
  const ids = (by: State["by"]): string =>
    inOrder(items, by)
      .map(({ id }) => id)
      .join("");
  assert.equal(ids("walk"), "cadb");
  assert.equal(ids("line"), "dabc");
  assert.equal(items.map(({ id }) => id).join(""), "abcd");
});

test("each kind of result has its way, and where none has one, the reason of the answer", () => {
  const at = { location: { lat: 1, lon: 2 }, distance_meters: 9 };
  const walk = walkOf(77);
  const vehicle = { svc_id: "v", network_id: "n", source: { ...at, walk, brand: "B" } };
  const station = { id: "t", name: "T", modes: ["bus"], routes: [], ...at, walk };
  const lanes = (walking: object, way: Walk | null): object => ({
    nearby: toLane({
      walking,
      results: {
        stations: [{ id: "s", name: "S", ...at, walk: way }],
        vehicles: [{ ...vehicle, source: { ...vehicle.source, walk: way } }],
      },
    }),
    services: toLane({
      walking,
      results: [{ id: "p", name: "P", service_type: "toilets", ...at, walk: way }],
    }),
    transport: toLane({ walking, results: { stations: [{ ...station, walk: way }] } }),
  });
  const toLane = (body: object): object => ({ pages: [{ body }], isStale: false, at_ms: 0 });
  const known = readItems(lanes({}, walk), [], "walk");
  assert.deepEqual(known.map(({ id }) => id).toSorted(), ["p", "s", "t", "v"]);
  for (const one of known) assert.deepEqual([one.walk, one.walk_reason], [walk, null], one.id);
  for (const one of readItems(lanes({ reason: "outside_bases" }, null), [], "walk"))
    assert.deepEqual([one.walk, one.walk_reason], [null, "outside_bases"], one.id);
});

test("minutes, wheelchair and order are in the address, and come back from it", () => {
  const given = `${PARIS}&min=10&only=wheelchair&sort=distance&by=line`;
  const state = readState(given, null);
  assert.deepEqual([state.minutes, state.by, [...state.wishes]], [10, "line", ["wheelchair"]]);
  const written = writeState(state);
  assert.match(written, /min=10/);
  assert.match(written, /by=line/);
  assert.deepEqual(readState(written.slice(1), null), state);
  const plain = readState(PARIS, null);
  assert.deepEqual([plain.minutes, plain.by], [null, "walk"]);
  assert.doesNotMatch(writeState(plain), /min=|by=/);
  for (const wrong of ["0", "7", "1e1", " 10", "-5", "999", ""])
    assert.equal(readState(`${PARIS}&min=${wrong}`, null).minutes, null, wrong);
});

test("the searches ask for ways; minutes bound them, the wheelchair changes the profile everywhere", () => {
  const plain = readState(`${PARIS}&r=800`, null);
  const bound = readState(`${PARIS}&r=150&min=15&only=wheelchair`, null);
  for (const name of ["askNearby", "askServices", "askTransport"]) {
    const { query } = asks[name]!(plain)!;
    assert.deepEqual(
      [query["walk"], query["within_minutes"], query["profile"]],
      [true, undefined, undefined],
      name,
    );
    const { query: next } = asks[name]!(bound)!;
    assert.deepEqual(
      [next["walk"], next["within_minutes"], next["profile"]],
      [true, 15, "step_free"],
      name,
    );
  }
  const to = { lat: 48.857, lon: 2.353 };
  assert.equal(asks["askReach"]!(plain), null);
  assert.deepEqual(asks["askReach"]!(bound)!.query, {
    ...{ lat: 48.8566, lon: 2.3522, minutes: 15 },
    ...{ profile: "step_free", families: "stations", format: "geojson" },
  });
  assert.deepEqual(asks["askWalk"]!(plain, to)!.query, {
    from: "48.8566,2.3522",
    to: "48.8570000,2.3530000",
  });
  // No exponent, and no digit of the place is lost: the list has the way to it.
  const exact = asks["askWalk"]!(plain, { lat: 1e-7, lon: 10.1234567 })!.query["to"];
  assert.equal(exact, "0.0000001,10.1234567");
  assert.equal(asks["askWalk"]!(plain, { lat: 0, lon: 100 })!.query["to"], "0.0000000,100.0000000");
  assert.equal(asks["askWalk"]!(bound, to)!.query["profile"], "step_free");
});

test("the circle that is asked for holds all that can be reached, and no more than may be asked", () => {
  assert.equal(PACE_MPS, LIMITS.walk.speed_default);
  assert.equal(reachOf({ radius: 150, minutes: null }), 150);
  for (const minutes of MINUTES) {
    assert.ok(minutes >= LIMITS.walk.minutes_min && minutes <= LIMITS.walk.minutes_max);
    const radius = reachOf({ radius: 150, minutes });
    assert.ok(radius >= minutes * 60 * PACE_MPS && radius < minutes * 60 * PACE_MPS + 1);
    const state = { ...readState(PARIS, null), minutes };
    assert.equal(asks["askServices"]!(state)!.query["radius"], radius);
    assert.ok(Number(asks["askNearby"]!(state)!.query["radius"] ?? 400) <= 400);
  }
  for (const name of ["walk", "within_minutes", "profile"]) assert.ok(name in NEARBY_PARAMETERS);
});

test("a bound is metres of a circle, or minutes on foot", () => {
  assert.equal(foot.boundWords({ radius: 400, minutes: null }), "400 m");
  assert.equal(foot.boundWords({ radius: 400, minutes: 10 }), "10 min on foot");
});

test("the ends of a way off the streets are apart from it, and a piece of no length is none", () => {
  const line = (...coordinates: [number, number][]): Line => ({ coordinates });
  const kinds = (one: Line): string[] =>
    toWay(one).features.map(
      ({ properties, geometry }) => `${properties.kind}:${geometry.coordinates.join(" ")}`,
    );
  assert.deepEqual(kinds(line([0, 0], [0, 1], [1, 1], [2, 1], [2, 2])), [
    "end:0,0 0,1",
    "way:0,1 1,1 2,1",
    "end:2,1 2,2",
  ]);
  assert.deepEqual(kinds(line([0, 0], [0, 0], [1, 1], [2, 2], [2, 2])), ["way:0,0 1,1 2,2"]);
  assert.deepEqual(kinds(line([0, 0], [0, 1], [1, 1])), ["end:0,0 0,1", "end:0,1 1,1"]);
  assert.deepEqual(kinds(line([0, 0], [1, 1])), ["end:0,0 1,1"]);
  for (const none of [null, line(), line([1, 1]), line([1, 1], [1, 1])])
    assert.deepEqual(kinds(none), []);
});

test("the outline is drawn in place of the circle; without polygons the circle stays", () => {
  const at = { lat: 48.8566, lon: 2.3522 };
  const polygon = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  };
  const outline = {
    type: "FeatureCollection",
    features: [
      { type: "Feature", geometry: polygon },
      { type: "Feature", geometry: { type: "Point", coordinates: [0, 0] } },
      { type: "Feature", geometry: null },
    ],
  };
  const kinds = (given?: object | null): string[] =>
    toCircle(at, 800, 400, given).features.map(({ properties }) => properties.kind);
  assert.deepEqual(kinds(outline), ["outline", "mobility"]);
  assert.deepEqual(
    toCircle(at, 300, 400, outline).features.map(({ geometry }) => (geometry as Geometry).type),
    ["MultiPolygon"],
  );
  for (const none of [undefined, null, {}, { features: [] }])
    assert.deepEqual(kinds(none), ["reach", "mobility"]);
});

test("the corners of an outline are round, and it is nowhere farther from what it was than a third of a square", () => {
  const metre = 1 / 111_195;
  const steps = fc.array(fc.tuple(fc.constantFrom(-2, -1, 1, 3), fc.constantFrom(-1, 1, 2)), {
    minLength: 2,
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: -60, max: 60 }), (turns, lat) => {
      const wide = 25 / Math.cos((lat * Math.PI) / 180);
      const ring: [number, number][] = [[5, lat]];
      for (const [east, north] of turns) {
        const [lon, y] = ring.at(-1)!;
        ring.push(
          [lon + east * wide * metre, y],
          [lon + east * wide * metre, y + north * 25 * metre],
        );
      }
      ring.push(ring[0]!);
      const drawn = round(ring);
      assert.deepEqual(drawn.at(-1), drawn[0], "it is closed");
      const narrow = Math.cos((lat * Math.PI) / 180);
      const toMetres = ([lon, y]: [number, number]): [number, number] => [
        ((lon - 5) / metre) * narrow,
        (y - lat) / metre,
      ];
      const was = ring.map(toMetres);
      for (const point of drawn.map(toMetres)) {
        const away = Math.min(...was.slice(1).map((end, n) => offLine(point, was[n]!, end)));
        assert.ok(away <= 8, `${away} m`);
      }
    }),
  );
  assert.deepEqual(round([]), []);
});

/** Metres between a point and a piece of a line. */
function offLine(point: [number, number], a: [number, number], b: [number, number]): number {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  const long = x * x + y * y;
  const along = long === 0 ? 0 : ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / long;
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(point[0] - a[0] - share * x, point[1] - a[1] - share * y);
}

test("the streets to a station of public transport say nothing of steps within it", () => {
  const way = (step_free: boolean | null): Walk => ({ meters: 10, seconds: 8, step_free });
  for (const own of [true, false, null])
    assert.equal(stepsOf({ layer: "transit", walk: way(own) }, way(true)), own);
  assert.equal(stepsOf({ layer: "transit", walk: null }, way(true)), null);
  assert.equal(stepsOf({ layer: "transit", walk: way(null) }, way(false)), false);
  assert.equal(stepsOf({ layer: "service", walk: null }, way(true)), true);
});
