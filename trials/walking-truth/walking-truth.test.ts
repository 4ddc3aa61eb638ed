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
import { judgeNearest, judgePairs, type Program } from "./judge.ts";
import { listPairs } from "./questions.ts";
import { type Plant, walkerOf } from "./simulated-base.ts";

const MOST_M = 20_000;
const CITIES = sized(["paris", "sydney", "taveuni"], undefined);
const PLANTS_IN = ["berlin"];

async function programOf(world: Parameters<typeof walkerOf>[0], plant?: Plant): Promise<Program> {
  const walker = await walkerOf(world, plant);
  return (from, points, profile) => walker.walkTo(from, points, { most_m: MOST_M, profile });
}

describe("ways on foot over the simulated base", () => {
  const world = createWorld(1, CITIES);
  const walks = new Walks(world);
  const pairs = listPairs(world, { seed: 1, count: 1_000 });

  test("each is as long as the simulator finds it, with steps where it has some", async (t) => {
    const verdict = judgePairs(await programOf(world), walks, pairs);
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
    const some = pairs.slice(0, sized(200, 1_000));
    const verdict = judgeNearest(await programOf(world), { world, walks, pairs: some });
    assert.deepEqual(verdict.wrong, []);
    assert.ok(verdict.otherwise > verdict.asked / 10, "the beeline says the same");
    t.diagnostic(`${verdict.asked} asked, ${verdict.otherwise} another than by beeline`);
  });
});

describe("a mistake in what is read is seen", () => {
  const world = createWorld(1, PLANTS_IN);
  const walks = new Walks(world);
  const pairs = listPairs(world, { seed: 2, count: 400 });
  const without =
    (isLeft: (object: PbfObject) => boolean) =>
    (all: readonly PbfObject[]): PbfObject[] =>
      all.filter((object) => !isLeft(object));
  const tagged = (key: string, value: string) => (object: PbfObject) =>
    object.type === "way" && object.tags?.[key] === value;
  const retagged =
    (key: string, values: Readonly<Record<string, string>>) =>
    (all: readonly PbfObject[]): PbfObject[] =>
      all.map((object) =>
        object.tags?.[key] === undefined
          ? object
          : { ...object, tags: { ...object.tags, ...values } },
      );
  const plants: Readonly<Record<string, Plant>> = {
    "no bridge": { objects: without((object) => object.tags?.["bridge"] !== undefined) },
    "one bridge": { objects: without(tagged("highway", "tertiary")) },
    "gates that stand open": { objects: retagged("barrier", { access: "yes" }) },
    "private ways that are open": {
      objects: (all) =>
        all.map((object) =>
          object.tags?.["access"] === "private"
            ? { ...object, tags: { ...object.tags, access: "yes" } }
            : object,
        ),
    },
    "no stairs": { objects: without(tagged("highway", "steps")) },
    "lifts that are stairs": {
      objects: (all) =>
        all.map((object) =>
          object.tags?.["highway"] === "elevator"
            ? { ...object, tags: { ...object.tags, wheelchair: "no" } }
            : object,
        ),
    },
    "squares that are walked around": { section: { ruleset: "usual", squares: false } },
    "other rules": { section: { ruleset: "plain", squares: true } },
  };
  test("none is planted", async () => {
    assert.deepEqual(judgePairs(await programOf(world), walks, pairs).wrong, []);
  });
  for (const [name, plant] of Object.entries(plants))
    test(name, async (t) => {
      const { wrong } = judgePairs(await programOf(world, plant), walks, pairs);
      assert.ok(wrong.length > 0);
      t.diagnostic(`${wrong.length} answers, the first: ${wrong[0]}`);
    });
});
