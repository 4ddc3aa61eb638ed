/** Changes between two answers of one search: nothing is said that one of the two cannot know. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  compare,
  type Compared,
  type ChangedMembers,
  type ComparedReach,
  type Side,
} from "#core/changes/compare-datasets.ts";

type Input = {
  distance_m?: number | null;
  lat?: number;
  members?: ChangedMembers;
  sources?: string[];
};

const NEAR = { radius_m: 400, isCut: false } as const;

function object(id: string, input: Input = {}): Compared<null> {
  const { distance_m = 100, lat = 0, members = { vehicles: 1 }, sources = ["a"] } = input;
  const location = distance_m === null ? null : { lat, lon: 0 };
  return { id, distance_m, location, members, sources, of: null };
}

function side(
  objects: Compared<null>[],
  reach: ComparedReach = NEAR,
  reliable = ["a", "b"],
): Side<null> {
  return { objects, reach, reliable: new Set(reliable) };
}

const idsOf = (objects: readonly Compared<null>[]): string[] => objects.map(({ id }) => id);

test("what is on one side alone entered or left, and what differs changed", () => {
  const before = side([
    object("left"),
    object("same"),
    object("full", { members: { vehicles: 0 } }),
  ]);
  const after = side([object("same"), object("full", { members: { vehicles: 3 } }), object("new")]);
  const changes = compare(before, after);
  assert.deepEqual(idsOf(changes.entered), ["new"]);
  assert.deepEqual(idsOf(changes.left), ["left"]);
  assert.deepEqual(
    changes.changed.map(({ after: { id }, members }) => [id, members]),
    [["full", { vehicles: { before: 0, after: 3 } }]],
  );
  assert.equal(changes.unchanged, 1);
});

test("a count that is no longer known is a change to null, never to 0", () => {
  const before = side([object("x", { members: { vehicles: 2 } })]);
  const after = side([object("x", { members: { vehicles: null } })]);
  const [changed] = compare(before, after).changed;
  assert.deepEqual(changed!.members, { vehicles: { before: 2, after: null } });
});

test("beyond what the nearer of the two has whole nothing left and nothing entered", () => {
  const cut = { radius_m: 150, isCut: true };
  const before = side([
    object("in"),
    object("edge", { distance_m: 150 }),
    object("out", { distance_m: 151 }),
  ]);
  for (const [a, b] of [
    [before, side([], cut)],
    [side([], cut), before],
  ] as const) {
    const { left, entered, beyond, reach } = compare(a, b);
    assert.deepEqual(idsOf([...left, ...entered]), ["in"]);
    assert.equal(beyond, 2);
    assert.deepEqual(reach, cut);
  }
  // A whole circle has its edge.
  const whole = side([], { radius_m: 150, isCut: false });
  assert.deepEqual(idsOf(compare(before, whole).left), ["in", "edge"]);
});

test("what moved out of the reach and is in both has changed its place", () => {
  const before = side([object("bike", { distance_m: 100 })]);
  const after = side([object("bike", { distance_m: 300, lat: 0.002 })], {
    radius_m: 200,
    isCut: true,
  });
  const { changed, left } = compare(before, after);
  assert.deepEqual(left, []);
  assert.deepEqual(Object.keys(changed[0]!.members), ["location"]);
});

test("a move of more than 25 metres and a step of 5 points of a battery count, less does not", () => {
  const metre = 1 / 111_195;
  for (const [lat, battery, expected] of [
    [24 * metre, 54, []],
    [26 * metre, 54, ["location"]],
    [0, 55, ["battery"]],
    [0, 45, ["battery"]],
  ] as const) {
    const before = side([object("v", { members: { battery: 50 } })]);
    const after = side([object("v", { lat, members: { battery } })]);
    const names = compare(before, after).changed.flatMap(({ members }) => Object.keys(members));
    assert.deepEqual(names, expected);
  }
});

test("objects of a source that is not reliable in one of the two are unknown", () => {
  const gone = object("gone");
  const both = object("both");
  const other = object("other", { sources: ["b"] });
  const before = side([gone, both, other]);
  const after = side([both], NEAR, ["b"]);
  for (const changes of [compare(before, after), compare(after, before)]) {
    assert.deepEqual(idsOf(changes.unknown).toSorted(), ["both", "gone"]);
    assert.deepEqual(idsOf([...changes.left, ...changes.entered]), ["other"]);
    assert.equal(changes.unchanged, 0);
  }
});

test("of what is kept as its id alone, nothing is known", () => {
  const bare = object("x", { distance_m: null, members: {} });
  const { unknown, left, unchanged } = compare(side([bare]), side([bare]));
  assert.deepEqual([idsOf(unknown), left, unchanged], [["x"], [], 0]);
  assert.deepEqual(idsOf(compare(side([bare]), side([])).unknown), ["x"]);
});

const objects = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
    distance_m: fc.option(fc.integer({ min: 0, max: 400 }), { freq: 6 }),
    vehicles: fc.option(fc.nat(3)),
    source: fc.constantFrom("a", "b", "c"),
  }),
  { selector: ({ id }) => id },
);
const sides = fc
  .record({
    objects,
    reliable: fc.subarray(["a", "b", "c"]),
    reach: fc.record({ radius_m: fc.integer({ min: 0, max: 400 }), isCut: fc.boolean() }),
  })
  .map(({ objects: input_objects, reach, reliable }) => {
    const made = input_objects.map(({ id, distance_m, vehicles, source }) =>
      object(id, { distance_m, members: { vehicles }, sources: [source] }),
    );
    return side(made, reach, reliable);
  });

test("nothing has changed between an answer and itself", () => {
  fc.assert(
    fc.property(sides, (one) => {
      const { entered, left, changed } = compare(one, one);
      assert.deepEqual([entered, left, changed], [[], [], []]);
    }),
  );
});

test("what entered one way left the other way, and the rest is the same", () => {
  fc.assert(
    fc.property(sides, sides, (a, b) => {
      const other = compare(a, b);
      const back = compare(b, a);
      assert.deepEqual(other.entered, back.left);
      assert.deepEqual(other.left, back.entered);
      assert.deepEqual(idsOf(other.unknown).toSorted(), idsOf(back.unknown).toSorted());
      assert.equal(other.changed.length, back.changed.length);
      assert.equal(other.unchanged, back.unchanged);
      assert.equal(other.beyond, back.beyond);
      assert.deepEqual(other.reach, back.reach);
    }),
  );
});

test("every object is counted once, and none that a side could have dropped is listed", () => {
  fc.assert(
    fc.property(sides, sides, (a, b) => {
      const { entered, left, changed, unchanged, unknown, beyond, reach } = compare(a, b);
      const ids = new Set([...idsOf([...a.objects]), ...idsOf([...b.objects])]);
      const listed = [...entered, ...left];
      assert.equal(listed.length + changed.length + unchanged + unknown.length + beyond, ids.size);
      for (const each of listed) {
        assert.ok(each.distance_m <= Math.min(a.reach.radius_m, b.reach.radius_m));
        assert.ok(!(reach.isCut && each.distance_m === reach.radius_m));
      }
    }),
  );
});
