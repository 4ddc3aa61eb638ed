/**
 * Published hours of stations (R9): a station's own, else its system's, by
 * the system's clocks. A young report that it rents goes before them, with a conflict; otherwise what
 * is closed by its hours is `unavailable_now`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SystemInfo } from "#stations/entities.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { ask as askService, deploy } from "../../support/answers.ts";
import { createMemoryBridges } from "../../support/memory.ts";
import { createWorld, type World } from "#world/world.ts";
import type { Territories } from "#world/station-hours.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import {
  aShard,
  aStation,
  aStatus,
  HERE,
  NOW_MS,
  NOW_S,
  type SystemSketch,
} from "../../support/domain.ts";

/** Of NOW_MS: Monday, 21 September 2026, 13:46:40 UTC. */
const CLOSED = "Mo-Su 20:00-22:00";
const MINUTE = 60;

const aSystem = (change: Partial<SystemInfo>): SystemInfo => ({
  ...{ system_id: "sys", name: "System", short_name: null, operator: null, url: null },
  ...{ timezone: "Etc/UTC", languages: ["en"], license_id: null, license_url: null },
  ...{ attribution: null, attribution_url: null, brand: null, names: [], opening_hours: null },
  ...{ terms_url: null, app_schemes: [] },
  ...change,
});

type HoursContext = {
  station?: string | null;
  system?: Partial<SystemInfo>;
  renting?: boolean | null;
  /** Seconds since the station, or its document, spoke. */
  reported_s?: number | null;
  document_s?: number;
  statuses?: null;
};

function ask(
  { station = null, system = {}, renting = true, ...rest }: HoursContext,
  now_ms = NOW_MS,
) {
  const { reported_s = 10, document_s = 5 } = rest;
  const last_reported_s = reported_s === null ? null : NOW_S - reported_s;
  const sketch: SystemSketch = {
    system: aSystem(system),
    stations: [aStation("a", { opening_hours: station })],
    statuses:
      rest.statuses === null ? null : [aStatus("a", { is_renting: renting, last_reported_s })],
    doc_age_s: document_s,
  };
  const world = createWorld();
  world.register({ source_id: "sys", country: "FR" });
  world.put(aShard(sketch));
  const circle = { ...HERE, radius_m: 100 };
  const systems: SystemEntry[] = [];
  world.covering(circle, systems);
  const { items } = world.search(systems, {
    ...{ circle, modes: 0b1111, stations: true, vehicles: false, now_ms },
  });
  const item = items[0]!;
  const tail = JSON.parse(
    `{"provenance":[{"a":1${systems[0]!.tails!.of(item.state).bytes.toString()}`,
  ) as {
    conflicts: { field: string }[];
    opening_hours?: string;
  };
  const { pickup } = describeState(item.state).action_state;
  const conflicts = tail.conflicts.map(({ field }) => field);
  return { pickup, conflicts, opening_hours: tail.opening_hours };
}

const CASES: readonly [what: string, given: HoursContext, pickup: string, conflicts?: string[]][] =
  [
    ["no hours", {}, "available_now"],
    ["open by its own hours", { station: "Mo-Su 06:00-22:00" }, "available_now"],
    ["closed, a young report that it rents", { station: CLOSED }, "available_now", ["is_renting"]],
    [
      "closed, a report of a quarter of an hour",
      { station: CLOSED, reported_s: 900 },
      "unavailable_now",
    ],
    [
      "closed, a report just younger",
      { station: CLOSED, reported_s: 899 },
      "available_now",
      ["is_renting"],
    ],
    [
      "closed, no report of its own, a young document",
      { station: CLOSED, reported_s: null },
      "available_now",
      ["is_renting"],
    ],
    [
      "closed, no report of its own, an old document",
      { station: CLOSED, reported_s: null, document_s: 20 * MINUTE },
      "unavailable_now",
    ],
    ["closed, is_renting is not stated", { station: CLOSED, renting: null }, "unavailable_now"],
    ["closed, not renting", { station: CLOSED, renting: false }, "unavailable_now"],
    ["closed, no status at all", { station: CLOSED, statuses: null }, "unavailable_now"],
    [
      "closed by its system's hours",
      { system: { opening_hours: CLOSED }, renting: null },
      "unavailable_now",
    ],
    [
      "its own hours before its system's",
      { station: "24/7", system: { opening_hours: CLOSED } },
      "available_now",
    ],
    [
      "a season that has ended",
      { station: "Mar-Jun 00:00-24:00", reported_s: 1_000 },
      "unavailable_now",
    ],
    [
      "a season that has not",
      { station: "Mar-Oct 00:00-24:00", reported_s: 1_000 },
      "available_now",
    ],
    [
      "by the system's clocks: 22:46 in Tokyo",
      { station: "06:00-22:00", system: { timezone: "Asia/Tokyo" }, reported_s: 1_000 },
      "unavailable_now",
    ],
    [
      "by the system's clocks: open in Los Angeles at 06:46",
      { station: "06:00-07:00", system: { timezone: "America/Los_Angeles" }, reported_s: 1_000 },
      "available_now",
    ],
    ["hours that cannot be read", { station: "by the shop", reported_s: 1_000 }, "available_now"],
    ["unknown hours", { station: "10:00+", reported_s: 1_000 }, "available_now"],
    [
      "no zone",
      { station: CLOSED, system: { timezone: null }, reported_s: 1_000 },
      "available_now",
    ],
  ];

