/**
 * Ways on foot over the base of the simulated cities against the simulator's own search, and mistakes
 * that are planted in what the importer reads, each of which is seen. `npm run trials -- walking-truth`
 * asks more of more cities.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PbfObject } from "../../sandbox/pbf/encode.ts";
import { Walks } from "../../sandbox/walks/walk.ts";
import { createWorld } from "../../sandbox/world/world.ts";
import { sized } from "../../test/support/size.ts";
import { judgeAll, judgeNearest, listKnown, type Program } from "./judge.ts";
import { listPairs } from "./questions.ts";
import { type Plant, walkerOf } from "./simulated-base.ts";

const MOST_M = 20_000;
const CITIES = sized(["paris", "taveuni"], undefined);
const PLANTS_IN = ["berlin"];

async function programOf(world: Parameters<typeof walkerOf>[0], plant?: Plant): Promise<Program> {
  const walker = await walkerOf(world, plant);
  return (from, points, profile) => walker.walkTo(from, points, { most_m: MOST_M, profile });
}

describe("ways on foot over the simulated base", () => {
  const world = createWorld(1, CITIES);
  const walks = new Walks(world);
  const pairs = listPairs(world, { seed: 1, count: sized(400, 1_000) });

  test("each is as long as the simulator finds it, with steps where it has some", async (t) => {
    const verdict = judgeAll(await programOf(world), listKnown(walks, pairs));
    assert.deepEqual(verdict.wrong, []);
    const outcomes = Object.fromEntries(verdict.outcomes);
    for (const outcome of [
      ...["step-free", "steps", "steps not known"],
      ...["start_off_network", "target_off_network", "not_reached"],
    ])
      assert.ok(outcomes[outcome]! > 5, `${outcome}: ${outcomes[outcome]}`);
    t.diagnostic(`${verdict.compared} answers, at most ${verdict.worst_m.toFixed(3)} m apart`);
  });

  test("the nearest service on foot is the nearest", async (t) => {
    const some = pairs.slice(0, sized(50, 1_000));
    const verdict = judgeNearest(await programOf(world), { world, walks, pairs: some });
    assert.deepEqual(verdict.wrong, []);
    assert.ok(verdict.otherwise > verdict.asked / 10, "the beeline says the same");
    t.diagnostic(`${verdict.asked} asked, ${verdict.otherwise} another than by beeline`);
  });
});

describe("a mistake in what is read is seen", () => {
  const world = createWorld(1, PLANTS_IN);
  const walks = new Walks(world);
  const known = listKnown(walks, listPairs(world, { seed: 2, count: 200 }));
  const without =
    (key: string, value: string) =>
    (all: readonly PbfObject[]): PbfObject[] =>
      all.filter(({ type, tags }) => type !== "way" || tags?.[key] !== value);
  const changed =
    (key: string, value: string | null, tags: Readonly<Record<string, string>>) =>
    (all: readonly PbfObject[]): PbfObject[] =>
      all.map((object) => {
        const has = object.tags?.[key];
        return has === undefined || (value !== null && has !== value)
          ? object
          : { ...object, tags: { ...object.tags, ...tags } };
      });
  const plants: Readonly<Record<string, Plant>> = {
    "no bridge": { objects: without("bridge", "yes") },
    "one bridge": { objects: without("highway", "tertiary") },
    "gates that are open": { objects: changed("barrier", null, { access: "yes" }) },
    "private ways that are open": { objects: changed("access", "private", { access: "yes" }) },
    "no stairs": { objects: without("highway", "steps") },
    "lifts that are stairs": { objects: changed("highway", "elevator", { wheelchair: "no" }) },
    "squares that are walked around": { section: { ruleset: "usual", squares: false } },
    "walls without doors": { objects: changed("entrance", null, { entrance: "no" }) },
    "other rules": { section: { ruleset: "plain", squares: true } },
  };
  test("none is planted", async () => {
    assert.deepEqual(judgeAll(await programOf(world), known).wrong, []);
  });
  for (const [name, plant] of Object.entries(plants))
    test(name, async (t) => {
      const { wrong } = judgeAll(await programOf(world, plant), known);
      assert.ok(wrong.length > 0);
      t.diagnostic(`${wrong.length} answers, the first: ${wrong[0]}`);
    });
});
