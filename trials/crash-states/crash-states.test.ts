/**
 * Crash states of the stores (reliability 3.5): usage, keys and datasets, written under strace, rebuilt as a
 * crash may leave them. `npm run trials -- crash-states` tries every moment; here a random share of them.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabase } from "#storage/embedded/database.ts";
import { createDatasetWriter } from "#storage/embedded/datasets-writer.ts";
import { createLedgerWriter } from "#storage/embedded/ledger-statements.ts";
import { DATASET_MIGRATIONS } from "#storage/embedded/migrations.ts";
import { timeOf } from "#storage/store-time.ts";
import { openJournal } from "#storage/usage/journal.ts";
import { writeEvents } from "#storage/usage/usage-ledger.ts";
import { datasetsScenario, FORGETTING, sampleDatasets } from "./datasets.ts";
import { sized, within } from "../../test/support/size.ts";
import { keysScenario } from "./keys.ts";
import {
  recordScenario,
  replayScenario,
  type At,
  type Outcome,
  type Scenario,
} from "./scenario.ts";
import { settleBehind } from "./states.ts";
import { canTrace, type Op, readTrace, type Trace } from "./trace.ts";
import { sampleEvents, usageScenario } from "./usage.ts";
import { noFault } from "../../test/support/faults.ts";

const skip = canTrace() ? false : "CRASH STATES NOT TRIED: strace is missing, or may not trace";

/** The least number of states of each store; together 1 400. */
const STATES = sized(
  { usage: 45, keys: 45, datasets: 45 },
  { usage: 520, keys: 480, datasets: 400 },
);
/** States in which the fault of a planted writer must be found. */
const PLANTED = sized(100, 200);
const seed = sized(20_261_122, randomInt(2 ** 31));

type Name = keyof typeof STATES;
const scenarios: Record<Name, Scenario> = {
  usage: usageScenario(seed, 600),
  keys: keysScenario(seed, 250),
  datasets: datasetsScenario(seed, 120),
};

for (const name of ["usage", "keys", "datasets"] as const)
  test(`${name}: everything acknowledged is there in every crash state`, { skip }, (t) => {
    const scenario = scenarios[name];
    const { trace, begun_ms, exposed_ms } = recordScenario(scenario, seed);
    const acked = trace.acks.flatMap(({ text }) => text.split(","));
    assert.ok(acked.length >= scenario.work, "all of it was acknowledged");
    if (name !== "keys")
      assert.ok(checkpoints(scenario, trace) > 0, "the log was written back meanwhile");
    const outcome = replay(scenario, trace, STATES[name]);
    const figures = { ...outcome, findings: undefined, begun_ms, exposed_ms };
    t.diagnostic(`seed ${seed}: ${JSON.stringify(figures)}`);
    assert.deepEqual(outcome.findings, []);
    assert.ok(outcome.states >= STATES[name], `only ${outcome.states} states`);
    for (const [kind, count] of Object.entries(outcome.kinds))
      assert.ok(count > STATES[name] / 20, `${count} states ${kind}`);

    // The same writer on a disk that lies, and one that acknowledges before the disk has it.
    const late = trace.ops.map((op) => ({ ...op, covered_by: op.covered_by ?? op.file }));
    const lying: Trace = { ...trace, ops: late, barriers: [] };
    assert.notDeepEqual(replay(scenario, lying, PLANTED).findings, []);
    const first = trace.acks[0]!.start;
    const hasty = trace.acks.map((ack) => ({ ...ack, start: first, durable_at: first }));
    assert.notDeepEqual(replay(scenario, { ...trace, acks: hasty }, PLANTED).findings, []);

    if (!scenario.synced_behind) return assert.equal(exposed_ms, 0);
    // Within 50 ms (decisions, Usage), but for what the machine took: of the timer, and of the sync.
    const bound_ms = within(50 + 2 * findStall(trace));
    assert.ok(begun_ms > 0 && begun_ms <= bound_ms, `${begun_ms} of ${bound_ms} ms`);
    // One that acknowledges before it writes loses events with the process already.
    const early = trace.acks.map((ack) => ({ ...ack, start: ack.start - 3 }));
    assert.notDeepEqual(replay(scenario, { ...trace, acks: early }, PLANTED).findings, []);
  });