for (const [what, input, pickup, conflicts = []] of CASES)
  test(`${what}: ${pickup}`, () => {
    const match = ask(input);
    assert.deepEqual([match.pickup, match.conflicts], [pickup, conflicts]);
  });

test("a station's id that is part of its hours by chance does not change them", () => {
  const world = createWorld();
  world.register({ source_id: "sys", country: "FR" });
  const hours = {
    "06": "06:00-08:00",
    "20": "20:00-22:00",
    "13": "13:00-15:00",
    M: "Mo 20:00-22:00",
  };
  const stations = Object.entries(hours).map(([id, opening_hours]) =>
    aStation(id, { opening_hours }),
  );
  const statuses = stations.map(({ id }) => aStatus(id, { is_renting: null }));
  world.put(aShard({ system: aSystem({}), stations, statuses }));
  const circle = { ...HERE, radius_m: 100 };
  const { items } = world.search(world.list(), {
    ...{ circle, modes: 0b1111, stations: true, vehicles: false, now_ms: NOW_MS },
  });
  const pickups = items.map(({ state }) => describeState(state).action_state.pickup);
  assert.deepEqual(pickups.toSorted(), [
    "unavailable_now",
    "unavailable_now",
    "unavailable_now",
    "unknown",
  ]);
});

/** Of Monday, 6 April 2026, 10:00 UTC: Easter Monday, which Scotland does not keep. */
const EASTER_MS = Date.UTC(2026, 3, 6, 10);

const TERRITORIES: readonly [
  what: string,
  stated: string | null,
  territory: { country: string | null; region: string | null } | null,
  pickup: string,
][] = [
  ["in England", "GB", { country: "GB", region: "GB-ENG" }, "unavailable_now"],
  ["in Scotland", "GB", { country: "GB", region: "GB-SCT" }, "unknown"],
  ["where no region is known", "GB", { country: "GB", region: null }, "unknown"],
  ["on the other side of the border", "NL", { country: "DE", region: null }, "unavailable_now"],
  [
    "where no country is known but the system's",
    "DE",
    { country: null, region: null },
    "unavailable_now",
  ],
  ["while it is not known where it is", "DE", null, "unavailable_now"],
  ["where no country is known at all", null, { country: null, region: null }, "unknown"],
];

for (const [what, stated, territory, pickup] of TERRITORIES)
  test(`a station keeps the holidays of where it is: ${what}`, () => {
    const world = createWorld(null, { territories: { version: () => 1, at: () => territory } });
    assert.equal(pickupAt(world, stated), pickup);
  });

test("a station keeps the holidays of the boundaries that are known now", () => {
  let [version, region]: [number, string | null] = [1, "GB-SCT"];
  const territories: Territories = {
    version: () => version,
    at: () => (region === null ? null : { country: "GB", region }),
  };
  const world = createWorld(null, { territories });
  assert.equal(pickupAt(world, "GB"), "unknown");
  region = "GB-ENG";
  assert.equal(pickupAt(world, "GB", false), "unknown", "as it was");
  version++;
  assert.equal(pickupAt(world, "GB", false), "unavailable_now");
  [version, region] = [3, null];
  assert.equal(pickupAt(world, "GB", false), "unknown", "while it is not known");
  region = "GB-ENG";
  assert.equal(pickupAt(world, "GB", false), "unavailable_now", "once it is");
});

function pickupAt(world: World, country: string | null, is_new = true): string {
  if (is_new) {
    world.register({ source_id: "sys", country });
    world.put(
      aShard({
        system: aSystem({ timezone: "Europe/London" }),
        stations: [aStation("a", { opening_hours: "Mo-Su 06:00-22:00; PH off" })],
        statuses: [aStatus("a", { is_renting: null })],
      }),
    );
  }
  const { items } = world.search(world.list(), {
    ...{ circle: { ...HERE, radius_m: 100 }, modes: 0b1111, stations: true, vehicles: false },
    now_ms: EASTER_MS,
  });
  return describeState(items[0]!.state).action_state.pickup;
}

