/** One thing seen by several is one result (decisions, Urban services). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import type { MergedPlace } from "#core/places/merge-places.ts";
import type { Place } from "#core/places/place.ts";
import { forAll, HERE, moved } from "../../../support/domain.ts";
import { aPlace, mergeAll, travelled } from "../../../support/places.ts";
import { measureCpu } from "../../../support/size.ts";

const idOf = ({ source_id, external_id }: Place): string => `${source_id} ${external_id}`;
/** Who is one, whatever the order: `leader + other + other`. */
const groupsOf = (merged: readonly MergedPlace[]): string[] =>
  merged.map(({ place, others }) => [place, ...others].map(idOf).join(" + ")).sort();

const from = (source_id: string, id: string, change: Partial<Place> = {}): Place =>
  aPlace(id, { source_id, ...change });

test("within thirty metres they are one, beyond they are two", () => {
  for (const [metres, count] of [
    [0, 1],
    [29.9, 1],
    [30.1, 2],
    [100, 2],
  ] as const)
    for (const bearing of [0, 1, 2, 3, 4, 5, 6]) {
      const at = travelled(HERE, metres, bearing);
      assert.equal(mergeAll([[from("a", "1")], [from("b", "1", at)]]).length, count, `${metres}`);
    }
});

test("the bound is thirty metres at the poles and over the seam too", () => {
  const alongTheSeam = Array.from({ length: 40 }, (_, i) => ({ lat: i * 2.2, lon: 179.9999 }));
  for (const point of [
    ...alongTheSeam,
    { lat: 89.5, lon: 0 },
    { lat: -89.4995, lon: 0 },
    { lat: 89.9999, lon: 10 },
    { lat: 90, lon: 0 },
    { lat: -89.99, lon: -180 },
    { lat: 0.0005, lon: 180 },
    { lat: 65, lon: -179.9999 },
    { lat: -0.0001, lon: -0.0001 },
  ])
    for (let bearing = 0; bearing < 6.28; bearing += 0.1)
      for (const [metres, count] of [
        [29.5, 1],
        [30.5, 2],
      ] as const) {
        const other = from("b", "1", travelled(point, metres, bearing));
        const merged = mergeAll([[from("a", "1", point)], [other]]);
        assert.equal(merged.length, count, JSON.stringify({ point, bearing, metres }));
      }
});

test("names that speak against it keep neighbours apart; no name, a like name, another script do not", () => {
  for (const [one, other, count] of [
    ["Gare du Nord", "Mairie de Pantin", 2],
    ["Gare du Nord", "gare  du nord", 1],
    ["Gare du Nord", undefined, 1],
    [undefined, undefined, 1],
    ["Gare du Nord, hall", "Gare du Nord", 1],
    ["Terminal 1", "Terminal 2", 2],
    ["東京駅", "Tokyo Station", 1],
  ] as const) {
    const merged = mergeAll([
      [from("a", "1", one === undefined ? {} : { name: one })],
      [from("b", "1", other === undefined ? {} : { name: other, ...moved(HERE, 10) })],
    ]);
    assert.equal(merged.length, count, `${one} / ${other}`);
  }
});

test("an equal key makes them one, however far, whatever they are called", () => {
  const one = from("a", "1", { name: "Gare du Nord", keys: ["osm:node/1", "a:1"] });
  const other = from("b", "1", { name: "Mairie", ...moved(HERE, 500), keys: ["osm:node/1"] });
  assert.deepEqual(groupsOf(mergeAll([[one], [other]])), ["a 1 + b 1"]);
});

test("an equal key wins over a nearer neighbour, which stays a thing of its own", () => {
  const leader = from("a", "1", { keys: ["k"] });
  const near = from("b", "near", moved(HERE, 1));
  const entry = from("b", "known", { ...moved(HERE, 25), keys: ["k"] });
  const groups = groupsOf(mergeAll([[leader], [near, entry]]));
  assert.deepEqual(groups, ["a 1 + b known", "b near"]);
});

test("the nearest pairs are made first, and each takes one of each source", () => {
  const leaders = [from("a", "1"), from("a", "2", moved(HERE, 20))];
  const followers = [from("b", "x", moved(HERE, 18)), from("b", "y", moved(HERE, 12))];
  assert.deepEqual(groupsOf(mergeAll([leaders, followers])), ["a 1 + b y", "a 2 + b x"]);
});

test("a third source finds a pair by the key of either", () => {
  const a = from("a", "1");
  const b = from("b", "1", { ...moved(HERE, 10), keys: ["geodae:7"] });
  const c = from("c", "1", { ...moved(HERE, 400), keys: ["geodae:7"] });
  const [merged] = mergeAll([[a], [b], [c]]);
  assert.deepEqual(groupsOf([merged!]), ["a 1 + b 1 + c 1"]);
  assert.deepEqual(merged!.place.keys, ["geodae:7"]);
});