/** The longest time in which nothing happened, though the writer always has work within 4 ms. */
function findStall({ ops, barriers }: Trace): number {
  const ends = [...ops, ...barriers].map(({ end_ms }) => end_ms).toSorted((a, b) => a - b);
  const gaps = ends.map((end_ms, at) => end_ms - (ends[at - 1] ?? end_ms));
  return Math.max(...gaps);
}

/** Replays a share of the moments that gives about `states` states. */
function replay(scenario: Scenario, trace: Trace, states: number): Outcome {
  const moments = trace.ops.length + trace.barriers.length;
  const per_moment = 4.8;
  const share = Math.min(1, (1.2 * states) / per_moment / moments);
  return replayScenario(scenario, trace, { seed, share, subsets: 4 });
}

/** Writes to the database file itself since the first acknowledgement. */
function checkpoints(scenario: Scenario, { ops, acks }: Trace): number {
  const files = scenario.stores.map(({ file }) => file);
  return ops.filter(({ file, start }) => files.includes(file) && start > acks[0]!.start).length;
}

test("totals that are not the sums of their events are detected, and so are unknown events", (t) => {
  const events = sampleEvents(seed, 600);
  const folder = mkdtempSync(join(tmpdir(), "vicinity-totals-"));
  const database = openDatabase(":memory:");
  const journal = openJournal(folder, {
    time: timeOf(noFault),
    onFault: assert.fail,
    onDefect: noFault,
  });
  t.after(() => {
    journal.close();
    database.close();
    rmSync(folder, { recursive: true });
  });
  const at: At = () => database;
  const attempted = events.map(({ event_id }) => event_id);
  const check = (of: At, claimed: string[]): string[] =>
    scenarios.usage.check(of, { acked: claimed, attempted, folder });
  createLedgerWriter(database).apply(writeEvents(events.slice(0, 290)));
  for (const event of events.slice(280, 300)) assert.ok(journal.append(writeEvents([event])));
  const acked = events.slice(0, 300).map(({ event_id }) => event_id);
  assert.deepEqual(check(at, acked), []);
  database.exec(
    "UPDATE usage_day SET units = units + 1 WHERE day = (SELECT min(day) FROM usage_day)",
  );
  assert.match(check(at, acked).join(), /^found: usage_day is not .*,after a replay: usage_day/);
  // One that is not in the journal, from where it would come back.
  database.prepare("DELETE FROM usage_event WHERE event_id = ?").run(events[0]!.event_id);
  const text = check(
    at,
    events.map(({ event_id }) => event_id),
  ).join();
  assert.match(text, /^1 acknowledged events are lost,.*usage_month is not the sum/);
  database.exec("INSERT INTO usage_event VALUES ('stranger', 1, 1, 1, 0)");
  assert.match(check(at, acked).join(), /^1 events that were not attempted/);
});

test("datasets that are changed, orphaned or miscounted are detected", (t) => {
  const check = (at: At, acked: string[]): string[] =>
    scenarios.datasets.check(at, { acked, attempted: acked, folder: "" });
  const datasets = sampleDatasets(seed, 120);
  const database = openDatabase(":memory:", DATASET_MIGRATIONS);
  t.after(() => database.close());
  createDatasetWriter(database).put(datasets.slice(0, 60));
  const acked = datasets.slice(0, 60).map(({ id }) => id);
  assert.deepEqual(
    check(() => database, acked),
    [],
  );
  database.exec("DELETE FROM dataset WHERE id = 'nearby_1'");
  assert.match(check(() => database, acked).join(), /^1 acknowledged datasets are lost/);
  const last = datasets[1]!.expires_at_ms;
  database.exec("DELETE FROM content WHERE content_id NOT IN (SELECT content_id FROM dataset)");
  assert.deepEqual(
    check(() => database, [...acked, `${FORGETTING}${last}`]),
    [],
    "it had expired",
  );
  database.exec("UPDATE dataset_count SET stored = stored + 1");
  database.exec("INSERT INTO content (digest, packed) VALUES (x'00', x'00')");
  const text = check(() => database, acked).join();
  assert.match(text, /found: 1 contents without a dataset,found: dataset_count is not/);
  database.exec("UPDATE content SET packed = x'00'");
  assert.match(
    check(() => database, acked).join(),
    /^60 acknowledged .* datasets that were never put/,
  );
});

