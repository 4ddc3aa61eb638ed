/** Clamping, warnings, refused offsets, and how long an answer may be kept (§7, §8; decisions, Conventions). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Answered,
  ask,
  askGeoJson,
  deploy,
  PLAN,
  type Setup,
  toInput,
  type Wish,
} from "../../support/answers.ts";
import {
  anAlert,
  aShard,
  aStation,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
} from "../../support/domain.ts";

const ONE = { shards: [aShard({ stations: [aStation("s"), aStation("t", moved(HERE, 401))] })] };

// Proves §4.9 clamped; §7 rule 3; §8 nearby
test("§4.9: a radius above 400 and a limit above the plan's are reduced, and the answer says so", async () => {
  const { warnings, ...body } = await ask(deploy(ONE), { radius: 5000, limit: 101 });
  assert.deepEqual(
    [body.radius, body.requested_radius, body.limit, body.requested_limit, body.total],
    [400, 5000, 100, 101, 1],
  );
  assert.deepEqual(
    warnings!.map(({ code, requested, applied }) => [code, requested, applied]),
    [
      ["radius_capped", 5000, 400],
      ["limit_capped", 101, 100],
    ],
  );
});

// Proves §4.9 clamped
test("§4.9: warnings are those of what was reduced, and absent when nothing was", async () => {
  const wish = fc.record({
    radius: fc.double({ min: 1, max: 1000, noNaN: true }),
    limit: fc.integer({ min: 1, max: 2000 }),
    nearby_limit_max: fc.constantFrom(100, 200, 500, 1000),
  });
  await forAllAsync(
    fc.asyncProperty(wish, async ({ nearby_limit_max, ...request }) => {
      const plan = { ...PLAN, nearby_limit_max };
      const body = await ask(deploy(ONE), { ...request, plan });
      const { meta } = await askGeoJson(deploy(ONE), { ...request, plan });
      const codes = body.warnings?.map(({ code }) => code);
      const expected = [
        ...(request.radius > 400 ? ["radius_capped"] : []),
        ...(request.limit > nearby_limit_max ? ["limit_capped"] : []),
      ];
      assert.deepEqual(codes, expected.length ? expected : undefined);
      assert.deepEqual(meta!.warnings, body.warnings);
      assert.equal(body.radius, Math.min(400, request.radius));
      assert.equal(body.limit, Math.min(nearby_limit_max, request.limit));
    }),
    100,
  );
});

test("§5: an offset above the plan's bound is refused, never clamped, and no source is asked", async () => {
  const deployment = deploy(ONE);
  const offer = (offset: number, nearby_offset_max: number | null) =>
    deployment.nearby(toInput(deployment, { offset, plan: { ...PLAN, nearby_offset_max } }));
  const refused = await offer(1001, 1000);
  assert.equal(refused.kind === "refused" && refused.code, "plan_not_allowed");
  assert.match(refused.kind === "refused" ? refused.message : "", /offset.*1000.*free/);
  assert.deepEqual(deployment.feeds.woken, []);
  assert.equal((await offer(1000, 1000)).kind, "ok");
  assert.equal((await offer(1e9, null)).kind, "ok");
});

async function replyTo(setup: Setup, wish: Wish = {}): Promise<Answered> {
  const deployment = deploy(setup);
  const promise = deployment.nearby(toInput(deployment, wish));
  await deployment.clock.advance(1950);
  const reply = await promise;
  assert.ok(reply.kind === "ok");
  return reply;
}

test("an answer may be kept for what is left of its sources' time to live, at most 30 s", async () => {
  const shard = (fetched_age_s: number, ttl_s: number, id = "a") =>
    aShard({ id, stations: [aStation("s")], fetched_age_s, ttl_s });
  const table: [string, Setup, Wish, number | null][] = [
    ["55 s are left", { shards: [shard(5, 60)] }, {}, 30],
    ["10 s are left", { shards: [shard(50, 60)] }, {}, 10],
    ["a fraction is cut", { shards: [shard(50.5, 60)] }, {}, 9],
    ["none is left, and it is still used", { shards: [shard(90, 60)] }, {}, 0],
    ["the publisher says 0", { shards: [shard(5, 0)] }, {}, 0],
    ["the shortest of two", { shards: [shard(5, 60), shard(50, 60, "b")] }, {}, 10],
    ["no source to ask", {}, {}, 30],
    ["empty is complete", { shards: [shard(50, 60)] }, { modes: ["car"] }, 10],
    ["GeoJSON alike", { shards: [shard(50, 60)] }, { format: "geojson" }, 10],
    ["debug: not to be stored", { shards: [shard(5, 60)] }, { debug: true }, null],
    ["partial: not to be stored", { shards: [shard(500, 60)] }, {}, null],
    ["partial for a family", { shards: [shard(5, 60)] }, { include: ["lines"] }, null],
  ];
  for (const [name, setup, wish, max_age_s] of table)
    assert.equal((await replyTo(setup, wish)).max_age_s, max_age_s, name);
});

test("only the files an answer is made of bound how long it may be kept", async () => {
  const shard = aShard({ stations: [aStation("s")], vehicles: [aVehicle("v")], alerts: [] });
  const short = { ...shard.vehicles!.live!, ttl_s: 7 };
  const shards = [{ ...shard, vehicles: { ...shard.vehicles!, live: short } }];
  assert.equal((await replyTo({ shards })).max_age_s, 2);
  assert.equal((await replyTo({ shards }, { include: ["stations", "alerts"] })).max_age_s, 30);
});

test("only the contents of the page are metered: alerts and an empty page cost nothing", async () => {
  const shards = [
    aShard({ stations: [aStation("s")], vehicles: [aVehicle("v")], alerts: [anAlert("x")] }),
  ];
  const objects = async (wish: Wish) => (await replyTo({ shards }, wish)).objects;
  assert.equal(await objects({ include: ["stations", "vehicles", "alerts"] }), 2);
  assert.equal(await objects({ limit: 1 }), 1);
  assert.equal(await objects({ offset: 1 }), 1);
  assert.equal(await objects({ offset: 5 }), 0);
  assert.equal(await objects({ include: ["alerts"] }), 0);
});
