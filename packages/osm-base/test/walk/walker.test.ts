/** Ways in degrees and metres, and why there is none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Walker } from "../../walk/walker.ts";
import { graphOf, join, mainland, pointOf, type Town } from "./town.ts";

const TOWN: Town = join(mainland([0, 0]), {
  nodes: { a: [100, 0], b: [200, 0], c: [300, 0], i: [0, 400], j: [100, 400] },
  ways: [
    ["west a", { highway: "residential" }],
    ["a b", { highway: "footway" }],
    ["b c", { highway: "steps" }],
    ["i j", { highway: "footway" }],
  ],
});
const FOOTWAY = { highway: "footway" };
const walker = new Walker(graphOf(TOWN));
const at = (x: number, y: number) => {
  const { lat7, lon7 } = pointOf([x, y]);
  return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
};
const foot = { most_m: 1_000, profile: "foot" } as const;

test("a way has the ends off the network in its length, and says what is known of steps", () => {
  const ways = walker.walkTo(at(50, 29.8), [at(80, 0), at(150, -20), at(260, 0)], foot);
  assert.deepEqual(
    ways.map((way) => (typeof way === "string" ? way : [Math.round(way.meters), way.step_free])),
    [
      [60, true],
      [150, null],
      [240, false],
    ],
  );
  const [way] = walker.walkTo(at(50, 29.8), [at(150, -20)], foot);
  assert.ok(typeof way === "object");
  assert.deepEqual([way.from_snap_meters, way.to_snap_meters].map(Math.round), [30, 20]);
});

test("no way has its reason, and is never the beeline", () => {
  const points = [at(50, 101), at(260, 0), at(50, 400)];
  assert.deepEqual(walker.walkTo(at(50, 0), points, { ...foot, most_m: 200 }), [
    "target_off_network",
    "not_reached",
    // An island of two nodes: no point is put there.
    "target_off_network",
  ]);
  assert.deepEqual(
    walker.walkTo(at(50, 200), points, foot),
    points.map(() => "start_off_network"),
  );
});

test("without steps, what lies at stairs is off the network, and what lies next to both is not", () => {
  const points = [at(280, 0), at(205, 0), at(180, 0)];
  const ways = walker.walkTo(at(50, 0), points, { ...foot, profile: "step_free" });
  assert.deepEqual(
    ways.map((way) => (typeof way === "string" ? way : way.step_free)),
    ["target_off_network", null, null],
  );
});

test("a way that is as long as the bound is one", () => {
  const most_m = 160.1;
  assert.equal(typeof walker.walkTo(at(50, 30), [at(150, 30)], { ...foot, most_m })[0], "object");
  assert.equal(
    walker.walkTo(at(50, 30), [at(150, 30)], { ...foot, most_m: 159.9 })[0],
    "not_reached",
  );
});

test("a way is drawn from point to point", () => {
  const way = walker.drawWay(at(50, 30), at(150, -20), foot);
  assert.ok(typeof way === "object");
  const rounded = way.line.map((point) => point.map((value) => value.toFixed(5)));
  const corners = [at(50, 30), at(50, 0), at(100, 0), at(150, 0), at(150, -20)];
  assert.deepEqual(
    rounded,
    corners.map(({ lat, lon }) => [lon.toFixed(5), lat.toFixed(5)]),
  );
  assert.equal(walker.drawWay(at(50, 0), at(50, 400), foot), "target_off_network");
});

test("what can be reached is drawn around the streets that lead there", () => {
  const [polygon] = walker.outline(at(50, 0), { most_m: 120, profile: "foot" })!;
  const [west, east] = [at(-70, 0).lon, at(170, 0).lon];
  const lons = polygon!.flat().map(([lon]) => lon);
  const slack = at(50, 0).lon - at(0, 0).lon;
  assert.ok(Math.abs(Math.min(...lons) - west) < slack);
  assert.ok(Math.abs(Math.max(...lons) - east) < slack);
  assert.equal(walker.outline(at(50, 200), foot), null);
});

test("a point is set down on its edge again as it was the first time", () => {
  const again = new Walker(graphOf(TOWN));
  const points = [at(80, 0), at(260, 0), at(50, 400)];
  for (const profile of ["foot", "step_free"] as const) {
    const first = again.walkTo(at(50, 30), points, { ...foot, profile });
    const second = again.walkTo(at(50, 30), points, { ...foot, profile });
    assert.deepEqual(second, first);
    const fresh = new Walker(graphOf(TOWN));
    assert.deepEqual(first, fresh.walkTo(at(50, 30), points, { ...foot, profile }));
    assert.equal(typeof first[1], profile === "foot" ? "object" : "string");
  }
  assert.equal(again.looked_m, foot.most_m);
});

test("no way is certain to have no step whose end is far from every street", () => {
  const stepFreeOf = (start: number, end: number): unknown => {
    const [way] = walker.walkTo(at(50, start), [at(80, end)], foot);
    return typeof way === "object" ? way.step_free : way;
  };
  assert.deepEqual(
    [stepFreeOf(29, 29), stepFreeOf(29, 31), stepFreeOf(-31, 29)],
    [true, null, null],
  );
  const [stairs] = walker.walkTo(at(50, 90), [at(260, 0)], foot);
  assert.ok(typeof stairs === "object" && stairs.step_free === false);
});

test("what is nearer than the nearest street is not known to be further away than the bound", () => {
  const near = { ...foot, most_m: 160 };
  const points = [at(52, 95), at(50, 90), at(50, 5), at(80, -90)];
  assert.deepEqual(
    walker.walkTo(at(50, 90), points, near).map((way) => (typeof way === "string" ? way : "way")),
    ["no_street_between", "no_street_between", "way", "not_reached"],
  );
  const [long] = walker.walkTo(at(50, 90), [at(52, 95)], foot);
  assert.ok(typeof long === "object" && long.meters > 180);
});

test("what too many long shapes hide from a question is unknown, and never put on another street", () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `n${i}`);
  const corners = Array.from({ length: 100 }, (_, i) => `p${i}`);
  const road = join(mainland([0, 0]), {
    nodes: {
      ...Object.fromEntries(names.map((name, i) => [name, [i / 10, 60]])),
      ...Object.fromEntries(corners.map((name, i) => [name, [5 * i, 20]])),
    },
    ways: [
      [`west ${names[0]}`, { highway: "footway" }],
      [names.join(" "), { highway: "footway" }],
      [`west ${corners[0]}`, { highway: "footway" }],
      ...corners.slice(1).map((name, i) => [`${corners[i]} ${name}`, FOOTWAY] as const),
    ],
  });
  const graph = graphOf(road);
  const points = Array.from({ length: 400 }, (_, i) => at(1 + i, 50));
  const ways = new Walker(graph).walkTo(at(50, 10), points, foot);
  const found = ways.filter((way) => typeof way === "object");
  assert.ok(found.length > 0 && found.length < points.length, String(found.length));
  for (const { to_snap_meters } of found) assert.ok(to_snap_meters < 11, String(to_snap_meters));
  assert.ok(ways.slice(found.length).every((way) => way === "target_off_network"));
  const [alone] = new Walker(graph).walkTo(at(50, 10), [points[found.length]!], foot);
  assert.ok(typeof alone === "object");
});