test("calls that another thread interrupts are read whole", () => {
  const hex = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  const wal = hex("/d/vicinity.db-wal");
  const { ops, barriers, acks } = readTrace(
    [
      `10 1.000 pwrite64(21<${wal}>, "${hex("abc")}", 3, 32 <unfinished ...>`,
      `11 1.001 write(22<${hex("/d/acks.log")}>, "${hex("1\n2\n")}", 4) = 4 <0.000020>`,
      `10 1.002 <... pwrite64 resumed>)          = 3 <0.002000>`,
      `10 1.003 fdatasync(21<${wal}> <unfinished ...>`,
      `11 1.004 pwrite64(9<${hex("/d/vicinity.db-shm")}>, "\\x00", 1, 0) = 1 <0.000010>`,
      `10 1.008 <... fdatasync resumed>)         = 0 <0.005000>`,
      `10 1.010 ftruncate(21<${wal}>, 7)         = 0 <0.000500>`,
      `10 1.011 unlink("${hex("/d/vicinity.db-journal")}") = -1 ENOENT (No such file or directory) <0.1>`,
      `10 1.012 pwrite64(9<${hex("/d/other.db")}>, "\\x00", 1, 0) = 1 <0.000010>`,
      `10 1.013 +++ exited with 0 +++`,
    ],
    ["vicinity.db"],
  );
  const [write, truncate, ...others] = ops;
  assert.ok(write?.kind === "write" && truncate?.kind === "truncate");
  assert.deepEqual([write.start, write.end, write.at, write.bytes.toString()], [0, 2, 32, "abc"]);
  assert.deepEqual([truncate.start, truncate.length, truncate.file], [6, 7, "vicinity.db-wal"]);
  assert.deepEqual(others, []);
  assert.deepEqual(
    ops.map(({ end_ms, covered_by }) => [Math.round(end_ms * 10) / 10, covered_by]),
    [
      [1_002, "/d/vicinity.db-wal"],
      [1_010.5, "/d/vicinity.db-wal"],
    ],
  );
  const span = { start: 3, end: 5, start_ms: 1_003, end_ms: 1_008 };
  const rounded = barriers.map(({ start_ms, end_ms, ...barrier }) => ({
    ...barrier,
    start_ms: Math.round(start_ms),
    end_ms: Math.round(end_ms),
  }));
  assert.deepEqual(rounded, [{ ...span, covers: "/d/vicinity.db-wal" }]);
  assert.deepEqual(acks, [
    { start: 1, durable_at: 1, text: "1" },
    { start: 1, durable_at: 1, text: "2" },
  ]);
});

test("a write synced after its acknowledgement is durable with the first sync after it", () => {
  const [a, b] = ["/d/a", "/d/b"];
  const write = (start: number, covers: string, end_ms: number): Op => ({
    kind: "write",
    file: covers.slice(3),
    covered_by: covers,
    at: 0,
    bytes: Buffer.of(1),
    start,
    end: start,
    start_ms: end_ms,
    end_ms,
  });
  const ack = (start: number): Trace["acks"][number] => ({ start, durable_at: start, text: "" });
  const { trace, begun_ms, exposed_ms } = settleBehind(
    {
      ops: [write(0, a, 1), write(2, b, 2), write(4, a, 3)],
      barriers: [
        { start: 1, end: 6, start_ms: 4, end_ms: 9, covers: a },
        { start: 5, end: 7, start_ms: 8, end_ms: 12, covers: b },
      ],
      acks: [ack(1), ack(3), ack(5)],
      length: 8,
    },
    ["a", "b"],
  );
  assert.deepEqual(
    trace.acks.map(({ durable_at }) => durable_at),
    [6, 7, Infinity],
  );
  assert.deepEqual([begun_ms, exposed_ms], [6, 10]);
});
