/** Counts around a place: by mode, by network, nothing counted twice, and unknown never 0. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { type Counts, countPlace } from "#core/compare/count-groups.ts";
import { rankPlaces } from "#core/compare/rank-places.ts";

type Results = Pick<NearbyBodyValue["results"], "stations" | "vehicles">;
type Station = Results["stations"][number];
type Vehicle = Results["vehicles"][number];

const MODES = ["bicycle", "scooter", "moped", "car"];

function aStation(more: object, counts: object = {}): Station {
  return {
    ...{ id: "s", network: { id: "velo", name: "Vélo" }, mode: "bicycle" },
    action_state: { pickup: "available_now", return: "available_now" },
    availability: { vehicles: 3, docks: 4, by_mode: null, ...counts },
    ...more,
  } as unknown as Station;
}

function aVehicle(pickup: string, network_id = "zig"): Vehicle {
  const source = { mode: "scooter", action_state: { pickup } };
  return { source_id: "v", network_id, source } as unknown as Vehicle;
}

const count = (stations: Station[], vehicles: Vehicle[] = [], modes = MODES) =>
  countPlace({ stations, vehicles }, modes);

test("usable vehicles and docks are counted, others are not, and unknown ones are counted apart", () => {
  const blocked = { action_state: { pickup: "unavailable_now", return: "unavailable_now" } };
  const unknown = { action_state: { pickup: "unknown", return: "unknown" } };
  const { totals, by_mode, networks } = count(
    [aStation({}), aStation(blocked), aStation(unknown)],
    [aVehicle("available_now"), aVehicle("unavailable_now"), aVehicle("unknown")],
  );
  assert.deepEqual(totals, {
    ...{ stations: 3, vehicles: 4, docks: 4, vehicles_unknown: 2, docks_unknown: 1 },
  });
  assert.deepEqual([by_mode["bicycle"]!.vehicles, by_mode["scooter"]!.vehicles], [3, 1]);
  assert.deepEqual(
    networks.map(({ id, vehicles }) => [id, vehicles]),
    [
      ["velo", 3],
      ["zig", 1],
    ],
  );
});

test("what is not known at all is null, and what is not there is 0", () => {
  const unknown = { action_state: { pickup: "unknown", return: "unknown" } };
  const { totals } = count([aStation(unknown)]);
  assert.deepEqual([totals.vehicles, totals.docks], [null, null]);
  assert.deepEqual([count([]).totals.vehicles, count([]).totals.docks], [0, 0]);
  const unlimited = count([aStation({}, { docks: null })]).totals;
  assert.deepEqual([unlimited.docks, unlimited.docks_unknown], [null, 1]);
});

test("a vehicle that its station counts as well is counted once", () => {
  const listed = aStation({ vehicles_listed: true, network: { id: "zig", name: "Zig" } });
  assert.equal(count([listed], [aVehicle("available_now")]).totals.vehicles, 1);
});

test("vehicles of a form are counted alone, and of an unknown form apart", () => {
  const forms = new Set(["cargo_bicycle"]);
  const of = (station: object, counts: object = {}) =>
    countPlace({ stations: [aStation(station, counts)], vehicles: [] }, MODES, forms).totals;
  const by_type = [
    { form_factor: "cargo_bicycle", propulsion: "electric", count: 2 },
    { form_factor: "bicycle", propulsion: "human", count: 1 },
  ];
  assert.deepEqual([of({}, { by_type }).vehicles, of({}, { by_type }).docks], [2, 4]);
  assert.deepEqual([of({}).vehicles, of({}).vehicles_unknown], [null, 1]);
  assert.equal(of({ vehicle_types: [] }).vehicles, null);
  assert.equal(of({ vehicle_types: [{ form_factor: "bicycle" }] }).vehicles, 0);
  assert.equal(of({ vehicle_types: [{ form_factor: "cargo_bicycle" }] }).vehicles, null);
  const [free, cargo, bike] = [undefined, "cargo_bicycle", "bicycle"].map((form_factor) => {
    const vehicle = aVehicle("available_now");
    const vehicle_type = form_factor && { form_factor };
    return { ...vehicle, source: { ...vehicle.source, vehicle_type } } as unknown as Vehicle;
  });
  const { totals } = countPlace({ stations: [], vehicles: [free!, cargo!, bike!] }, MODES, forms);
  assert.deepEqual([totals.vehicles, totals.vehicles_unknown], [1, 1]);
});

test("a station of several modes counts those that are asked for", () => {
  const mixed = aStation({}, { vehicles: 5, by_mode: { bicycle: 4, scooter: 1 } });
  assert.equal(count([mixed]).totals.vehicles, 5);
  const { totals, by_mode } = count([mixed], [], ["scooter"]);
  assert.deepEqual([totals.vehicles, totals.stations, by_mode["scooter"]!.vehicles], [1, 1, 1]);
});

const states = fc.constantFrom("available_now", "unavailable_now", "unknown");
const stations = fc.array(
  fc
    .record({
      network: fc.constantFrom({ id: "a", name: "A" }, { id: "b", name: "B" }),
      mode: fc.constantFrom(...MODES),
      action_state: fc.record({ pickup: states, return: states }),
      vehicles: fc.option(fc.nat(9)),
      docks: fc.option(fc.nat(9)),
    })
    .map(({ vehicles, docks, ...rest }) => aStation(rest, { vehicles, docks })),
);
const vehicles = fc.array(
  fc.tuple(states, fc.constantFrom("a", "c")).map(([s, n]) => aVehicle(s, n)),
);

test("modes and networks each add up to the totals, whatever is there", () => {
  const members = ["stations", "vehicles", "docks", "vehicles_unknown", "docks_unknown"] as const;
  fc.assert(
    fc.property(stations, vehicles, (here, free) => {
      const { totals, by_mode, networks } = count(here, free);
      for (const groups of [Object.values<Counts>(by_mode), networks])
        for (const member of members) {
          const sum = groups.reduce((total, each) => total + (each[member] ?? 0), 0);
          assert.equal(totals[member] ?? 0, sum, member);
        }
      for (const [amount, unknown] of [
        [totals.vehicles, totals.vehicles_unknown],
        [totals.docks, totals.docks_unknown],
      ] as const)
        if (amount === null) assert.ok(unknown > 0);
    }),
  );
});

test("ranks: more is better, equals are equal, and what is unknown has none", () => {
  const of = (amount: number | null): Counts => {
    return { stations: 1, vehicles: amount, docks: 0, vehicles_unknown: 0, docks_unknown: 0 };
  };
  assert.deepEqual(rankPlaces([of(2), null, of(7), of(null), of(2)], "pickup"), [
    2,
    null,
    1,
    null,
    2,
  ]);
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(5))), (amounts) => {
      const ranks = rankPlaces(amounts.map(of), "pickup");
      for (const [i, a] of amounts.entries())
        for (const [j, b] of amounts.entries())
          if (a !== null && b !== null) assert.equal(a > b, ranks[i]! < ranks[j]!);
          else if (a === null) assert.equal(ranks[i], null);
    }),
  );
});
