/** Ways of riding between two places: which pairs are made, which is the best, and what is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import type { Leaving, Taking } from "#core/plan/ends.ts";
import { ESTIMATE, reaches, rideMinutes, walkMinutes } from "#core/plan/estimate.ts";
import { type PlanWalk, toPlanWalk } from "#core/plan/foot.ts";
import type { LeaveRule } from "#core/plan/leave.ts";
import { type Journey, type Option, planOptions } from "#core/plan/options.ts";

const FROM = { lat: 48.85, lon: 2.35 };
const TO = { lat: 48.86, lon: 2.36 };

const END = {
  network_ids: ["a"],
  network_name: "A",
  name: null,
  known: true,
  observed_at: null,
} as const;

function aTaking(id: string, more: Partial<Taking> = {}): Taking {
  return {
    ...END,
    ...{ id, kind: "station", mode: "bicycle", location: FROM, distance_m: 100 },
    ...{ type: null, returns: null, energy: {}, links: undefined, vehicles: 3, plan_id: null },
    ...more,
  };
}

function aVehicle(id: string, more: Partial<Taking> = {}): Taking {
  const { vehicles: _, ...vehicle } = aTaking(id, { kind: "vehicle", mode: "scooter" });
  return { ...vehicle, ...more };
}

function aLeaving(id: string, more: Partial<Leaving> = {}): Leaving {
  return { ...END, id, location: TO, distance_m: 50, docks: 4, ...more };
}

function plan(
  takings: Taking[],
  leavings: Leaving[],
  rule: LeaveRule = "unknown",
): ReturnType<typeof planOptions> {
  return planOptions({ to: TO, takings, leavings, ruleOf: () => rule, ...ESTIMATED });
}

/** No streets are known. */
const ESTIMATED = { walkTo: estimate, walkFrom: estimate };

function estimate({ distance_m: straight_m }: { distance_m: number }): PlanWalk {
  return toPlanWalk(straight_m, "outside_bases", { estimates: true });
}

const STREETS = { estimates: false };

/** A plan whose ways along streets are these, by the id of what is at their other end. */
function planOnFoot(
  takings: Taking[],
  leavings: Leaving[],
  seconds: Readonly<Record<string, number>>,
): Option[] {
  const walk = ({ id, distance_m: straight_m }: Taking | Leaving): PlanWalk => {
    const way = { meters: Math.round(seconds[id]! * 1.33), seconds: seconds[id]!, step_free: null };
    return toPlanWalk(straight_m, id in seconds ? way : "not_reached", STREETS);
  };
  const journey = { to: TO, takings, leavings, ruleOf: () => "unknown" as const };
  return planOptions({ ...journey, walkTo: walk, walkFrom: walk }).options;
}

const idsOf = ({ taking, leaving }: Option) => [taking.id, leaving?.id ?? null];

test("a docked vehicle is left at a station of the same network, whichever name a source has for it", () => {
  const { options, left_out } = plan(
    [aTaking("s1", { network_ids: ["a", "citybikes:a"] }), aTaking("s2", { network_ids: ["b"] })],
    [aLeaving("e1", { network_ids: ["citybikes:a"] }), aLeaving("e2", { network_ids: ["c"] })],
  );
  assert.deepEqual(options.map(idsOf), [["s1", "e1"]]);
  assert.deepEqual(left_out, { range_too_small: 0, nowhere_to_leave: 1 });
});

test("minutes are those of all legs, by the stated speeds", () => {
  const [option] = plan([aTaking("s")], [aLeaving("e")]).options;
  const ride_m = Math.round(distance_m(FROM.lat, FROM.lon, TO.lat, TO.lon));
  const { walk_to, walk_from } = option!;
  assert.deepEqual([walk_to.straight_m, option!.ride_m, walk_from!.straight_m], [100, ride_m, 50]);
  assert.deepEqual([walk_to.by, walk_from!.by], ["straight_line", "straight_line"]);
  const walks = walkMinutes(100) + walkMinutes(50);
  const handling = ESTIMATE.take_minutes + ESTIMATE.leave_minutes;
  const expected = walks + rideMinutes(ride_m, "bicycle")! + handling;
  assert.equal(option!.minutes, Math.round(expected * 10) / 10);
});

test("the nearest on foot is taken and left, however near another is in a straight line", () => {
  const across = aTaking("across", { distance_m: 40 });
  const here = aTaking("here", { distance_m: 300 });
  const ends = [aLeaving("far", { distance_m: 20 }), aLeaving("near", { distance_m: 350 })];
  const ways = { across: 900, here: 240, far: 700, near: 300 };
  for (const takings of [
    [across, here],
    [here, across],
  ]) {
    const [option] = planOnFoot(takings, ends, ways);
    assert.deepEqual(idsOf(option!), ["here", "near"]);
    const ride = rideMinutes(option!.ride_m, "bicycle")!;
    assert.equal(option!.minutes, Math.round((4 + 5 + ride + 2) * 10) / 10);
  }
  assert.deepEqual(plan([across, here], ends).options.map(idsOf), [["across", "far"]]);
});

