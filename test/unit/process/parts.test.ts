/** Parts start behind what they need and end before it; a start that fails leaves nothing open. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { inOrder, type Part, rowsOf, Starter } from "#process/parts.ts";
import type { Inputs } from "../../../src/main/parts/given.ts";
import { listParts } from "../../../src/main/service.ts";
import { tries } from "../../support/size.ts";

type Names = Record<string, unknown>;
const row = rowsOf<Names>();

function open() {
  const reported: string[] = [];
  const starter = new Starter<Names>({
    log: { info: () => undefined },
    onFault: (part, error) => void reported.push(`fault ${part}: ${(error as Error).message}`),
  });
  const plain = (name: string, needs: string[], more: Partial<Part> = {}): Part => ({
    ...row(name, needs, () => {
      reported.push(name);
      return name;
    }),
    close: () => void reported.push(`-${name}`),
    ...more,
  });
  return { starter, reported, plain };
}

const fails = (name: string, needs: string[] = []): Part =>
  row(name, needs, () => {
    throw new Error("planted");
  });

test("parts start behind what they need, and end in the reverse order", async () => {
  const { starter, reported, plain } = open();
  await starter.start([plain("c", ["b"]), plain("b", ["a"]), plain("d", []), plain("a", [])]);
  await starter.end();
  assert.deepEqual(reported, ["a", "b", "c", "d", "-d", "-c", "-b", "-a"]);
});

test("whatever the order of a table, each part is behind what it needs", () => {
  const links = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 });
  const order = fc.shuffledSubarray([...Array(10).keys()], { minLength: 10 });
  fc.assert(
    fc.property(links, order, (pairs, names) => {
      const needsOf = (name: number): string[] =>
        pairs.filter(([of, need]) => of === name && need < name).map(([, need]) => `${need}`);
      const parts = inOrder(names.map((name) => row(`${name}`, needsOf(name), () => null)));
      const seen = new Set<string>();
      for (const { name, needs } of parts) {
        assert.ok(needs.every((need) => seen.has(need)));
        seen.add(name);
      }
      assert.equal(seen.size, 10);
    }),
    { numRuns: tries(100) },
  );
});

test("a part that is needed and missing, or needs itself, is an error that names it", () => {
  const [a, b] = [row("a", ["b"], () => null), row("b", ["a"], () => null)];
  assert.throws(() => inOrder([a]), /a needs b/);
  assert.throws(() => inOrder([a, b]), /a needs b needs a/);
});

test("a part that throws refuses the start, and those before it are ended", async () => {
  const { starter, reported, plain } = open();
  const table = [plain("a", []), fails("b", ["a"]), plain("c", ["b"])];
  await assert.rejects(starter.start(table), /planted/);
  await starter.end();
  assert.deepEqual(reported, ["a", "-a"]);
});

test("a problem refuses the start in its line; a member of a part that has that name does not", async () => {
  const { starter, reported, plain } = open();
  class Watch {
    get problem(): null {
      return null;
    }
  }
  const table = [row("watch", [], () => new Watch()), row("b", [], () => ({ problem: "taken" }))];
  assert.deepEqual(await starter.start([...table, plain("c", [])]), { problem: "taken" });
  assert.deepEqual(reported, []);
});

test("a part gets what it needs, and nothing of other parts", async () => {
  const { starter, plain } = open();
  let input: unknown;
  const last = row("last", ["b"], (parts) => {
    input = parts;
    return null;
  });
  await starter.start([plain("a", []), plain("b", ["a"]), last]);
  assert.deepEqual(input, { b: "b" });
});

test("the start goes on while a part in the background starts, and those that need it wait", async () => {
  const { starter, reported, plain } = open();
  const slow = Promise.withResolvers<void>();
  const later = row("later", [], () => slow.promise, { background: true });
  const needs = plain("needs", ["later"], { background: true });
  await starter.start([later, needs, plain("next", [])]);
  assert.deepEqual(reported, ["next"]);
  const tried = starter.tried();
  slow.resolve();
  await tried;
  assert.deepEqual(reported, ["next", "needs"]);
  await starter.end();
  assert.deepEqual(reported.slice(2), ["-needs", "-next"]);
});

test("a throw in the background is reported, and those that need the part begin without", async () => {
  const { starter, reported, plain } = open();
  const bases = { ...fails("read"), label: "bases", background: true };
  await starter.start([bases, plain("needs", ["read"])]);
  assert.deepEqual(reported, ["fault bases: planted", "needs"]);
});

test("a part waits for its needs no longer than it says", async () => {
  const { starter, reported, plain } = open();
  const never = row("never", [], () => new Promise(() => undefined), { background: true });
  await starter.start([never, plain("patient", ["never"], { within_ms: 1 })]);
  assert.deepEqual(reported, ["patient"]);
});

test("one that is ready after the end is ended at once, and what has not begun does not begin", async () => {
  const { starter, reported, plain } = open();
  const slow = Promise.withResolvers<void>();
  const late = plain("late", [], { background: true, start: () => slow.promise });
  await starter.start([late, plain("after", ["late"], { background: true })]);
  await starter.end();
  slow.resolve();
  await starter.tried();
  assert.deepEqual(reported, ["-late"]);
});

test("what an end throws is reported, and the others end", async () => {
  const { starter, reported, plain } = open();
  const close = (): never => {
    throw new Error("planted");
  };
  await starter.start([plain("a", []), plain("b", ["a"], { close, label: "stores" })]);
  await starter.end();
  assert.deepEqual(reported.slice(2), ["fault end of stores: planted", "-a"]);
});

for (const mode of ["live", "sandbox"] as const)
  test(`the parts of a service have an order, and end before what they use (${mode})`, () => {
    const env = readEnv({ VICINITY_CONTACT: "tests@example.org" });
    assert.ok(env.ok);
    const config = loadConfig({ mode, env: env.value });
    assert.ok(config.ok);
    const options = { config: config.value, env: env.value, version: "1.1.0" };
    const parts = inOrder(listParts({ options } as unknown as Inputs));
    const ended = parts.filter(({ close }) => close).map(({ label, name }) => label ?? name);
    const before = (first: string, then: string): void =>
      assert.ok(ended.indexOf(then) < ended.indexOf(first), `${first} ends before ${then}`);
    for (const part of ["listeners", "callers", "feeds", "timetables", "history", "catalogues"])
      before(part, "stores");
    for (const part of ["feeds", "timetables", "places"]) before(part, "connections to sources");
    before("listeners", "callers");
    before("facts", "listeners");
  });