test("the leader says where a place is; others add what it lacks; all of them are listed as sources", () => {
  const a = from("a", "1", {
    attributes: { access: "unknown", indoor: true },
    keys: ["a:1"],
  });
  const b = from("b", "2", {
    name: "Hall B",
    keys: ["b:2"],
    source_type: "partner_api",
    ...moved(HERE, 5),
    attributes: { access: "yes", indoor: false, level: "3", wheelchair: "unknown" },
    address: { street: "S" },
  });
  const [{ place } = assert.fail()] = mergeAll([[a], [b]]);
  assert.deepEqual([place.lat, place.lon, place.source_id], [a.lat, a.lon, "a"]);
  assert.deepEqual([place.source_type, place.external_id], ["community", "1"]);
  assert.equal(place.name, "Hall B");
  assert.deepEqual(place.address, { street: "S" });
  assert.deepEqual(place.attributes, {
    access: "yes",
    indoor: true,
    level: "3",
    wheelchair: "unknown",
    sources: [
      { source_id: "a", external_id: "1" },
      { source_id: "b", external_id: "2" },
    ],
    conflicts: [
      {
        name: "indoor",
        values: [
          { source_id: "a", value: true },
          { source_id: "b", value: false },
        ],
      },
    ],
  });
  assert.deepEqual(place.keys, ["a:1", "b:2"]);
});

test("facts on which sources disagree have one value and are listed; spelling is no disagreement", () => {
  const [{ place } = assert.fail()] = mergeAll([
    [from("a", "1", { attributes: { wheelchair: "unknown", opening_hours: "24/7", code: "A 1" } })],
    [from("b", "1", { attributes: { wheelchair: "limited", opening_hours: "Mo-Fr 8-18" } })],
    [from("c", "1", { attributes: { wheelchair: "no", opening_hours: "24 / 7", code: "a1" } })],
  ]);
  const { wheelchair, opening_hours, code, conflicts } = place.attributes;
  assert.deepEqual([wheelchair, opening_hours, code], ["limited", "24/7", "A 1"]);
  assert.deepEqual(conflicts, [
    {
      name: "wheelchair",
      values: [
        { source_id: "b", value: "limited" },
        { source_id: "c", value: "no" },
      ],
    },
    {
      name: "opening_hours",
      values: [
        { source_id: "a", value: "24/7" },
        { source_id: "b", value: "Mo-Fr 8-18" },
      ],
    },
  ]);
});

test("an operator's name is no name: it goes before none, and speaks against none", () => {
  const operated = { attributes: { operator: "City Hall" }, name: "City Hall" };
  const [merged, ...more] = mergeAll([
    [from("a", "1", operated)],
    [from("b", "1", { name: "Gare du Nord", ...moved(HERE, 5) })],
  ]);
  assert.deepEqual([merged?.place.name, more.length], ["Gare du Nord", 0]);
});

test("an unknown value hides no known one, whether it is the leader's or the next one's", () => {
  const detail = (id: string, attributes: Place["attributes"]): Place[] => [
    from(id, "1", { attributes }),
  ];
  for (const [first, second, third, expected] of [
    [{ fee: "unknown" }, { fee: "unknown" }, { fee: "no" }, "no"],
    [{ fee: "unknown" }, {}, { fee: "no" }, "no"],
    [{}, { fee: "unknown" }, { fee: "no" }, "no"],
    [{ fee: "unknown" }, { fee: false }, { fee: "no" }, false],
    [{ fee: "unknown" }, { fee: 0 }, {}, 0],
    [{ fee: "unknown" }, { fee: "unknown" }, {}, "unknown"],
    [{ fee: "yes" }, { fee: "no" }, {}, "yes"],
  ] as const) {
    const sources = [detail("a", first), detail("b", second), detail("c", third)];
    const [{ place } = assert.fail()] = mergeAll(sources);
    assert.equal(place.attributes["fee"], expected);
  }
});

test("a place of a single source is returned unchanged", () => {
  const place = from("a", "1", { attributes: { fee: "unknown" }, keys: ["k"] });
  assert.deepEqual(mergeAll([[place]]), [{ place, lead: place, others: [] }]);
  assert.deepEqual(mergeAll([[], [], [place]]), [{ place, lead: place, others: [] }]);
  assert.deepEqual(mergeAll([]), []);
});

const NAMES = [
  undefined,
  undefined,
  "Gare du Nord",
  "Gare du nord",
  "Mairie",
  "Porte 1",
  "Porte 2",
];
const ATTRIBUTES = [{}, { fee: "yes" }, { fee: "unknown" }, { fee: "no", indoor: "yes" }];

