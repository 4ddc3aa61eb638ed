/**
 * On Taveuni, which 180° crosses, a point 20 m from a street on the other side of that line was put on
 * another street further away, or on none: longitudes were compared as numbers, and 180 and -180 are
 * far apart. Now streets there are looked for from the other side, too.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createWalkSection, openWalk, snap, type WalkMeta } from "#osm/walking.ts";

const HALF7 = 1_800_000_000;
const LAT7 = -168_000_000;
const NODES = 60;

/** A street to the north, that many ten-millionths of a degree from the line. */
function graphAt(lon7: number) {
  const section = createWalkSection();
  const nodes = Float64Array.from({ length: NODES }, (_, i) => i + 1);
  const points = Int32Array.from([...nodes].flatMap((i) => [LAT7 + 1_000 * i, lon7]));
  const tags = new Map([["highway", "residential"]]);
  section.way({ type: "way", id: 1, tags, nodes, points, closed: false });
  const steps = section.finish();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { columns, meta } = step.value as { columns: object; meta: WalkMeta };
  const named = Object.entries(columns).map(([name, column]) => [`walk.${name}`, column]);
  return openWalk(Object.fromEntries(named), meta)!;
}

for (const [name, street7, at7] of [
  ["from the east", HALF7 - 1_000, 1_000 - HALF7],
  ["from the west", 1_000 - HALF7, HALF7 - 1_000],
  ["from the line", 1_000 - HALF7, HALF7],
  ["from the line's other name", HALF7 - 1_000, -HALF7],
  ["in the last cell but one", 10 - HALF7, HALF7 - 9_300],
] as const)
  test(`a street across the date line is seen ${name}`, () => {
    const graph = graphAt(street7);
    for (let north = 0; north < NODES * 1_000; north += 777) {
      const at = { lat7: LAT7 + north, lon7: at7 };
      const found = snap(graph, at, { most_m: 100, profile: "foot" });
      const east7 = Math.abs(street7 - at7) > HALF7 ? 2 * HALF7 - Math.abs(street7 - at7) : 0;
      const beyond7 = Math.max(0, 1_000 - north);
      const off_m = Math.hypot(east7 * Math.cos((LAT7 / 1e7) * (Math.PI / 180)), beyond7) / 89.932;
      assert.ok(
        found !== null && Math.abs(found.off_m - off_m) < 0.1,
        `${north} ${found?.off_m} ${off_m}`,
      );
      assert.equal(found.lon7, street7);
    }
  });
