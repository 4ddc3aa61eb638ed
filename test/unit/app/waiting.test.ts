/** Who is asked, when, and how long a question waits (decisions, Global nearby; §4.8). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FreshnessPolicy } from "#app/answer-types.ts";
import { ask, deploy, PLAN, readBody, type Setup, toInput } from "../../support/answers.ts";
import { anAlert, aShard, aStation, aVehicle, HERE, NOW_MS } from "../../support/domain.ts";

const aged = (fetched_age_s: number, ttl_s = 60, id = "a") =>
  aShard({ id, stations: [aStation("s")], fetched_age_s, ttl_s });
const never: Setup["refresh"] = () => () => new Promise(() => {});
const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, "pending"))])) ===
  "pending";

test("an answer from memory is given at once, without a promise", () => {
  const deployment = deploy({ shards: [aged(5)] });
  const reply = deployment.nearby(toInput(deployment));
  assert.ok(!(reply instanceof Promise));
  assert.equal(readBody(reply).status, "success");
  assert.deepEqual(deployment.feeds.woken, ["a"]);
  assert.deepEqual(deployment.feeds.refreshed, []);
});

test("a question wakes the systems its circle touches, and no others", async () => {
  const far = aShard({ id: "far", stations: [aStation("f", { lat: 10, lon: 10 })] });
  const deployment = deploy({ shards: [aged(5), far, aged(5, 60, "b")] });
  await ask(deployment);
  assert.deepEqual(deployment.feeds.woken, ["a", "b"]);
});

/** [policy, age of the last good fetch s, ttl s] → is the system asked? */
const POLICIES: [FreshnessPolicy, number, number, boolean][] = [
  [null, 120, 60, false],
  [null, 121, 60, true],
  [null, 121, 100, false],
  [null, 200, 100, false],
  [null, 201, 100, true],
  [null, 120, 0, false],
  ["accept_valid_cache", 60, 60, false],
  ["accept_valid_cache", 61, 60, true],
  ["accept_valid_cache", 500, 600, false],
  ["accept_valid_cache", 1, 0, true],
  ["revalidate", 5, 600, false],
  ["revalidate", 5.001, 600, true],
];

for (const [policy, age_s, ttl_s, request] of POLICIES) {
  test(`§4.8: ${policy ?? "null"}: fetched ${age_s} s ago, ttl ${ttl_s} s: asked ${request}`, async () => {
    const refresh: Setup["refresh"] =
      ({ world }) =>
      async () => {
        world.put(aged(0, ttl_s));
        return { status: "ok", cache: "revalidated" };
      };
    const deployment = deploy({ shards: [aged(age_s, ttl_s)], refresh });
    const { status } = await ask(deployment, { freshness_policy: policy });
    assert.equal(status, "success");
    const begun_after_ms = policy === "revalidate" ? NOW_MS : 0;
    const expected = request ? [{ source_id: "a", begun_after_ms }] : [];
    assert.deepEqual(
      deployment.feeds.refreshed.map(({ source_id, begun_after_ms: after }) => ({
        source_id,
        begun_after_ms: after,
      })),
      expected,
    );
  });
}

test("§4.8: only the systems that are too old are asked, all at once", async () => {
  const deployment = deploy({
    shards: [aged(5, 60, "young"), aged(500, 60, "old"), aged(500, 60, "older")],
    unloaded: ["missing"],
    refresh: () => async () => ({ status: "error", reason: "http_500" }),
  });
  await ask(deployment);
  assert.deepEqual(
    deployment.feeds.refreshed.map(({ source_id }) => source_id),
    ["old", "older", "missing"],
  );
});

test("only the live files that were asked for must be young", async () => {
  const shard = aShard({
    stations: [aStation("s")],
    vehicles: [aVehicle("v")],
    alerts: [anAlert("x")],
  });
  const old = { ...shard.status!.live!, validated_at_ms: NOW_MS - 200_000 };
  const shards = [{ ...shard, vehicles: { ...shard.vehicles!, live: old } }];
  const requestOf = async (...include: ("stations" | "vehicles" | "alerts" | "places")[]) => {
    const refresh: Setup["refresh"] = () => async () => ({ status: "error", reason: "x" });
    const deployment = deploy({ shards, refresh });
    await ask(deployment, { include });
    return deployment.feeds.refreshed.length > 0;
  };
  assert.equal(await requestOf("stations"), false);
  assert.equal(await requestOf("alerts"), false);
  assert.equal(await requestOf("places"), false);
  assert.equal(await requestOf("vehicles"), true);
  assert.equal(await requestOf("stations", "vehicles"), true);
});

test("a live file that was never read makes a question wait; one not offered does not", async () => {
  const shard = aged(5);
  const refresh: Setup["refresh"] = () => async () => ({ status: "error", reason: "x" });
  const unread = deploy({ shards: [{ ...shard, vehicles: { data: null, live: null } }], refresh });
  assert.equal((await ask(unread)).status, "partial");
  const without = deploy({ shards: [{ ...shard, vehicles: null }], refresh });
  assert.equal((await ask(without)).status, "success");
});

