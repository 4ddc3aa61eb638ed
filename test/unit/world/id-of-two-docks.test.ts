/** A dock that two sources saw keeps its id when the one that gave it is gone; that id is no other dock's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, deploy, type Deployment } from "../../support/answers.ts";
import { aShard, aStation, aStatus, HERE, moved } from "../../support/domain.ts";
import { createMemoryBridges } from "../../support/memory.ts";
import type { StationInfo } from "#stations/entities.ts";

const NAME = "Vélocité Testville";
const FAR = moved(HERE, 3_000, 500);
const gare = aStation("1", { name: "Gare centrale" });
const port = aStation("2", { name: "Vieux port", ...moved(HERE, 0, 250) });

const official = (stations: StationInfo[]) =>
  aShard({
    id: "velocite",
    name: NAME,
    stations,
    statuses: stations.map(({ id }) => aStatus(id)),
  });
const copied = aShard({
  id: "cb-velocite",
  source: "citybikes",
  name: NAME,
  stations: [
    { ...gare, id: "x1" },
    { ...port, id: "x2" },
  ],
  statuses: [aStatus("x1"), aStatus("x2")],
});

async function idsAt(deployment: Deployment, at = HERE): Promise<string[]> {
  const body = await ask(deployment, { ...at, include: ["stations"] });
  return body.results.stations.map(({ id }) => id);
}

const overrides = { always: [], never: [] };

test("the key comes back far away while the other source has its id", async () => {
  const identity = { bridges: createMemoryBridges(), overrides };
  const deployment = deploy({ shards: [official([gare, port]), copied], identity });
  const before = await idsAt(deployment);
  assert.equal(before.length, 2, "two docks of two sources each");
  await deployment.world.put(official([]));
  assert.deepEqual(await idsAt(deployment), before, "they keep their ids");
  await deployment.world.put(official([{ ...port, ...FAR }]));
  const [far] = await idsAt(deployment, FAR);
  const near = await idsAt(deployment);
  assert.equal(far, before[1], "an id made of a key is that of the dock which has it");
  assert.equal(near[0], before[0]);
  assert.equal(new Set([far, ...near]).size, 3);
});

for (const first of ["the one that gave the id", "the one that has it"])
  test(`the same over a restart, ${first} read first`, async () => {
    const bridges = createMemoryBridges();
    const past = deploy({
      shards: [official([gare, port]), copied],
      identity: { bridges, overrides },
    });
    await past.world.put(official([]));
    const deployment = deploy({ identity: { bridges, overrides } });
    for (const source_id of ["velocite", "cb-velocite"])
      deployment.world.register({ source_id, country: "FR" });
    const both = [official([{ ...port, ...FAR }]), copied];
    const order = first === "the one that gave the id" ? both : both.toReversed();
    for (const shard of order) await deployment.world.put(shard);
    const all = [...(await idsAt(deployment)), ...(await idsAt(deployment, FAR))];
    assert.equal(all.length, 3);
    assert.equal(new Set(all).size, 3);
  });
