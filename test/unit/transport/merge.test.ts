/** Stations of several publishers as one: what joins, what never does, and what is reported. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  mergeStations,
  type MergedStation,
  mergeSteps,
  NEAR_M,
} from "#transit/schedule/merge-boards.ts";
import type { TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import { forAll } from "../../support/domain.ts";
import { routeOf, type Sketch, stationOf } from "../../support/transit.ts";

type NamedSketch = Sketch & { id: string };
const of = (
  provider: TransitProvider,
  feed_id: string | null,
  ...sketches: NamedSketch[]
): TransitStation[] =>
  sketches.map(({ id, ...sketch }) =>
    stationOf({ ...sketch, source: { provider, feed_id, source_id: id } }),
  );
const navitia = (...sketches: NamedSketch[]): TransitStation[] => of("navitia", null, ...sketches);
const gtfs = (...sketches: NamedSketch[]): TransitStation[] => of("gtfs", "f", ...sketches);

/** Who is one with whom, whatever the order. */
const idsOf = (merged: readonly MergedStation[]): string[] =>
  merged
    .map(({ sources }) => sources.map(({ source_id }) => source_id).join("+"))
    .toSorted((a, b) => (a < b ? -1 : 1));
const idsFrom = (...publishers: TransitStation[][]): string[] => idsOf(mergeStations(publishers));

describe("stations that may be one", () => {
  const PAIRS: readonly [what: string, one: Sketch, other: Sketch, joins: boolean][] = [
    ["one place, one name", {}, {}, true],
    ["the pin at another entrance", {}, { metres: NEAR_M - 1 }, true],
    ["a street further", {}, { metres: NEAR_M + 1 }, false],
    ["the town in its name", { name: "Gare du Nord" }, { name: "Gare du Nord (Paris)" }, true],
    ["in capitals", { name: "Alexanderplatz" }, { name: "ALEXANDERPLATZ", metres: 60 }, true],
    ["another name", { name: "Opera" }, { name: "Harbour" }, false],
    ["another name on the spot", { name: "Opera" }, { name: "Museum" }, false],
    ["another number", { name: "Pier 1" }, { name: "Pier 2" }, false],
    ["another side", { name: "Central North" }, { name: "Central South" }, false],
    ["another script on the spot", { name: "若水駅" }, { name: "Wakamizu", metres: 20 }, true],
    ["another script further off", { name: "若水駅" }, { name: "Wakamizu", metres: 60 }, false],
    ["one common mode", { modes: ["bus", "tram"] }, { modes: ["tram", "metro"], metres: 90 }, true],
    ["no common mode, one spot", { modes: ["bus"] }, { modes: ["rail"], metres: 20 }, true],
    ["no common mode, further off", { modes: ["bus"] }, { modes: ["rail"], metres: 60 }, false],
    [
      "no common mode, another script",
      { name: "若水駅", modes: ["bus"] },
      { name: "Wakamizu", modes: ["rail"] },
      false,
    ],
  ];
  for (const [what, one, other, joins] of PAIRS)
    test(`${what}: ${joins ? "yes" : "no"}`, () => {
      for (const [a, b] of [
        [one, other],
        [other, one],
      ] as const)
        assert.deepEqual(
          idsFrom(navitia({ id: "a", ...a }), gtfs({ id: "b", ...b })),
          joins ? ["a+b"] : ["a", "b"],
        );
    });

  test("others have a turn after fifty stations at most, whatever is compared", () => {
    const many = (make: typeof gtfs) =>
      make(...Array.from({ length: 1_000 }, (_, n) => ({ id: `${n}`, metres: n * 200 })));
    const [first, second] = [many(gtfs), many(navitia)];
    const steps = mergeSteps([first, second], [first]);
    let turns = 0;
    while (steps.next().done !== true) turns++;
    // Compared with the timetable's, with one another's rest, and made.
    assert.ok(turns >= 1_000 / 50 + 1_000 / 50, `${turns} turns`);
  });

  test("bicycles next to a station, named after it, are none of it", () => {
    const rental = of("gbfs", "velib", { id: "v", modes: ["bicycle"] });
    assert.deepEqual(idsFrom(gtfs({ id: "s", modes: ["metro"] }), rental), ["s", "v"]);
  });

  test("the railways and the city publish one station in two feeds", () => {
    const city = of("gtfs", "city", { id: "c", modes: ["bus", "metro"] });
    const rail = of("gtfs", "rail", { id: "r", modes: ["rail"], metres: 10 });
    const all = navitia({ id: "n", modes: ["bus", "metro", "rail"], metres: 12 });
    assert.deepEqual(idsFrom(city, rail), ["c+r"]);
    assert.deepEqual(idsFrom(all, city, rail), ["n+c+r"]);
  });

  test("a station with no mode in common with the lead may have one with another", () => {
    const city = of("gtfs", "city", { id: "c", modes: ["bus"] });
    const rail = of("gtfs", "rail", { id: "r", modes: ["rail"], metres: 10 });
    const more = of("gtfs", "more", { id: "m", modes: ["rail"], metres: 70 });
    assert.deepEqual(idsFrom(city, rail, more), ["c+r+m"]);
  });

  test("a chain of neighbours is no station", () => {
    const [a, b, c] = ["a", "b", "c"].map((id, i) =>
      of("gtfs", id, { id, metres: i * (NEAR_M - 20) }),
    );
    assert.deepEqual(idsFrom(a!, b!, c!), ["a+b", "c"]);
  });
});

