/**
 * Feeds of strangers, a few hundred kilobytes each, froze the service for as long as their stations
 * were compared: 60,000 stations at one point with the network name of a neighbour (16 s), two feeds
 * of 2,000 stations at one place with one name (23 s), names of 4,080 blanks (15 s). A feed beyond a
 * bound is refused with its reason now; what was shown of it stays, and all others answer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shard, StationInfo } from "#stations/shards.ts";
import { createLexicon, prepareName } from "#kit/names/name.ts";
import { ask, deploy, type Deployment } from "../support/answers.ts";
import { aShard, aStation, HERE, moved } from "../support/domain.ts";
import { createMemoryBridges } from "../support/memory.ts";

const NAME = "Vélocité Testville";
const overrides = { always: [], never: [] };

const honest = (): Shard =>
  aShard({
    id: "velocite",
    name: NAME,
    stations: Array.from({ length: 10 }, (_, i) => aStation(`s${i}`, moved(HERE, i * 20))),
  });

function hostile(stations: StationInfo[], id = "stranger"): Shard {
  return aShard({ id, source: "citybikes", name: NAME, stations, statuses: null });
}

function settle(shards: readonly Shard[]): Deployment {
  return deploy({ shards, identity: { bridges: createMemoryBridges(), overrides } });
}

async function count(deployment: Deployment): Promise<number> {
  return (await ask(deployment, { include: ["stations"] })).total;
}

function atOnePoint(stations: number): StationInfo[] {
  return Array.from({ length: stations }, (_, i) => aStation(`x${i}`));
}

/** A metre and a bit apart, so that no point is crowded, and all within the reach of one station. */
function onALawn(side: number): StationInfo[] {
  return Array.from({ length: side * side }, (_, i) =>
    aStation(`x${i}`, {
      name: "Lawn",
      ...moved(HERE, (i % side) * 1.2, Math.floor(i / side) * 1.2),
    }),
  );
}

test("60,000 stations at one point are refused, and what was shown of their feed stays", async () => {
  const deployment = settle([honest(), hostile([aStation("far", moved(HERE, 300))])]);
  assert.equal(await count(deployment), 11);
  assert.equal(await deployment.world.put(hostile(atOnePoint(60_000))), "too_dense");
  assert.equal(await count(deployment), 11);
  assert.equal(await deployment.world.put(hostile(atOnePoint(12))), null, "a real place of cars");
});

test("two feeds of 2,000 stations at one place with one name are refused", async () => {
  const deployment = settle([honest()]);
  for (const id of ["one", "two"]) {
    deployment.world.register({ source_id: id, country: "FR" });
    assert.equal(await deployment.world.put(hostile(atOnePoint(2_000), id)), "too_dense");
  }
  assert.equal(await count(deployment), 10);
});

test("a feed is refused that gives a station of another one more candidates than a place holds", async () => {
  const bridges = createMemoryBridges();
  const troubles: unknown[] = [];
  const identity = {
    bridges,
    overrides,
    onTrouble: (trouble: unknown) => void troubles.push(trouble),
  };
  const twin = aShard({
    id: "velocite",
    name: NAME,
    stations: onALawn(3).map((station) => ({ ...station, id: `own ${station.id}` })),
  });
  const lawn = hostile(onALawn(40));
  const later = deploy({ shards: [twin], identity });
  later.world.register({ source_id: "stranger", country: "FR" });
  // Nine of its docks are the honest one's, so that it may be a view of the same network.
  assert.equal(await later.world.put(lawn), "too_dense");
  assert.equal(await count(later), 9);
  const before = deploy({ shards: [lawn, twin], identity });
  assert.equal(before.world.find("velocite")!.roles, null, "the honest one is shown as it is");
  assert.deepEqual(troubles.at(-1), { source_id: "stranger", reason: "too_dense" });
});

test("names of blanks are read no further than names are long, in one pass", () => {
  const lexicon = createLexicon();
  const blanks = " ".repeat(40_000);
  for (const name of [`oak${blanks}elm`, `oak (${blanks}elm`, `oak -${blanks}elm`])
    assert.equal(prepareName(lexicon, name, []).words.length, 1);
  assert.equal(prepareName(lexicon, `oak ${"0".repeat(200)}x`, []).words.length, 2);
});