test("a question gives up 50 ms before its deadline and answers from what it holds", async () => {
  const deployment = deploy({ shards: [aged(500)], unloaded: ["b"], refresh: never });
  const answer = ask(deployment, { debug: true });
  await deployment.clock.advance(1949);
  assert.ok(await isPending(answer));
  await deployment.clock.advance(1);
  const { status, total, debug } = await answer;
  assert.deepEqual([status, total], ["partial", 1]);
  const waits = debug!.orchestration.sources.map(({ elapsed_ms, age_s, cache }) => [
    elapsed_ms,
    age_s,
    cache,
  ]);
  assert.deepEqual(waits, [
    [1950, 502, "hit"],
    [1950, null, null],
  ]);
});

test("a question waits no longer than its slowest system", async () => {
  const refresh: Setup["refresh"] =
    ({ world, clock }) =>
    async (source_id) => {
      await clock.sleep(source_id === "a" ? 100 : 300);
      world.put(aged(0, 60, source_id));
      return { status: "ok", cache: "miss" };
    };
  const deployment = deploy({ shards: [aged(500, 60, "a"), aged(500, 60, "b")], refresh });
  const answer = ask(deployment, { debug: true });
  await deployment.clock.advance(100);
  await deployment.clock.advance(199);
  assert.ok(await isPending(answer));
  await deployment.clock.advance(1);
  const { status, debug } = await answer;
  assert.equal(status, "success");
  assert.equal(debug!.orchestration.elapsed_ms, 300);
  assert.deepEqual(
    debug!.orchestration.sources.map(({ elapsed_ms, cache }) => [elapsed_ms, cache]),
    [
      [100, "miss"],
      [300, "miss"],
    ],
  );
});

test("two questions wait for one refresh and both get its news", async () => {
  const refresh = Promise.withResolvers<{ status: "ok"; cache: "miss" }>();
  const deployment = deploy({ unloaded: ["a"], refresh: () => () => refresh.promise });
  const answers = [ask(deployment), ask(deployment)];
  await deployment.clock.advance(10);
  deployment.world.put(aged(0));
  refresh.resolve({ status: "ok", cache: "miss" });
  for (const { status, total } of await Promise.all(answers))
    assert.deepEqual([status, total], ["success", 1]);
});

test("an abandoned refresh serves the next question", async () => {
  const refresh = Promise.withResolvers<{ status: "ok"; cache: "miss" }>();
  const deployment = deploy({ unloaded: ["a"], refresh: () => () => refresh.promise });
  const first = ask(deployment);
  await deployment.clock.advance(1950);
  assert.equal((await first).status, "partial");
  deployment.world.put(aShard({ id: "a", stations: [aStation("s")], fetched_age_s: -2 }));
  refresh.resolve({ status: "ok", cache: "miss" });
  assert.equal((await ask(deployment)).status, "success");
});

test("§4.8: a failure to revalidate leaves the entry in use, and the answer says so", async () => {
  const refresh: Setup["refresh"] = () => async () => ({ status: "error", reason: "http_503" });
  for (const freshness_policy of ["revalidate", "accept_valid_cache"] as const) {
    const deployment = deploy({ shards: [aged(100)], refresh });
    const body = await ask(deployment, { freshness_policy, debug: true });
    assert.deepEqual([body.status, body.total], ["partial", 1], freshness_policy);
    assert.equal(body.debug!.sources[0]!.reason, "http_503");
  }
  const slow = deploy({ shards: [aged(100)], refresh: never });
  const answer = ask(slow, { freshness_policy: "revalidate" });
  await slow.clock.advance(1950);
  assert.deepEqual([(await answer).status, (await answer).total], ["partial", 1]);
});

test("systems of the country of a waiting question are prioritised while it waits, not after", async () => {
  const unsurveyed = [
    { source_id: "u1", country: "FR" },
    { source_id: "u2", country: "FR" },
    { source_id: "u3", country: "JP" },
    { source_id: "u4", country: null },
  ];
  const deployment = deploy({ unloaded: ["a"], unsurveyed, refresh: never });
  const answer = ask(deployment, { debug: true });
  await deployment.clock.advance(1);
  assert.deepEqual(deployment.feeds.prioritised, ["FR"]);
  await deployment.clock.advance(1949);
  const unknown = (await answer).debug!.sources.filter(({ reason }) => reason === "not_surveyed");
  assert.deepEqual(
    unknown.map(({ source_id }) => source_id),
    ["u1", "u2", "u4"],
  );
});

test("a system surveyed during the wait was not consulted, so the answer is still partial", async () => {
  const refresh: Setup["refresh"] =
    ({ world, clock }) =>
    async () => {
      await clock.sleep(100);
      world.setBox("late", { south: 48, north: 49, west: 2, east: 3 });
      world.put(aged(0));
      return { status: "ok", cache: "miss" };
    };
  const unsurveyed = [{ source_id: "late", country: "FR" }];
  const deployment = deploy({ shards: [aged(500)], unsurveyed, refresh });
  const answer = ask(deployment);
  await deployment.clock.advance(1);
  await deployment.clock.advance(99);
  assert.equal((await answer).status, "partial");
});

test("the country is that of the point", async () => {
  const points: unknown[] = [];
  const deployment = deploy({
    unsurveyed: [{ source_id: "u", country: "FR" }],
    countries: (lat, lon) => {
      points.push([lat, lon]);
      return ["BE"];
    },
  });
  assert.equal((await ask(deployment, { plan: PLAN })).status, "empty");
  assert.deepEqual(points, [[HERE.lat, HERE.lon]]);
});