describe("the choice of partners", () => {
  const poles: NamedSketch[] = [
    { id: "1", metres: 0 },
    { id: "2", metres: 25 },
  ];

  test("the two poles of a street stay two, each with its own", () => {
    assert.deepEqual(idsFrom(gtfs(...poles)), ["1", "2"]);
    const pins = navitia({ id: "n2", metres: 19 }, { id: "n1", metres: 4 });
    assert.deepEqual(idsFrom(pins, gtfs(...poles)), ["n1+1", "n2+2"]);
  });

  test("a pole that only one publisher knows joins the nearest", () => {
    assert.deepEqual(idsFrom(navitia({ id: "n", metres: 20 }), gtfs(...poles)), ["1", "n+2"]);
  });

  test("without publishers there is no leader", () => {
    assert.deepEqual(mergeStations([]), []);
    assert.deepEqual(idsFrom([], gtfs({ id: "a" }), []), ["a"]);
  });

  test("over a border of bands of latitude, and at the antimeridian", () => {
    for (let lat = 10; lat < 10.01; lat += 0.0003) {
      const [one, other] = [
        { lat, lon: 180 },
        { lat: lat + 0.001, lon: -180 },
      ];
      assert.deepEqual(idsFrom(navitia({ id: "a", ...one }), gtfs({ id: "b", ...other })), ["a+b"]);
    }
  });
});

const NAMES = ["Opera", "Opera House", "Opera 2", "Harbour", "港", "H"] as const;
const MODES = ["bus", "rail", "metro"] as const;
const anyStations = (provider: TransitProvider, feed_id: string): fc.Arbitrary<TransitStation[]> =>
  fc
    .array(
      fc.record({
        metres: fc.integer({ min: 0, max: 600 }),
        name: fc.constantFrom(...NAMES),
        modes: fc.uniqueArray(fc.constantFrom(...MODES), { minLength: 1 }),
      }),
      { maxLength: 12 },
    )
    .map((sketches) =>
      of(provider, feed_id, ...sketches.map((one, i) => ({ id: `${feed_id}${i}`, ...one }))),
    );
const anyTwo = fc.tuple(anyStations("transitland", "t"), anyStations("gtfs", "g"));

describe("whatever they publish", () => {
  test("every station is in one result, and of a publisher one at most", () => {
    forAll(
      fc.property(anyTwo, ([a, b]) => {
        const merged = mergeStations([a, b]);
        const seen = merged.flatMap(({ sources }) => sources);
        assert.equal(seen.length, a.length + b.length);
        assert.equal(new Set(seen.map(({ source_id }) => source_id)).size, seen.length);
        for (const { sources } of merged)
          assert.equal(new Set(sources.map(({ feed_id }) => feed_id)).size, sources.length);
      }),
    );
  });

  test("the order in which a publisher lists its stations decides nothing", () => {
    forAll(
      fc.property(anyTwo, ([a, b]) => {
        const expected = idsFrom(a, b);
        assert.deepEqual(idsFrom(a.toReversed(), b), expected);
        assert.deepEqual(idsFrom(a, b.toReversed()), expected);
      }),
    );
  });

  test("a publisher from elsewhere changes nothing for the others", () => {
    const far = of("gtfs", "far", { id: "far", metres: 9_000 }, { id: "farther", metres: 9_010 });
    forAll(
      fc.property(anyTwo, ([a, b]) => {
        const expected = [...idsFrom(a, b), ...idsFrom(far)].toSorted((x, y) => (x < y ? -1 : 1));
        for (const order of [
          [far, a, b],
          [a, far, b],
          [a, b, far],
        ] as const)
          assert.deepEqual(idsFrom(...order), expected);
      }),
    );
  });
});

