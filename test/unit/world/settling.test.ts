/**
 * Identity is resolved elsewhere: what is shown until the result comes, and what when none does. The
 * resolver of these tests answers on command.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GroupJob, GroupResult } from "#stations/identity/group.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { ask, deploy, type Deployment } from "../../support/answers.ts";
import { aShard, aStation, aStatus, HERE, moved } from "../../support/domain.ts";
import { createMemoryBridges, resolveHere } from "../../support/memory.ts";

const NAME = "Vélocité Testville";
const overrides = { always: [], never: [] };
const gare = aStation("1", { name: "Gare centrale" });
const port = aStation("2", { name: "Vieux port", ...moved(HERE, 0, 250) });

type Sketch = Omit<Parameters<typeof aShard>[0], "id">;
const official = (sketch: Sketch): Shard => aShard({ id: "velocite", name: NAME, ...sketch });
const copied = (sketch: Sketch): Shard =>
  aShard({ id: "cb-velocite", source: "citybikes", name: NAME, ...sketch });

type Request = { job: GroupJob; answer(mode: "result" | "nothing"): void };

/** `held`: jobs wait for their answer from then on. */
function createResolver() {
  const requested: Request[] = [];
  const troubles: unknown[] = [];
  const resolver = {
    requested,
    troubles,
    stored: false,
    resolve(job: GroupJob): GroupResult | null | Promise<GroupResult | null> {
      if (!resolver.stored) return resolveHere(job);
      const { promise, resolve } = Promise.withResolvers<GroupResult | null>();
      const answer = (mode: "result" | "nothing"): void =>
        resolve(mode === "result" ? resolveHere(job) : null);
      requested.push({ job, answer });
      return promise;
    },
  };
  return resolver;
}

function start(shards: readonly Shard[], resolver: ReturnType<typeof createResolver>): Deployment {
  const onTrouble = (trouble: unknown): void => void resolver.troubles.push(trouble);
  const { resolve } = resolver;
  const identity = { bridges: createMemoryBridges(), overrides, resolve, onTrouble };
  return deploy({ shards, identity });
}

async function statuses(deployment: Deployment): Promise<[string, string][]> {
  const body = await ask(deployment, { include: ["stations"] });
  return body.results.stations.map((station) => [
    station.name,
    station["resolution_status"] as string,
  ]);
}

function sorted<T>(rows: readonly T[]): T[] {
  return rows.toSorted((x, y) => (String(x) < String(y) ? -1 : 1));
}

async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

test("until a new static part is resolved the old one is shown, and then both change at once", async () => {
  const resolver = createResolver();
  const deployment = start(
    [official({ stations: [gare] }), copied({ stations: [gare] })],
    resolver,
  );
  resolver.stored = true;
  const put = deployment.world.put(copied({ stations: [gare, port] }));
  assert.deepEqual(await statuses(deployment), [["Gare centrale", "merged"]]);
  resolver.requested[0]!.answer("result");
  assert.equal(await put, null);
  assert.deepEqual(await statuses(deployment), [
    ["Gare centrale", "merged"],
    ["Vieux port", "unresolved"],
  ]);
});

test("live counts that come meanwhile are shown with the new part", async () => {
  const resolver = createResolver();
  const deployment = start([official({ stations: [gare] })], resolver);
  resolver.stored = true;
  const next = official({ stations: [gare, port] });
  const put = deployment.world.put(next);
  const counts = official({
    stations: [gare, port],
    statuses: [aStatus("1", { vehicles: 9 }), aStatus("2")],
  });
  void deployment.world.put({ ...next, status: counts.status });
  resolver.requested[0]!.answer("result");
  await put;
  const body = await ask(deployment, { include: ["stations"] });
  assert.equal(body.results.stations[0]!.availability["vehicles"], 9);
  assert.equal(resolver.requested.length, 1, "counts are no reason to resolve");
});

