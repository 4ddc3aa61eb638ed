/** The debug block (§2.9; decisions, Global nearby): every member is true. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ask,
  deploy,
  type Deployment,
  PLAN,
  type Setup,
  type Wish,
} from "../../support/answers.ts";
import { aShard, aStation, aStatus, aVehicle, HERE, moved, NOW_S } from "../../support/domain.ts";

const MEMBERS = [
  ...["sources", "resolution", "entities", "realtime", "warnings", "usage", "protection"],
  ...["orchestration", "requested_radius", "applied_radius", "requested_limit", "applied_limit"],
  ...["limit", "offset", "coverage"],
];

const debugOf = async (deployment: Deployment, wish: Wish = {}) =>
  (await ask(deployment, { ...wish, debug: true })).debug!;

const shard = aShard({
  id: "a:b",
  stations: [aStation("near", moved(HERE, 10)), aStation("away", moved(HERE, 900))],
  vehicles: [
    aVehicle("v", { location: moved(HERE, 20) }),
    aVehicle("car", { own_mode: "car", location: moved(HERE, 30) }),
  ],
  doc_age_s: 40,
  fetched_age_s: 10,
});

// Proves §2.9 debug block; §4.9 debug
test("§2.9: debug holds every member of the contract, and only when asked for", async () => {
  const deployment = deploy({ shards: [shard] });
  assert.deepEqual(Object.keys(await debugOf(deployment)).sort(), MEMBERS.sort());
  assert.equal((await ask(deployment)).debug, undefined);
});

test("requested and applied are shown side by side", async () => {
  const debug = await debugOf(deploy({ shards: [shard] }), { radius: 900, limit: 700, offset: 1 });
  assert.deepEqual(
    [debug.requested_radius, debug.applied_radius, debug.requested_limit, debug.applied_limit],
    [900, 400, 700, 100],
  );
  assert.deepEqual([debug.limit, debug.offset, debug.warnings.length], [100, 1, 2]);
});

test("a source's raw count is all it has in the circle, its matched count the wanted part", async () => {
  const { sources, resolution } = await debugOf(deploy({ shards: [shard] }), {
    modes: ["bicycle"],
  });
  assert.deepEqual(sources, [
    { source_id: "a:b", status: "ok", raw_count: 3, matched_count: 2, reason: null },
  ]);
  assert.deepEqual(resolution, { unresolved: 2, merged: 0, possible_match: 0 });
});

test("entities are those of the page, each with its observation", async () => {
  const { entities } = await debugOf(deploy({ shards: [shard] }), { offset: 1, limit: 1 });
  const observed_at = new Date((NOW_S - 40) * 1000).toISOString().replace(".000", "");
  assert.deepEqual(entities, [
    {
      id: "a:b:v",
      observations: [
        {
          source_id: "a:b:v",
          network_id: "a:b",
          entity_id: "v",
          location: moved(HERE, 20),
          observed_at,
          age_s: 40,
          merged: false,
          score: null,
          reasons: [],
        },
      ],
      near_misses: [],
    },
  ]);
});

test("realtime counts all hits, fresh, stale and unknown; reliable only when all are fresh", async () => {
  const at = (id: string, doc_age_s: number, statuses?: null) =>
    aShard({
      id,
      stations: [aStation("s")],
      doc_age_s,
      fetched_age_s: 5,
      ...(statuses === null ? { statuses } : {}),
    });
  const realtime = async (setup: Setup) => (await debugOf(deploy(setup), { limit: 1 })).realtime;
  assert.deepEqual(await realtime({ shards: [at("a", 5), at("b", 5)] }), {
    fresh: 2,
    stale: 0,
    unknown: 0,
    realtime_reliable: true,
  });
  const mixed = [at("a", 5), at("b", 400), at("c", 4000), at("d", 5, null)];
  assert.deepEqual(await realtime({ shards: mixed }), {
    fresh: 1,
    stale: 1,
    unknown: 2,
    realtime_reliable: false,
  });
  const refresh: Setup["refresh"] = () => async () => ({ status: "error", reason: "x" });
  assert.deepEqual(await realtime({ shards: [at("a", 5)], unloaded: ["b"], refresh }), {
    fresh: 1,
    stale: 0,
    unknown: 0,
    realtime_reliable: false,
  });
});

test("orchestration reports the deadline and how each source was consulted", async () => {
  const { orchestration } = await debugOf(deploy({ shards: [shard] }));
  assert.deepEqual(orchestration, {
    deadline_ms: 2000,
    elapsed_ms: 0,
    sources: [{ source_id: "a:b", started_ms: null, elapsed_ms: null, cache: "hit", age_s: 10 }],
  });
});

test("usage is one unit per started block of a hundred objects of the page", async () => {
  const stations = Array.from({ length: 201 }, (_, i) => aStation(`s${i}`));
  const statuses = stations.map(({ id }) => aStatus(id));
  const deployment = deploy({ shards: [aShard({ stations, statuses })] });
  const plan = { ...PLAN, name: "business", nearby_limit_max: 500 };
  const units = async (wish: Wish) => (await debugOf(deployment, { plan, ...wish })).usage;
  for (const [limit, expected] of [
    [500, 3],
    [200, 2],
    [101, 2],
    [100, 1],
    [1, 1],
  ] as const)
    assert.deepEqual(await units({ limit }), {
      units: expected,
      plan: "business",
      remaining: null,
    });
  assert.equal((await units({ offset: 201 })).units, 0);
});