describe("the members of a merged station", () => {
  const merge = (...sketches: Sketch[]): MergedStation => {
    const publishers = sketches.map(({ source, ...sketch }, i) => [
      stationOf({ ...sketch, source: { feed_id: `f${i}`, source_id: `${i}`, ...source } }),
    ]);
    const merged = mergeStations(publishers);
    assert.equal(merged.length, 1);
    return merged[0]!;
  };

  test("name and place are the lead's, modes in the contract's order", () => {
    const one = merge(
      { name: "Central", modes: ["metro"], metres: 5, fetched_at_ms: 7 },
      { name: "CENTRAL", modes: ["bus", "metro"], metres: 0, fetched_at_ms: 3 },
    );
    assert.equal(one.name, "Central");
    assert.deepEqual([one.lat, one.lon], [stationOf({ metres: 5 }).lat, stationOf().lon]);
    assert.deepEqual(one.modes, ["bus", "metro"]);
    assert.equal(one.fetched_at_ms, 3, "as old as the oldest");
    assert.deepEqual(
      one.sources.map(({ source_id }) => source_id),
      ["0", "1"],
    );
  });

  test("a line is identified by its mode and the text on the vehicle", () => {
    const { routes } = merge(
      { routes: [routeOf("n:1", { short_name: "1" }), routeOf("n:a", { short_name: "A" })] },
      {
        routes: [
          routeOf("g1", { short_name: "1" }),
          routeOf("ga", { short_name: "a" }),
          routeOf("g1t", { short_name: "1", mode: "tram" }),
          routeOf("gl", { short_name: null, long_name: "Airport" }),
        ],
      },
    );
    assert.deepEqual(
      routes.map(({ id }) => id),
      ["n:1", "n:a", "g1t", "gl"],
    );
  });

  // Two operators each run a line 1, and both call here.
  test("two lines that one publisher distinguishes stay two", () => {
    const twice = ["x", "y"].map((id) => routeOf(id, { short_name: "1", operator_id: id }));
    const again = ["p", "q", "r"].map((id) => routeOf(id, { short_name: "1" }));
    const idsAt = (...lists: (typeof twice)[]): string[] =>
      merge(...lists.map((routes) => ({ routes }))).routes.map(({ id }) => id);
    assert.deepEqual(idsAt(twice), ["x", "y"]);
    assert.deepEqual(idsAt(twice, again.slice(0, 1)), ["x", "y"]);
    assert.deepEqual(idsAt(twice, again), ["x", "y", "r"]);
    assert.deepEqual(idsAt(again.slice(0, 1), twice), ["p", "y"]);
  });

  test("an operator is one by its name", () => {
    const { operators } = merge(
      { operators: [{ id: "1", name: "Régie" }] },
      {
        operators: [
          { id: "2", name: "RÉGIE", url: "https://r.example/" },
          { id: "3", name: "Cars" },
        ],
      },
    );
    assert.deepEqual(
      operators.map(({ id }) => id),
      ["1", "3"],
    );
  });

  test("one yes is believed, a no needs a publisher that knows, unknown stays unknown", () => {
    const flags = [true, false, null] as const;
    for (const a of flags)
      for (const b of flags) {
        const entry = a === true || b === true ? true : a === false || b === false ? false : null;
        const { realtime, alerts } = merge({ realtime: a, alerts: b }, { realtime: b, alerts: a });
        assert.deepEqual([realtime, alerts], [entry, entry]);
      }
  });

  test("wheelchairs: the first known value", () => {
    assert.equal(merge({}, { wheelchair: "no" }, { wheelchair: "yes" }).wheelchair, "no");
    assert.equal(merge({ wheelchair: "yes" }, { wheelchair: "no" }).wheelchair, "yes");
    assert.equal(merge({}, {}).wheelchair, "unknown");
  });
});