test("hours move with the time", () => {
  const input = { station: CLOSED, renting: null } as const;
  assert.equal(ask(input).pickup, "unavailable_now");
  assert.equal(ask(input, NOW_MS + 7 * 3_600_000).pickup, "unknown", "open, and not known to rent");
});

test("the hours of a system are shown where a station has none", () => {
  assert.equal(ask({ system: { opening_hours: "24/7" } }).opening_hours, "24/7");
  assert.equal(ask({ station: CLOSED, system: { opening_hours: "24/7" } }).opening_hours, CLOSED);
  assert.equal(ask({}).opening_hours, undefined);
});

type Side = HoursContext & { capacity?: number };

/** One dock of two systems, and what is answered of it. */
async function askMerged(side: Side, other: Side) {
  const shardOf = (id: string, source: "gbfs" | "citybikes", input: Side) => {
    const { station = null, system = {}, renting = null, reported_s = 10, document_s = 5 } = input;
    const last_reported_s = reported_s === null ? null : NOW_S - reported_s;
    return aShard({
      ...{ id, source, name: "Vélocité Testville" },
      system: aSystem({ name: "Vélocité Testville", ...system }),
      stations: [
        aStation("a", {
          name: "Gare centrale",
          opening_hours: station,
          ...(input.capacity && { capacity: input.capacity }),
        }),
      ],
      statuses:
        input.statuses === null ? null : [aStatus("a", { is_renting: renting, last_reported_s })],
      doc_age_s: document_s,
    });
  };
  const deployment = deploy({
    shards: [shardOf("velocite", "gbfs", side), shardOf("cb-velocite", "citybikes", other)],
    identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
  });
  const { results } = await askService(deployment, { include: ["stations"] });
  assert.equal(results.stations.length, 1);
  const [{ resolution_status, action_state, conflicts }] = results.stations as [
    (typeof results.stations)[number],
  ];
  assert.equal(resolution_status, "merged");
  return { pickup: action_state!["pickup"], conflicts };
}

const CONFLICT = (renting: string, closed: readonly string[]) => ({
  field: "is_renting",
  source_id: renting,
  value: true,
  others: closed.map((source_id) => ({ field: "opening_hours", source_id, value: "closed" })),
});
const OLD = { reported_s: 1_000 };

const MERGED: readonly [
  what: string,
  own: Side,
  other: Side,
  pickup: string,
  conflicts?: object[],
][] = [
  ["no hours", { renting: true }, {}, "available_now"],
  [
    "closed by its own hours, a young report that it rents",
    { station: CLOSED, renting: true },
    { ...OLD },
    "available_now",
    [CONFLICT("velocite:a", ["velocite:a"])],
  ],
  [
    "closed by its system's hours, a young report that it rents",
    { system: { opening_hours: CLOSED }, renting: true },
    { ...OLD },
    "available_now",
    [CONFLICT("velocite:a", ["velocite:a"])],
  ],
  [
    "closed by one, and the other's young report that it rents",
    { station: CLOSED, ...OLD },
    { renting: true },
    "available_now",
    [CONFLICT("cb-velocite:a", ["velocite:a"])],
  ],
  [
    "closed by both, a young report that it rents",
    { station: CLOSED, renting: true },
    { station: CLOSED, ...OLD },
    "available_now",
    [CONFLICT("velocite:a", ["velocite:a", "cb-velocite:a"])],
  ],
  [
    "closed, a report of a quarter of an hour",
    { station: CLOSED, renting: true, reported_s: 900 },
    OLD,
    "unavailable_now",
  ],
  ["closed, is_renting is not stated", { station: CLOSED }, OLD, "unavailable_now"],
  [
    "closed by the other, is_renting is not stated",
    {},
    { station: CLOSED, ...OLD },
    "unavailable_now",
  ],
  [
    "closed, no status at all",
    { station: CLOSED, statuses: null },
    { statuses: null },
    "unavailable_now",
  ],
  ["open by its own hours", { station: "Mo-Su 06:00-22:00", renting: true }, OLD, "available_now"],
];

for (const [what, own, other, pickup, conflicts = []] of MERGED)
  test(`a merged station, ${what}: ${pickup}`, async () => {
    assert.deepEqual(await askMerged(own, other), { pickup, conflicts });
  });

test("a merged station lists the conflict of its hours after those of its facts", async () => {
  const own = { station: CLOSED, renting: true, capacity: 20 };
  const { conflicts } = await askMerged(own, { capacity: 25, ...OLD });
  assert.deepEqual(
    conflicts!.map((each) => (each as { field: string }).field),
    ["capacity", "is_renting"],
  );
});
