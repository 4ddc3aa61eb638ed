/** One base serves all callers at once: what others ask in between changes no answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toEnd } from "#kit/steps.ts";
import { SearchMemories } from "../../walk/search-memory.ts";
import { Walker } from "../../walk/walker.ts";
import { graphOf, pagesOf, pointOf, type Town } from "./town.ts";

const SIDE = 12;
const GAP_M = 60;

/** A grid of streets from which pieces are missing, with stairs in it. */
function drawGrid(): Town {
  const nodes: Record<string, readonly [number, number]> = {};
  const ways: [string, Record<string, string>][] = [];
  const name = (x: number, y: number): string => `n${x}_${y}`;
  for (let x = 0; x < SIDE; x++)
    for (let y = 0; y < SIDE; y++) {
      nodes[name(x, y)] = [x * GAP_M, y * GAP_M];
      const tags = (x + 2 * y) % 7 === 0 ? { highway: "steps" } : { highway: "residential" };
      if (x > 0 && (x * 31 + y * 17) % 5 !== 0)
        ways.push([`${name(x - 1, y)} ${name(x, y)}`, tags]);
      if (y > 0 && (x * 13 + y * 29) % 6 !== 0)
        ways.push([`${name(x, y - 1)} ${name(x, y)}`, tags]);
    }
  return { nodes, ways };
}

const graph = graphOf(drawGrid());

/** Numbers that look drawn, the same in each run. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Point = { lat: number; lon: number };
type Question = {
  start: Point;
  points: readonly Point[];
  options: { most_m: number; profile: "foot" | "step_free" };
};

function drawQuestion(draw: (below: number) => number): Question {
  const point = (): Point => {
    const { lat7, lon7 } = pointOf([draw(SIDE * GAP_M), draw(SIDE * GAP_M)]);
    return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
  };
  return {
    start: point(),
    points: Array.from({ length: 1 + draw(170) }, point),
    options: { most_m: 200 + draw(1_500), profile: draw(3) === 0 ? "step_free" : "foot" },
  };
}

test("each of many callers at once gets the answer that it gets alone", () => {
  const draw = createDraw(7);
  const shared = new Walker(graph);
  const questions = Array.from({ length: 60 }, () => drawQuestion(draw));
  const alone = questions.map(({ start, points, options }) =>
    toEnd(new Walker(graph).walkSteps(start, points, options)),
  );
  const linesAlone = questions.map(({ start, points, options }) =>
    new Walker(graph).drawWay(start, points[0]!, options),
  );
  const outlinesAlone = questions.map(({ start, options }) =>
    new Walker(graph).outline(start, options),
  );
  const running = questions.map(({ start, points, options }, caller) => ({
    caller,
    steps: shared.walkSteps(start, points, options),
  }));
  let turns = 0;
  while (running.length > 0) {
    const at = draw(running.length);
    const { caller, steps } = running[at]!;
    const step = steps.next();
    turns++;
    if (step.done === true) {
      assert.deepEqual(step.value, alone[caller], `caller ${caller}`);
      running.splice(at, 1);
    }
    // Others want a line or an outline meanwhile, which use the same memory.
    const other = draw(questions.length);
    const { start, points, options } = questions[other]!;
    if (turns % 3 === 0)
      assert.deepEqual(shared.drawWay(start, points[0]!, options), linesAlone[other]);
    if (turns % 5 === 0) assert.deepEqual(shared.outline(start, options), outlinesAlone[other]);
  }
  assert.ok(turns > 150, `${turns} turns`);
  const ways = alone.flatMap((answer) => answer.ways);
  const reached = ways.filter((way) => typeof way !== "string").length;
  assert.ok(reached > 500 && reached < ways.length, `${reached} of ${ways.length}`);
});

test("callers with pages of their own share the memory of searches, and get what they get alone", () => {
  const draw = createDraw(11);
  const town = drawGrid();
  const graphs = pagesOf(town, 16);
  assert.ok(graphs.length > 3);
  const walkers = graphs.map((each) => new Walker(each));
  const memories = new SearchMemories();
  const questions = Array.from({ length: 30 }, () => drawQuestion(draw));
  const running = questions.map(({ start, points, options }, caller) => {
    // Some have the pages in another order, or have fewer of them.
    const own =
      caller % 3 === 0 ? walkers.toReversed() : walkers.slice(0, caller % 3 === 1 ? 9 : 2);
    const wanted = toEnd(new Walker(own).walkSteps(start, points, options));
    const walker = new Walker(own, memories);
    return { wanted, own, walker, caller, steps: walker.walkSteps(start, points, options) };
  });
  let reached = 0;
  while (running.length > 0) {
    const at = draw(running.length);
    const { wanted, caller, steps } = running[at]!;
    const step = steps.next();
    if (step.done === true) {
      assert.deepEqual(step.value, wanted, `caller ${caller}`);
      reached += wanted.ways.filter((way) => typeof way !== "string").length;
      running.splice(at, 1);
    }
    if (running.length === 0) continue;
    const { start, options } = questions[draw(questions.length)]!;
    const other = running[draw(running.length)]!;
    assert.deepEqual(
      other.walker.outline(start, options),
      new Walker(other.own).outline(start, options),
    );
  }
  assert.ok(reached > 200, String(reached));
});

test("pages of one base share the memory of searches, whichever is asked", () => {
  const draw = createDraw(13);
  const graphs = pagesOf(drawGrid(), 16);
  const memories = new SearchMemories();
  const walkers = graphs.map((each) => new Walker(each, memories));
  let reached = 0;
  for (let i = 0; i < 400; i++) {
    const at = draw(walkers.length);
    const { start, points, options } = drawQuestion(draw);
    const alone = new Walker(graphs[at]!);
    const steps = walkers[at]!.walkSteps(start, points, options);
    // Another page is asked before this one has come to its search, and after.
    const other = walkers[draw(walkers.length)]!;
    const first = steps.next();
    other.outline(start, options);
    const found = first.done === true ? first.value : toEnd(steps);
    const wanted = toEnd(alone.walkSteps(start, points, options));
    assert.deepEqual(found, wanted);
    assert.deepEqual(walkers[at]!.outline(start, options), alone.outline(start, options));
    reached += wanted.ways.filter((way) => typeof way !== "string").length;
  }
  assert.ok(reached > 200, String(reached));
});