test("of equally quick ways that with less on foot goes first", () => {
  const [a, b] = [aTaking("a"), aTaking("b", { network_ids: ["b"] })];
  const ends = [aLeaving("e"), aLeaving("f", { network_ids: ["b"] })];
  // To the tenth of a minute they are the same.
  const options = planOnFoot([a, b], ends, { a: 66, b: 61, e: 60, f: 60 });
  assert.equal(options[0]!.minutes, options[1]!.minutes);
  assert.deepEqual(options.map(idsOf), [
    ["b", "f"],
    ["a", "e"],
  ]);
});

test("a leg without a way leaves the whole unknown and last, and the others are added up apart", () => {
  const [a, b] = [aTaking("a", { distance_m: 5 }), aTaking("b", { network_ids: ["b"] })];
  const ends = [aLeaving("e"), aLeaving("f", { network_ids: ["b"] })];
  const options = planOnFoot([a, b], ends, { b: 600, e: 90, f: 600 });
  assert.deepEqual(options.map(idsOf), [
    ["b", "f"],
    ["a", "e"],
  ]);
  const [, unknown] = options;
  assert.deepEqual([unknown!.minutes, unknown!.walk_to.minutes], [null, null]);
  const ride = rideMinutes(unknown!.ride_m, "bicycle")!;
  assert.equal(unknown!.known_minutes, Math.round((1.5 + ride + 2) * 10) / 10);
});

test("no straight line is in the place of a way that is not known", () => {
  for (const reason of ["outside_bases", "target_off_network", "not_reached"] as const) {
    const walk = toPlanWalk(120.4, reason, STREETS);
    assert.deepEqual(walk, { straight_m: 120, by: null, minutes: null, reason });
  }
  const way = { meters: 99, seconds: 61, step_free: true };
  const known = toPlanWalk(80, way, { estimates: true });
  assert.deepEqual([known.by, known.minutes], ["streets", 1.1]);
});

test("a mode without a stated speed has no minutes, and goes last", () => {
  const { options } = plan(
    [aTaking("s1", { mode: null }), aTaking("s2", { network_ids: ["b"], distance_m: 390 })],
    [aLeaving("e1"), aLeaving("e2", { network_ids: ["b"] })],
  );
  assert.deepEqual(
    options.map(({ minutes }) => minutes === null),
    [false, true],
  );
});

test("what is known goes before what is not, however near that is", () => {
  const { options } = plan(
    [
      aTaking("near", { known: false, vehicles: null, distance_m: 1 }),
      aTaking("far", { distance_m: 390 }),
    ],
    [aLeaving("unknown", { known: false, docks: null, distance_m: 1 }), aLeaving("known")],
  );
  assert.deepEqual(options.map(idsOf), [["far", "known"]]);
  const { options: alone } = plan(
    [aTaking("s", { known: false }), aTaking("t", { network_ids: ["b"], distance_m: 399 })],
    [aLeaving("e"), aLeaving("f", { network_ids: ["b"] })],
  );
  assert.deepEqual(
    alone.map(({ taking, known }) => [taking.id, known]),
    [
      ["t", true],
      ["s", false],
    ],
  );
});

test("a free vehicle is left at the destination unless a rule says otherwise", () => {
  const ends: [LeaveRule, (string | null)[]][] = [
    ["unknown", [null]],
    ["ends_permitted", [null]],
    ["forbidden", []],
    ["stations_only", []],
  ];
  for (const [rule, expected] of ends) {
    const { options, left_out } = plan([aVehicle("v")], [], rule);
    assert.deepEqual(
      options.map(({ leaving }) => leaving?.id ?? null),
      expected,
    );
    assert.equal(left_out.nowhere_to_leave, 1 - expected.length);
  }
  for (const rule of ["forbidden", "stations_only"] as const)
    assert.deepEqual(plan([aVehicle("v")], [aLeaving("e")], rule).options.map(idsOf), [["v", "e"]]);
});

test("a station that is known to take it goes before a place of which no rule is known", () => {
  const leaving = aLeaving("e", { distance_m: 300 });
  assert.deepEqual(plan([aVehicle("v")], [leaving]).options.map(idsOf), [["v", "e"]]);
  const unsure = plan([aVehicle("v")], [{ ...leaving, known: false }]);
  assert.deepEqual(unsure.options.map(idsOf), [["v", null]]);
  const permitted = plan([aVehicle("v")], [leaving], "ends_permitted");
  assert.deepEqual(permitted.options.map(idsOf), [["v", null]]);
});

