/**
 * From a closed gate one leaves on both sides. Who began at the gate and went to a door along the
 * street behind it was sent to the street's other end and back, or learnt that no way leads there:
 * where a way comes to the street of its target, every closed gate ended it, the one at the start too.
 * What is reached on foot in some minutes was drawn without that street, for the same reason.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createWalkSection, openWalk, Walker, type WalkMeta } from "#osm/walking.ts";

const [LAT7, LON7] = [480_000_000, 90_000_000];
/** Ten-millionths of a degree of latitude in 10 m. */
const TEN_M7 = 899;
const NODES = 121;
const GATE = 60;
const STREET = new Map([["highway", "residential"]]);

/** A street to the north of 1,200 m, one way up to the gate in its middle and one behind it. */
function openStreet(): Walker {
  const section = createWalkSection();
  const tags = new Map([
    ["barrier", "gate"],
    ["access", "private"],
  ]);
  section.node({ type: "node", id: GATE, lat7: LAT7 + GATE * TEN_M7, lon7: LON7, tags });
  for (const [id, from, to] of [
    [1, 0, GATE],
    [2, GATE, NODES - 1],
  ] as const) {
    const nodes = Float64Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const points = Int32Array.from([...nodes].flatMap((node) => [LAT7 + node * TEN_M7, LON7]));
    section.way({ type: "way", id, tags: STREET, nodes, points, closed: false });
  }
  const steps = section.finish();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { columns, meta } = step.value as { columns: object; meta: WalkMeta };
  const named = Object.entries(columns).map(([name, column]) => [`walk.${name}`, column]);
  return new Walker(openWalk(Object.fromEntries(named), meta)!);
}

const at = (metres: number) => ({ lat: (LAT7 + (metres / 10) * TEN_M7) / 1e7, lon: LON7 / 1e7 });
const walker = openStreet();

for (const metres of [500, 580, 620, 700])
  test(`from the gate it is ${Math.abs(metres - 600)} m to a door ${metres > 600 ? "behind" : "before"} it`, () => {
    const [way] = walker.walkTo(at(600), [at(metres)], { most_m: 2_000, profile: "foot" });
    assert.ok(typeof way === "object", JSON.stringify(way));
    assert.ok(Math.abs(way.meters - Math.abs(metres - 600)) < 1, String(way.meters));
  });

test("what is reached from the gate lies on both of its sides", () => {
  const outline = walker.outline(at(600), { most_m: 200, profile: "foot" })!;
  const lats = outline.flat(2).map(([, lat]) => lat);
  assert.ok(Math.min(...lats) < at(410).lat && Math.max(...lats) > at(790).lat);
});

test("from elsewhere a closed gate is still not passed", () => {
  const [way] = walker.walkTo(at(580), [at(620)], { most_m: 2_000, profile: "foot" });
  assert.equal(way, "not_reached");
});
