/**
 * A scooter that its operator and an aggregator publish was listed, counted and billed twice: only
 * stations had an identity, and each vehicle was answered as `unresolved`. The rule of vehicles (R11) had
 * fallen out of the design, and no test missed it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brandOf } from "#stations/resolution.ts";
import type { Shard, VehicleInfo } from "#stations/shards.ts";
import { ask, deploy } from "../support/answers.ts";
import { aShard, aType, aVehicle, HERE, moved, NOW_S } from "../support/domain.ts";

type Sketch = Omit<Parameters<typeof aShard>[0], "vehicles"> & {
  ids: readonly string[];
  /** Metres north of where the vehicles of the first feed are. */
  shift_m?: number;
  change?: Partial<VehicleInfo>;
};

const TYPES = [aType("s", { mode: "scooter" }), aType("b")];

/** A feed whose vehicles are 30 m apart. */
function feed(id: string, { ids, shift_m = 0, change = {}, ...sketch }: Sketch): Shard {
  const vehicles = ids.map((vehicle, i) =>
    aVehicle(vehicle, {
      location: moved(HERE, shift_m, i * 30),
      type_id: "s",
      ...change,
    }),
  );
  return aShard({ id, name: "Roll Field", types: TYPES, vehicles, ...sketch });
}

async function resolved(shards: readonly Shard[]) {
  const body = await ask(deploy({ shards }), { include: ["vehicles"], debug: true });
  const { vehicles } = body.results;
  return {
    body,
    total: body.total,
    statuses: vehicles.map(({ resolution_status }) => resolution_status),
    vehicles,
  };
}

const UUID = ["0d1c3f1e-77aa-4b52-9a51-2f9d3f0c1a01", "5c0f7f0e-1111-4b52-9a51-2f9d3f0c1a02"];

/** [case, ids of the first feed, the second feed, its id]; what a bare id is: packages/stations/test/identity/vehicles.test.ts. */
const ONE_VEHICLE: readonly [string, readonly string[], Sketch, string?][] = [
  ["the same raw id", ["r1", "r2"], { ids: ["r1", "r2"] }],
  ["behind a code space", ["r1", "r2"], { ids: ["YGL:Vehicle:r1", "YGL:Vehicle:r2"] }],
  [
    "in capitals behind a code space",
    ["r1a", "r2b"],
    { ids: ["YGL:VEHICLE:R1A", "YGL:VEHICLE:R2B"] },
  ],
  ["behind two words of its name", ["r1", "r2"], { ids: ["Roll_Field_r1", "Roll_Field_r2"] }],
  ["a number that differs by its prefix", ["101", "102"], { ids: ["roll:101", "roll:102"] }],
  [
    "an aggregator's copy",
    UUID,
    { ids: UUID.map((id) => `lime_zurich:${id}`), source: "gbfs_aggregator" },
  ],
  [
    "ridden away since, by a long id",
    UUID,
    { ids: UUID, shift_m: 390, doc_age_s: 60, fetched_age_s: 5 },
  ],
  ["drawn 60 m off", ["r1", "r2"], { ids: ["r1", "r2"], shift_m: 60 }],
];

for (const [what, ids, second] of ONE_VEHICLE)
  test(`one vehicle in two feeds is listed once: ${what}`, async () => {
    const { total, statuses, vehicles, body } = await resolved([
      feed("roll", { ids }),
      feed("roll_city", second),
    ]);
    assert.equal(total, 2);
    assert.deepEqual(statuses, ["merged", "merged"]);
    for (const { provenance, resolution_confidence } of vehicles) {
      assert.equal(resolution_confidence, 0.95);
      assert.equal(new Set(provenance!.map(({ source_id }) => source_id)).size, 2);
    }
    const { resolution, entities } = body.debug as unknown as {
      resolution: unknown;
      entities: { observations: { merged: boolean }[] }[];
    };
    assert.deepEqual(resolution, { unresolved: 0, merged: 2, possible_match: 0 });
    assert.deepEqual(
      entities.map(({ observations }) => observations.map(({ merged }) => merged)),
      [
        [true, true],
        [true, true],
      ],
    );
  });