test("what a system says meanwhile of having nothing to rent is resolved by at once", async () => {
  const resolver = createResolver();
  const living = aShard({ id: "new", name: NAME, stations: [gare] });
  const deployment = start([living], resolver);
  const statuses_old = [aStatus("1", { vehicles: 0, is_renting: false, is_returning: false })];
  const old = aShard({ id: "old", name: NAME, stations: [gare], statuses: statuses_old });
  deployment.world.register({ source_id: "old", country: "FR" });
  resolver.stored = true;
  const put = deployment.world.put({ ...old, status: null });
  void deployment.world.put(old);
  resolver.requested[0]!.answer("result");
  await turns();
  assert.equal(resolver.requested.length, 2);
  resolver.requested[1]!.answer("result");
  assert.equal(await put, null);
  assert.deepEqual(await statuses(deployment), [
    ["Gare centrale", "possible_match"],
    ["Gare centrale", "possible_match"],
  ]);
});

test("systems are resolved one after the other, by what is shown then", async () => {
  const resolver = createResolver();
  const deployment = start([], resolver);
  for (const source_id of ["velocite", "cb-velocite"])
    deployment.world.register({ source_id, country: "FR" });
  resolver.stored = true;
  const puts = [
    deployment.world.put(official({ stations: [gare] })),
    deployment.world.put(copied({ stations: [gare] })),
  ];
  assert.equal(resolver.requested.length, 1);
  resolver.requested[0]!.answer("result");
  await puts[0];
  await turns();
  assert.equal(resolver.requested[1]!.job.systems.length, 2);
  resolver.requested[1]!.answer("result");
  await puts[1];
  assert.deepEqual(await statuses(deployment), [["Gare centrale", "merged"]]);
});

test("without a result a system is shown unresolved, and its next change is tried again", async () => {
  const resolver = createResolver();
  const map = aShard({ id: "map", source: "openstreetmap", name: NAME, stations: [gare] });
  const shards = [official({ stations: [gare] }), map, copied({ stations: [gare] })];
  const deployment = start(shards, resolver);
  assert.deepEqual(await statuses(deployment), [["Gare centrale", "merged"]]);
  resolver.stored = true;
  const put = deployment.world.put(copied({ stations: [port, gare] }));
  resolver.requested[0]!.answer("nothing");
  await turns();
  assert.deepEqual(
    resolver.requested.slice(1).map(({ job }) => job.systems.map(({ source_id }) => source_id)),
    [["cb-velocite"]],
    "by itself, for the ids it has",
  );
  resolver.requested[1]!.answer("result");
  await turns();
  resolver.requested[2]!.answer("result");
  assert.equal(await put, null);
  assert.deepEqual(resolver.troubles, [{ source_id: "cb-velocite", reason: "unresolved" }]);
  assert.deepEqual(sorted(await statuses(deployment)), [
    ["Gare centrale", "merged"],
    ["Gare centrale", "unresolved"],
    ["Vieux port", "unresolved"],
  ]);

  const neighbour = deployment.world.put(official({ stations: [gare, aStation("9")] }));
  await turns();
  const { systems } = resolver.requested[3]!.job;
  assert.ok(
    !systems.some(({ source_id }) => source_id === "cb-velocite"),
    "no question waits for it",
  );
  resolver.requested[3]!.answer("result");
  await neighbour;

  const again = deployment.world.put(copied({ stations: [gare] }));
  await turns();
  assert.equal(resolver.requested[4]!.job.systems.length, 3);
  resolver.requested[4]!.answer("result");
  await again;
  assert.ok(
    (await statuses(deployment)).some(
      ([name, status]) => name === "Gare centrale" && status === "merged",
    ),
  );
});

test("when nothing can be resolved at all, every system is still there", async () => {
  const resolver = createResolver();
  const deployment = start(
    [official({ stations: [gare] }), copied({ stations: [gare] })],
    resolver,
  );
  resolver.stored = true;
  const put = deployment.world.put(copied({ stations: [gare, port] }));
  for (let i = 0; i < 3; i++) {
    resolver.requested[i]!.answer("nothing");
    await turns();
  }
  assert.equal(await put, null);
  assert.deepEqual(sorted(await statuses(deployment)), [
    ["Gare centrale", "unresolved"],
    ["Gare centrale", "unresolved"],
    ["Vieux port", "unresolved"],
  ]);
});