test("a vehicle that must return to where it was taken goes nowhere, one of stations ends at one", () => {
  const roundtrip = { returns: "roundtrip_station" };
  assert.equal(
    plan([aVehicle("v", roundtrip), aTaking("s", roundtrip)], [aLeaving("e")]).options.length,
    0,
  );
  const docked = plan([aVehicle("v", { returns: "any_station" })], [], "ends_permitted");
  assert.deepEqual([docked.options.length, docked.left_out.nowhere_to_leave], [0, 1]);
});

test("a vehicle that cannot reach the destination is left out and counted", () => {
  const ride_m = distance_m(FROM.lat, FROM.lon, TO.lat, TO.lon) * ESTIMATE.detour;
  const { options, left_out } = plan(
    [
      aVehicle("short", { energy: { range_m: ride_m - 5 } }),
      aVehicle("empty", { energy: { battery: 1 } }),
      aVehicle("full", { energy: { range_m: ride_m + 5, battery: 1 } }),
    ],
    [],
  );
  assert.deepEqual(
    options.map(({ taking }) => taking.id),
    ["full"],
  );
  assert.deepEqual(left_out, { range_too_small: 2, nowhere_to_leave: 0 });
  assert.ok(reaches({}, 1e9, "scooter") && reaches({ battery: 1 }, 1e9, null));
});

test("a station is no place to leave what was taken there", () => {
  assert.equal(plan([aTaking("s")], [aLeaving("s")]).options.length, 0);
});

const id = fc.constantFrom("p", "q", "r", "s", "t");
const network_ids = fc.constantFrom(["a"], ["b"], ["a", "x"], ["x"]);
const location = fc.record({
  lat: fc.double({ min: 48.84, max: 48.87, noNaN: true }),
  lon: fc.double({ min: 2.34, max: 2.37, noNaN: true }),
});
const metres = fc.double({ min: 0, max: 400, noNaN: true });
const shared = { id, network_ids, location, distance_m: metres, known: fc.boolean() };
const takings = fc.array(
  fc
    .record({
      ...shared,
      kind: fc.constantFrom("station", "vehicle"),
      mode: fc.constantFrom("bicycle", "scooter", "car", null),
      returns: fc.constantFrom(null, "any_station", "roundtrip_station", "free_floating"),
      energy: fc.record({
        range_m: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
        battery: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      }),
    })
    .map((each) => aTaking(each.id, each as Partial<Taking>)),
  { maxLength: 12 },
);
const leavings = fc.array(
  fc.record(shared).map((each) => aLeaving(each.id, each)),
  { maxLength: 12 },
);
const rules = fc.constantFrom<LeaveRule>("unknown", "ends_permitted", "stations_only", "forbidden");

test("whatever is found: one option a network and mode, possible, sorted, in whatever order it came", () => {
  fc.assert(
    fc.property(takings, leavings, rules, (taken, left, rule) => {
      const rest = { ruleOf: () => rule, ...ESTIMATED };
      const journey: Journey = { to: TO, takings: taken, leavings: left, ...rest };
      const { options, left_out } = planOptions(journey);
      const keys = options.map(({ taking }) => `${taking.network_ids[0]} ${taking.mode}`);
      assert.equal(new Set(keys).size, keys.length);
      for (const { taking, leaving, ride_m, known } of options) {
        assert.ok(reaches(taking.energy, ride_m, taking.mode));
        assert.notEqual(taking.returns, "roundtrip_station");
        assert.equal(known, taking.known && (leaving?.known ?? true));
        if (leaving) {
          assert.ok(leaving.network_ids.some((each) => taking.network_ids.includes(each)));
          assert.notEqual(leaving.id, taking.id);
        } else {
          assert.equal(taking.kind, "vehicle");
          assert.ok(rule === "unknown" || rule === "ends_permitted");
        }
      }
      const ranks = options.map(({ known, minutes }) => Number(!known) * 1e9 + (minutes ?? 1e8));
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => a - b),
      );
      const lost = left_out.nowhere_to_leave + left_out.range_too_small;
      assert.ok(options.length === 0 ? lost === taken.length : lost < taken.length);
      const reversed = { ...journey, takings: taken.toReversed(), leavings: left.toReversed() };
      const minutesOf = (all: readonly Option[]) => all.map(({ minutes }) => minutes);
      assert.deepEqual(minutesOf(planOptions(reversed).options), minutesOf(options));
    }),
  );
});