/** Never one: [case, both feeds, what each vehicle is]. */
const TWO_VEHICLES: readonly [string, readonly Shard[], string][] = [
  [
    "other ids at one place",
    [feed("a", { ids: ["r1", "r2"] }), feed("b", { ids: ["q7", "q8"] })],
    "possible_match",
  ],
  [
    "other ids, 3 m apart",
    [feed("a", { ids: ["r1"] }), feed("b", { ids: ["q7"], shift_m: 3 })],
    "possible_match",
  ],
  [
    "other ids, 6 m apart",
    [feed("a", { ids: ["r1"] }), feed("b", { ids: ["q7"], shift_m: 6 })],
    "unresolved",
  ],
  [
    "another brand",
    [feed("a", { ids: ["r1", "r2"] }), feed("b", { ids: ["r1", "r2"], name: "Glide" })],
    "unresolved",
  ],
  [
    "another form",
    [feed("a", { ids: ["r1", "r2"] }), feed("b", { ids: ["r1", "r2"], change: { type_id: "b" } })],
    "unresolved",
  ],
  [
    "rotating ids in one feed",
    [feed("a", { ids: ["x1", "x2", "x3"], change: { location: HERE } })],
    "unresolved",
  ],
  [
    "documents of two times",
    [feed("a", { ids: ["r1"] }), feed("b", { ids: ["q7"], doc_age_s: 1_200, fetched_age_s: 5 })],
    "unresolved",
  ],
];

for (const [what, shards, status] of TWO_VEHICLES)
  test(`two vehicles are two: ${what}`, async () => {
    const { total, statuses } = await resolved(shards);
    const count = shards.reduce((sum, { vehicles }) => sum + vehicles!.data!.count, 0);
    assert.equal(total, count);
    assert.deepEqual(new Set(statuses), new Set([status]));
  });

test("a possible match names its neighbour of the other feed in debug, the nearest of several", async () => {
  const near = feed("b", { ids: ["q7", "q8"], change: {} });
  const third = aShard({
    id: "c",
    name: "Roll Field",
    types: TYPES,
    vehicles: [4, 1, 3].map((north_m, i) =>
      aVehicle(`z${i}`, { type_id: "s", location: moved(HERE, north_m, 0) }),
    ),
  });
  const { body } = await resolved([feed("a", { ids: ["r1", "r2"] }), near, third]);
  const { entities } = body.debug as unknown as {
    entities: {
      id: string;
      observations: { merged: boolean; score: null }[];
      near_misses: Record<string, unknown>[];
    }[];
  };
  const missesOf = (id: string): unknown[] =>
    entities.find((each) => each.id === id)!.near_misses.map(({ source_id }) => source_id);
  assert.deepEqual(missesOf("a:r1"), ["b:q7", "c:z1"]);
  assert.deepEqual(missesOf("a:r2"), ["b:q8"]);
  assert.deepEqual(missesOf("c:z0"), ["a:r1", "b:q7"]);
  const [{ observations, near_misses }] = entities.filter(({ id }) => id === "a:r2") as [
    (typeof entities)[number],
  ];
  assert.deepEqual(
    observations.map(({ merged, score }) => [merged, score]),
    [[false, null]],
  );
  assert.deepEqual(near_misses, [
    {
      source_id: "b:q8",
      network_id: "b",
      entity_id: "q8",
      location: moved(HERE, 0, 30),
      observed_at: near_misses[0]!["observed_at"],
      age_s: near_misses[0]!["age_s"],
      score: 0.5,
      reasons: ["distance"],
    },
  ]);
  assert.equal(typeof near_misses[0]!["observed_at"], "string");
});

test("what may be no more is named no longer: the other document is of another time", async () => {
  const { body } = await resolved([
    feed("a", { ids: ["r1"] }),
    feed("b", { ids: ["q7"], doc_age_s: 1_200, fetched_age_s: 5 }),
  ]);
  for (const { near_misses } of body.debug!.entities) assert.deepEqual(near_misses, []);
});

test("two of one number at different places are two where the distance is beyond all doubt", async () => {
  const far = (east_m: number): Partial<VehicleInfo> => ({ location: moved(HERE, 0, east_m) });
  const shards = [
    feed("a", { ids: ["1"], change: far(-390) }),
    feed("b", { ids: ["1"], change: far(390) }),
  ];
  const { statuses } = await resolved(shards);
  assert.deepEqual(statuses, ["unresolved", "unresolved"]);
});

const SITES = { old: HERE, new: moved(HERE, 100, 0) };

for (const [what, first, second, leads] of [
  [
    "the later report leads",
    { last_reported_s: NOW_S - 400 },
    { last_reported_s: NOW_S - 30 },
    "b",
  ],
  [
    "the later report leads, whichever feed it is",
    { last_reported_s: NOW_S - 30 },
    { last_reported_s: NOW_S - 400 },
    "a",
  ],
  ["of one time, the first source leads", {}, {}, "a"],
] as const)
  test(`${what}: its place and its state are shown`, async () => {
    const shards = [
      feed("a", {
        ids: ["r1"],
        change: { location: SITES.old, is_reserved: leads === "b", ...first },
      }),
      feed("b", {
        ids: ["r1"],
        change: { location: SITES.new, is_reserved: leads === "a", ...second },
      }),
    ];
    const { vehicles } = await resolved(shards);
    assert.deepEqual(
      vehicles.map(({ network_id, source }) => [network_id, source.action_state.pickup]),
      [[leads, "available_now"]],
    );
    assert.deepEqual(
      vehicles[0]!.provenance!.map(({ network_id }) => network_id),
      leads === "a" ? ["a", "b"] : ["b", "a"],
    );
  });

