/** Replicas that differ: one line a change, a count for each kind, and nothing made up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "#http/metrics.ts";
import { digestList, type ReplicaState, ReplicaWatch } from "#observe/replica-watch.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { noFault } from "../../support/faults.ts";

const STATE: ReplicaState = {
  version: "1.1.0 abc",
  config: "c1",
  plans: "p1",
  bases: "none",
  timetables: "none",
};

function open(t: { after(task: () => void): void }) {
  const clock = createManualClock(0);
  const metrics = createMetrics();
  t.after(() => metrics.close());
  const lines: string[] = [];
  const reported: string[] = [];
  let others: ReadonlyMap<string, string> | null = new Map();
  const watch = new ReplicaWatch({
    facts: {
      report: (text) => {
        reported.push(text);
        return Promise.resolve(others);
      },
    },
    name: "a:8080",
    state: () => STATE,
    clock,
    metrics,
    log: {
      warn: (members: object) => void lines.push(`warn ${JSON.stringify(members)}`),
      info: (members: object) => void lines.push(`info ${JSON.stringify(members)}`),
    },
    onFault: noFault,
  });
  const count = async (what: string): Promise<string | undefined> =>
    new RegExp(`^svc_replicas_differ\\{what="${what}"\\} (\\d+)$`, "m").exec(metrics.text())?.[1];
  const set = (texts: readonly unknown[] | null): void => {
    others = texts && new Map(texts.map((each, i) => [`r${i}`, JSON.stringify(each)]));
  };
  /** Three comparisons. */
  const pass = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await clock.advance(10_000);
  };
  return { clock, pass, watch, lines, reported, set, count };
}

test("a difference that lasts is one warning, and its end one line", async (t) => {
  const { clock, pass, watch, lines, reported, set, count } = open(t);
  set([{ name: "b:8080", ...STATE, plans: "p2" }]);
  await clock.advance(0);
  assert.deepEqual(lines, [], "once is no difference yet: a reload reaches all within seconds");
  assert.deepEqual([await count("plans"), await count("config")], ["1", "0"]);
  await pass();
  assert.deepEqual(lines, [
    'warn {"what":"plans","here":"p1","others":[{"name":"b:8080","value":"p2"}]}',
  ]);
  assert.equal(JSON.parse(reported[0]!).name, "a:8080");
  set([{ name: "b:8080", ...STATE, plans: "p3" }]);
  await pass();
  assert.equal(lines.length, 2, "another difference is another line");
  set([{ name: "b:8080", ...STATE }]);
  await pass();
  assert.deepEqual(lines.slice(2), ['info {"what":"plans","here":"p1"}']);
  assert.equal(await count("plans"), "0");
  watch.close();
  const before = reported.length;
  await pass();
  assert.equal(reported.length, before, "a closed watch says nothing more");
});

test("what is unknown differs from nothing, and is no agreement", async (t) => {
  const { pass, lines, set, count } = open(t);
  // Another version reports less, or something else.
  set([{ name: "b" }, "text", { name: "c", config: 7 }]);
  await pass();
  assert.deepEqual([lines, await count("config")], [[], "0"]);
  set([{ name: "b", ...STATE, config: "c2" }]);
  await pass();
  set(null);
  await pass();
  assert.deepEqual([lines.length, await count("config")], [1, "1"], "the exchange is away");
});

test("a list is the same in any order", () => {
  assert.equal(digestList(["b", "a"]), digestList(["a", "b"]));
  assert.notEqual(digestList(["a"]), digestList(["b"]));
  assert.equal(digestList([]), "none");
});
