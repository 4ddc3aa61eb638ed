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

const HOUSE: Town = join(mainland([0, 0]), {
  nodes: {
    ...{ a: [100, 0], b: [200, 0], c: [300, 0], d: [200, 80] },
    ...{ sw: [110, 5], se: [190, 5], ne: [190, 60], nw: [110, 60] },
    door: [190, 30, { entrance: "main", wheelchair: "yes" }],
    stairs: [150, 60, { entrance: "yes", wheelchair: "no" }],
    flats: [150, 5, { entrance: "staircase" }],
  },
  ways: [
    ["west a b c", { highway: "residential" }],
    ["b d", { highway: "footway", surface: "asphalt" }],
    ["sw flats se door ne stairs nw sw", { building: "retail" }],
  ],
});

test("a place in a building is entered by a door of it, and not through the wall", () => {
  const indoors = new Walker(graphOf(HOUSE));
  const inside = at(150, 10);
  const [way, outside] = indoors.walkTo(at(50, 0), [inside, at(150, -4)], foot);
  assert.ok(typeof way === "object" && typeof outside === "object");
  // 150 m to the footway, 30 along it, 10 to the door, and the rest inside.
  assert.ok(Math.abs(way.meters - (150 + 30 + 10 + Math.hypot(40, 20))) < 0.2, String(way.meters));
  assert.ok(Math.abs(way.to_snap_meters - (10 + Math.hypot(40, 20))) < 0.2);
  assert.equal(way.step_free, null, "44 m of ground of which nothing is known");
  assert.equal(Math.round(outside.meters), 104);
  const [next] = indoors.walkTo(at(50, 0), [at(185, 30)], foot);
  assert.ok(typeof next === "object");
  assert.equal(next.step_free, true);
});

test("without steps a door with a step is none, and of a building with no other there is no way", () => {
  const { door, ...others } = HOUSE.nodes;
  const ways = HOUSE.ways.map(([line, tags]) => [line.replace(" door", ""), tags] as const);
  const upstairs = new Walker(graphOf({ nodes: others, ways }));
  assert.ok(door);
  const [walked] = upstairs.walkTo(at(50, 0), [at(150, 50)], foot);
  assert.equal(typeof walked === "object" && walked.step_free, false);
  const step_free = { ...foot, profile: "step_free" } as const;
  assert.deepEqual(upstairs.walkTo(at(50, 0), [at(150, 50)], step_free), ["target_off_network"]);
});

test("from within a building its doors are not passed, and the line of a way has the door", () => {
  const indoors = new Walker(graphOf(HOUSE));
  const [way] = indoors.walkTo(at(120, 10), [at(150, 10)], foot);
  assert.ok(typeof way === "object");
  assert.equal(Math.round(way.meters), 50);
  const drawn = indoors.drawWay(at(50, 0), at(150, 10), foot);
  assert.ok(typeof drawn === "object");
  const { lat, lon } = at(190, 30);
  assert.deepEqual(
    drawn.line.at(-2)!.map((value) => value.toFixed(6)),
    [lon.toFixed(6), lat.toFixed(6)],
  );
});
