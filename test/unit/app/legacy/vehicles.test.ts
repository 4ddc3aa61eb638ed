/** The legacy lists of vehicles over a real world (§4.11, §4.12; decisions, Legacy routes). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createBrands } from "#app/legacy/legacy-brands.ts";
import type { LegacyReply } from "#app/legacy/legacy-reply.ts";
import { createLegacyVehicles } from "#app/legacy/legacy-vehicles.ts";
import { LegacyScooters, LegacyVehicles } from "#api/legacy.ts";
import type { VehicleInfo } from "#stations/entities.ts";
import type { RefreshResult } from "#ports.ts";
import { deploy, type Setup } from "../../../support/answers.ts";
import { aShard, aStation, aType, aVehicle, HERE, moved, NOW_MS } from "../../../support/domain.ts";

const ajv = new Ajv2020({ strict: true });
const isVehicles = ajv.compile(LegacyVehicles);
const isScooters = ajv.compile(LegacyScooters);

const TYPES = [
  aType("scooter", { mode: "scooter", form_factor: "scooter_standing", name: "S3" }),
  aType("moped", { mode: "moped", form_factor: "moped", name: null, max_range_m: 50_000 }),
  aType("bike", { mode: "bicycle", form_factor: "bicycle", name: null }),
];

function at(north_m: number, id: string, change: Partial<VehicleInfo> = {}): VehicleInfo {
  return aVehicle(id, { location: moved(HERE, north_m), type_id: "scooter", ...change });
}

function system(id: string, vehicles: VehicleInfo[], fetched_age_s = 5) {
  return aShard({ id, types: TYPES, vehicles, fetched_age_s });
}

const SYSTEMS = [
  { id: "lime_here", name: "Lime Here", names: ["Lime Here"], provider: "gbfs" },
  { id: "tier_here", name: "TIER Here", names: ["TIER Here"], provider: "gbfs" },
  { id: "dott_here", name: "Dott Here", names: ["Dott Here"], provider: "gbfs" },
  {
    id: "moon_here",
    name: "MoonScoot",
    names: ["MoonScoot", "Trotti’Lune", "Lune Mobilité SAS"],
    provider: "gbfs",
  },
  { id: "citybikes:lime", name: "Lime", names: ["Lime"], provider: "citybikes" },
];

function open(setup: Setup) {
  const deployment = deploy(setup);
  const { world, feeds, clock, countries } = deployment;
  const brands = createBrands(() => SYSTEMS, clock.now);
  const legacy = createLegacyVehicles({ world, feeds, clock, countries, brands });
  const question = { coords: HERE, now_ms: NOW_MS, deadline_ms: NOW_MS + 3000 };
  const within = async (reply: Promise<LegacyReply>): Promise<LegacyReply> => {
    await clock.advance(2950);
    return reply;
  };
  return {
    feeds,
    brand: (provider: string) => within(legacy.ofBrand({ ...question, provider })),
    scooters: () => within(legacy.scooters(question)),
  };
}

function ok(reply: LegacyReply) {
  assert.ok(reply.kind === "ok", JSON.stringify(reply));
  return { ...reply, items: reply.body as Record<string, unknown>[] };
}

test("§4.11: vehicles of the brand alone, nearest first, an unknown battery left out", async () => {
  const { brand } = open({
    shards: [
      system("lime_here", [
        at(120.4, "far", { charge: 0.42 }),
        at(10, "near", { type_id: "bike", name: "Lionel" }),
        at(401, "beyond"),
        at(30, "taken", { is_reserved: true }),
        at(30, "broken", { is_disabled: true }),
      ]),
      system("dott_here", [at(1, "other")]),
    ],
  });
  const { items, partial, max_age_s } = ok(await brand("LIME"));
  assert.ok(isVehicles(items), JSON.stringify(isVehicles.errors));
  assert.deepEqual(
    items.map(({ name, battery, distance }) => [name, battery, distance]),
    [
      ["Lime", undefined, 10],
      ["S3", 42, 120],
    ],
  );
  assert.ok(!("battery" in items[0]!));
  assert.deepEqual([partial, max_age_s], [false, 30]);
});

test("a brand goes by its former name too, and joins its systems", async () => {
  const { brand } = open({
    shards: [system("tier_here", [at(5, "a")]), system("dott_here", [at(9, "b")])],
  });
  for (const name of ["tier", "Dott"]) assert.equal(ok(await brand(name)).items.length, 2, name);
});

test("a brand is found by every published name, in any language and with or without legal form", async () => {
  const { brand } = open({ shards: [system("moon_here", [at(5, "a")])] });
  for (const name of [
    "moonscoot",
    "Trotti’Lune",
    "trotti-lune",
    "lune-mobilite",
    "Lune Mobilité SAS",
  ])
    assert.equal(ok(await brand(name)).items.length, 1, name);
});

test("the reply to an unknown brand lists the known ones", async () => {
  const reply = await open({ shards: [] }).brand("unknown");
  assert.deepEqual(reply, { kind: "unknown", known: ["dott", "lime", "moonscoot"] });
});

test("§4.12: scooters and mopeds of all brands, with what is unknown null", async () => {
  const { scooters } = open({
    shards: [
      system("lime_here", [
        at(10, "s:1", { charge: 0.9 }),
        at(20, "b", { type_id: "bike" }),
        at(30, "m", { type_id: "moped", range_m: 20_000 }),
      ]),
      system("dott_here", [at(15, "d", { equipment: ["child_seat_a"] })]),
      system("citybikes:lime", [at(3, "again")]),
    ],
  });
  const { items } = ok(await scooters());
  assert.ok(isScooters(items), JSON.stringify(isScooters.errors));
  assert.deepEqual(
    items.map(({ id, type, battery, provider }) => [id, type, battery, provider]),
    [
      ["s:1", "SCOOTER", 90, { name: "Lime" }],
      ["d", "SCOOTER", null, { name: "Dott" }],
      ["m", "MOTORSCOOTER", 40, { name: "Lime" }],
    ],
  );
  assert.deepEqual(items[1]!["attributes"], ["CHILD_SEAT"]);
});

test("at most a hundred", async () => {
  const many = Array.from({ length: 150 }, (_, i) => at(i, `v${i}`));
  const { items } = ok(await open({ shards: [system("lime_here", many)] }).scooters());
  assert.equal(items.length, 100);
  assert.equal(items[99]!["distance"], 99);
});

test("a distance is rounded once, from the exact one", async () => {
  // 252.476 m: in tenths 252.5, and from there 253.
  const { items } = ok(
    await open({ shards: [system("lime_here", [at(252.476, "a")])] }).scooters(),
  );
  assert.equal(items[0]!["distance"], 252);
});

test("nearest first in whole metres too, where tenths of metres are equal", async () => {
  const near = [at(156.53, "a"), at(156.47, "b"), at(150, "c")];
  const { items } = ok(await open({ shards: [system("lime_here", near)] }).scooters());
  assert.deepEqual(
    items.map(({ distance }) => distance),
    [150, 156, 157],
  );
});

const FAILED: Record<string, RefreshResult> = {
  timeout: { status: "timeout", reason: "deadline" },
  error: { status: "error", reason: "http_500" },
  unauthorized: { status: "unauthorized", reason: "http_401" },
  unavailable: { status: "unavailable", reason: "shutting_down" },
  too_many: { status: "error", reason: "vehicle_status:http_429" },
};

const FAILURES: readonly [statuses: (keyof typeof FAILED)[], code: string][] = [
  [["timeout"], "provider_timeout"],
  [["error"], "provider_bad_response"],
  [["unauthorized", "timeout"], "provider_bad_response"],
  [["unavailable", "timeout"], "provider_unavailable"],
  [["too_many"], "provider_unavailable"],
  [["too_many", "error"], "provider_bad_response"],
];

for (const [statuses, code] of FAILURES) {
  test(`every source failed (${statuses.join(", ")}): ${code}, never an empty list`, async () => {
    const ids = ["lime_here", "dott_here"].slice(0, statuses.length);
    const { scooters } = open({
      unloaded: ids,
      refresh: () => async (source_id) => FAILED[statuses[ids.indexOf(source_id)]!]!,
    });
    const reply = await scooters();
    assert.ok(reply.kind === "failed");
    assert.equal(reply.code, code);
    assert.match(reply.message, /^(lime|dott)_here (is|refused|answers) /);
  });
}

test("every source of scooters failed: docked bicycles, which are well, answer nothing", async () => {
  const stations = [aStation("dock", moved(HERE, 20))];
  const docked = aShard({ id: "moon_here", types: [TYPES[2]!], stations });
  const bicycles = aShard({
    id: "tier_here",
    types: [TYPES[2]!],
    vehicles: [at(10, "b", { type_id: "bike" })],
  });
  const failing = {
    unloaded: ["lime_here"],
    refresh: () => async () => FAILED["error"]!,
  };
  for (const shards of [[docked], [bicycles], [docked, bicycles]]) {
    const reply = await open({ shards, ...failing }).scooters();
    assert.ok(reply.kind === "failed", JSON.stringify(reply));
    assert.deepEqual(
      [reply.code, reply.message.startsWith("lime_here ")],
      ["provider_bad_response", true],
    );
    // Where nothing that has scooters fails, there are none.
    const none = ok(await open({ shards }).scooters());
    assert.deepEqual([none.items, none.partial], [[], false]);
  }
});

test("stations of a brand are no answer for its vehicles", async () => {
  const stations = [aStation("dock", moved(HERE, 20))];
  const { brand } = open({
    shards: [aShard({ id: "tier_here", types: TYPES, stations })],
    unloaded: ["dott_here"],
    refresh: () => async () => FAILED["timeout"]!,
  });
  const reply = await brand("dott");
  assert.ok(reply.kind === "failed" && reply.code === "provider_timeout");
});

test("one source answered: its vehicles, marked as partial and not to be kept", async () => {
  const { scooters } = open({
    shards: [system("lime_here", [at(10, "a")])],
    unloaded: ["dott_here"],
    refresh: () => async () => FAILED["error"]!,
  });
  const reply = ok(await scooters());
  assert.deepEqual([reply.items.length, reply.partial, reply.max_age_s], [1, true, null]);
});

test("the held data of a failing source beat its failure", async () => {
  const { brand } = open({
    shards: [system("lime_here", [at(10, "a")], 900)],
    refresh: () => async () => FAILED["timeout"]!,
  });
  const reply = ok(await brand("lime"));
  assert.deepEqual([reply.items.length, reply.partial], [1, true]);
});

test("vehicles that may not be shown any more are no answer", async () => {
  const { brand, scooters } = open({
    shards: [
      aShard({ id: "lime_here", types: TYPES, vehicles: [at(10, "a")], doc_age_s: 3700 }),
      system("dott_here", [at(20, "b")]),
    ],
    refresh: () => async () => FAILED["error"]!,
  });
  const failed = await brand("lime");
  assert.ok(failed.kind === "failed");
  assert.equal(failed.code, "provider_bad_response");
  const reply = ok(await scooters());
  assert.deepEqual([reply.items.length, reply.partial], [1, true]);
});

test("no system here: an empty list that is complete", async () => {
  const none = ok(await open({ shards: [] }).scooters());
  assert.deepEqual([none.items, none.partial], [[], false]);
});

test("a system not surveyed yet is a failure; next to one that is elsewhere in its country, a partial list", async () => {
  const unsurveyed = [{ source_id: "lime_here", country: "FR" }];
  const failed = {
    kind: "failed",
    code: "provider_unavailable",
    message: "the systems of this area have not been surveyed yet; ask again in a moment",
    retry_after_s: 10,
  };
  assert.deepEqual(await open({ unsurveyed }).scooters(), failed);
  const far = aShard({ id: "dott_here", types: TYPES, vehicles: [at(500_000, "far")] });
  const both = open({ unsurveyed, shards: [far] });
  const { items, partial } = ok(await both.scooters());
  assert.deepEqual([items, partial], [[], true]);
  assert.deepEqual(await both.brand("lime"), failed);
});