type Flags = Partial<Pick<VehicleInfo, "is_reserved" | "is_disabled">>;

/** [case, what the feed says that leads, what the other says, fields that contradict one another]. */
const CONTRADICTIONS: readonly [string, Flags, Flags, string[]][] = [
  ["one is reserved", { is_reserved: true }, { is_reserved: false }, ["is_reserved"]],
  ["the other is reserved", { is_reserved: false }, { is_reserved: true }, ["is_reserved"]],
  ["one is disabled", { is_disabled: true }, { is_disabled: false }, ["is_disabled"]],
  [
    "both flags",
    { is_reserved: true, is_disabled: false },
    { is_reserved: false, is_disabled: true },
    ["is_reserved", "is_disabled"],
  ],
  ["both agree", { is_reserved: true }, { is_reserved: true }, []],
  ["one does not say", { is_reserved: null }, { is_reserved: true }, []],
  ["the other does not say", { is_disabled: true }, { is_disabled: null }, []],
];

for (const [what, first, second, fields] of CONTRADICTIONS)
  test(`feeds that contradict one another are named in conflicts: ${what}`, async () => {
    const { vehicles } = await resolved([
      feed("a", { ids: ["r1"], change: { ...first, last_reported_s: NOW_S - 30 } }),
      feed("b", { ids: ["YGL:Vehicle:r1"], change: { ...second, last_reported_s: NOW_S - 400 } }),
    ]);
    const other = "b:YGL:Vehicle:r1";
    const reportOf = (flags: Flags, field: string) => flags[field as keyof Flags];
    assert.deepEqual(
      vehicles.map(({ conflicts }) => conflicts),
      [
        fields.map((field) => ({
          ...{ field, source_id: "a:r1", value: reportOf(first, field) },
          others: [{ source_id: other, value: reportOf(second, field) }],
        })),
      ],
    );
  });

test("of three feeds those are named that say otherwise", async () => {
  const { vehicles } = await resolved(
    [true, false, true].map((is_reserved, i) =>
      feed("abc"[i]!, { ids: ["r1"], change: { is_reserved, last_reported_s: NOW_S - 30 - i } }),
    ),
  );
  assert.deepEqual(vehicles[0]!.conflicts, [
    {
      ...{ field: "is_reserved", source_id: "a:r1", value: true },
      others: [{ source_id: "b:r1", value: false }],
    },
  ]);
});

test("a vehicle whose fresher feed has gone silent is shown by the other, and never by none", async () => {
  const gone = feed("a", {
    ids: ["r1"],
    doc_age_s: 3_700,
    fetched_age_s: 5,
    change: { last_reported_s: NOW_S - 10 },
  });
  const { statuses } = await resolved([
    gone,
    feed("b", { ids: ["r1"], doc_age_s: 1_000, fetched_age_s: 5 }),
  ]);
  assert.deepEqual(statuses, ["unresolved"]);
});

test("a feed that is read again is compared again, both ways", async () => {
  const deployment = deploy({
    shards: [feed("a", { ids: ["r1", "r2"] }), feed("b", { ids: ["r1", "r2"] })],
  });
  const count = async () => (await ask(deployment, { include: ["vehicles"] })).total;
  assert.equal(await count(), 2);
  deployment.world.put(feed("a", { ids: ["z1", "z2"] }));
  assert.equal(await count(), 4);
  deployment.world.put(feed("b", { ids: ["z1", "z2"] }));
  assert.equal(await count(), 2);
  deployment.world.put(aShard({ id: "b", name: "Roll Field", types: TYPES, vehicles: [] }));
  assert.equal(await count(), 2);
});

test("three feeds of one vehicle are one, with the provenance of all", async () => {
  const { vehicles } = await resolved(["a", "b", "c"].map((id) => feed(id, { ids: ["r1"] })));
  assert.deepEqual(
    vehicles.map(({ provenance }) => provenance!.map(({ network_id }) => network_id)),
    [["a", "b", "c"]],
  );
});

test("a known brand is one under the names of its cities", () => {
  assert.equal(brandOf({ id: "lime_zurich", name: "Lime Zurich" })?.slug, "lime");
});