/** A crowd within a hundred metres, with few names and few keys, so that everything happens. */
const crowd = (source_id: string, at = HERE): fc.Arbitrary<Place[]> =>
  fc
    .array(
      fc.record({
        metres: fc.oneof(fc.double({ min: 0, max: 60, noNaN: true }), fc.constantFrom(0, 30, 60)),
        bearing: fc.double({ min: 0, max: 6.28, noNaN: true }),
        name: fc.constantFrom(...NAMES),
        attributes: fc.constantFrom(...ATTRIBUTES),
        keys: fc.uniqueArray(fc.constantFrom("k1", "k2", "k3", "k4", "k5"), { maxLength: 2 }),
      }),
      { maxLength: 8 },
    )
    .map((rows) => {
      const used = new Set<string>();
      return rows.map(({ metres, bearing, name, attributes, keys }, i) => {
        const point = travelled(at, metres, bearing);
        // A key is one thing's in a register.
        const own_keys = keys.filter((key) => !used.has(key));
        own_keys.forEach((key) => used.add(key));
        const match = name === undefined ? {} : { name };
        return from(source_id, `${i}`, { ...point, ...match, attributes, keys: own_keys });
      });
    });

const scene = fc.tuple(crowd("a"), crowd("b"), crowd("c"));

test("the order within a source decides nothing", () => {
  forAll(
    fc.property(scene, fc.integer(), (sources, seed) => {
      const turned = sources.map((places) =>
        places.toSorted(
          (x, y) =>
            ((Number(x.external_id) * 7 + seed) % 5) - ((Number(y.external_id) * 7 + seed) % 5),
        ),
      );
      const byId = (merged: MergedPlace[]): MergedPlace[] =>
        merged.sort((x, y) => (idOf(x.place) < idOf(y.place) ? -1 : 1));
      assert.deepEqual(byId(mergeAll(turned)), byId(mergeAll(sources)));
    }),
    500,
  );
});

test("every place is in one result, and none has two of one source", () => {
  forAll(
    fc.property(scene, (sources) => {
      const all = mergeAll(sources).flatMap(({ place, others }) => {
        const seen = [place, ...others];
        assert.equal(new Set(seen.map(({ source_id }) => source_id)).size, seen.length);
        return seen.map(idOf);
      });
      assert.deepEqual(all.sort(), sources.flat().map(idOf).sort());
    }),
    500,
  );
});

test("merged places share a key or are near the leader with no names against it", () => {
  let pairs = 0;
  forAll(
    fc.property(scene, (sources) => {
      for (const { place, lead, others } of mergeAll(sources))
        others.forEach((other, i) => {
          const before = sources
            .flat()
            .filter((each) => each === lead || others.slice(0, i).includes(each));
          const keys = before.flatMap((each) => each.keys);
          const near = distance_m(place.lat, place.lon, other.lat, other.lon) <= 30;
          pairs++;
          assert.ok(near || other.keys.some((key) => keys.includes(key)));
        });
    }),
    300,
  );
  assert.ok(pairs > 300);
});

test("merged once is merged: its results, as one source, stay as they are", () => {
  forAll(
    fc.property(scene, (sources) => {
      const once = mergeAll(sources).map(({ place }) => place);
      const again = mergeAll([once]);
      assert.deepEqual(
        again,
        once.map((place) => ({ place, lead: place, others: [] })),
      );
    }),
    300,
  );
});

test("a source that has nothing to do with them changes nothing of the others", () => {
  const far = crowd("far", moved(HERE, 5_000)).map((places) =>
    places.map((place) => ({ ...place, keys: place.keys.map((key) => `far ${key}`) })),
  );
  forAll(
    fc.property(scene, far, fc.nat({ max: 3 }), (sources, unrelated, at) => {
      const all = mergeAll(sources.toSpliced(at, 0, unrelated));
      const rest = all.filter(({ place }) => place.source_id !== "far");
      const byId = (x: MergedPlace, y: MergedPlace): number =>
        idOf(x.place) < idOf(y.place) ? -1 : 1;
      assert.deepEqual(rest.sort(byId), mergeAll(sources).sort(byId));
      assert.equal(all.length - rest.length, unrelated.length);
    }),
    300,
  );
});

test("ten thousand on a square kilometre are merged in no time to speak of", () => {
  const many = (source_id: string): Place[] =>
    Array.from({ length: 5000 }, (_, i) =>
      from(source_id, `${i}`, moved(HERE, (i % 71) * 14, Math.floor(i / 71) * 14)),
    );
  const sources = [many("a"), many("b")];
  const cpu_ms = measureCpu(() => assert.equal(mergeAll(sources).length, 5000));
  assert.ok(cpu_ms < 10_000, `pairs must not cost their square: ${cpu_ms} ms`);
});
