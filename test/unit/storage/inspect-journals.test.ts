/** The journals as `doctor --node` reads them: whole, damaged at every place, cut off, foreign, gone. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkJournals } from "#storage/inspect/journals.ts";
import { timeOf } from "#storage/store-time.ts";
import { JOURNAL_FILES, openJournal } from "#storage/usage/journal.ts";
import type { EventsText } from "#storage/usage/usage-ledger.ts";

const TEXT = JSON.stringify([["0192", "acc_1", "key_1", "nearby", 2, 1]]) as EventsText;
const RECORD_BYTES = 16 + TEXT.length;

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-journals-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const journal = openJournal(folder, {
    time: timeOf(assert.ifError),
    onFault: assert.ifError,
    onDefect: assert.ifError,
  });
  const write = (records: number): void => {
    for (let i = 0; i < records; i++) assert.ok(journal.append(TEXT));
  };
  /** All that is in it is handed over, so that the file is written from its beginning again. */
  const handOver = (): void => {
    const { entries } = journal.read(1e9)!;
    journal.drop(entries.at(-1)!.seq);
  };
  const paths = JOURNAL_FILES.map((name) => join(folder, name));
  const check = (): string[] =>
    checkJournals(folder).map(({ check: name, state, detail }) => `${name} ${state}: ${detail}`);
  /** Of the file with the records. */
  const states = (): string[] => checkJournals(folder).map(({ state }) => state);
  return { folder, journal, write, handOver, paths, check, states };
}

/** The file that has been written last. */
function written(paths: readonly string[]): string {
  return paths.find((path) =>
    readFileSync(path)
      .subarray(0, 16)
      .some((byte) => byte !== 0),
  )!;
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 0x55;
  writeFileSync(path, bytes);
}

test("whole journals, in use or not, and a folder that never had one", (t) => {
  const { folder, journal, write, check } = open(t);
  assert.deepEqual(check(), [
    "journal spool-a.journal ok: whole, 0 records",
    "journal spool-b.journal ok: whole, 0 records",
  ]);
  write(5);
  assert.equal(check().filter((line) => line.endsWith("ok: whole, 5 records")).length, 1);
  journal.close();
  for (const name of JOURNAL_FILES) rmSync(join(folder, name));
  assert.deepEqual(check(), []);
});

test("records of earlier rounds behind the last one are no damage", (t) => {
  const { journal, write, handOver, states } = open(t);
  for (const records of [40, 7, 40, 3, 1, 12]) {
    write(records);
    assert.deepEqual(states(), ["ok", "ok"]);
    handOver();
    assert.deepEqual(states(), ["ok", "ok"]);
  }
  write(2);
  assert.deepEqual(states(), ["ok", "ok"]);
  journal.close();
});

test("a byte that has changed in any part of a record but the last is damage, with what cannot be reached", (t) => {
  const { journal, write, handOver, paths, states, check } = open(t);
  write(30);
  handOver();
  write(12);
  journal.close();
  const path = written(paths);
  const before = readFileSync(path);
  for (let record = 0; record < 10; record++)
    for (const at of [0, 3, 4, 6, 8, 12, 14, 16, 20, RECORD_BYTES - 1]) {
      flip(path, record * RECORD_BYTES + at);
      assert.ok(states().includes("failing"), `record ${record}, byte ${at}`);
      assert.match(
        check().join(),
        new RegExp(`damaged at byte ${record * RECORD_BYTES}: ${record} `),
      );
      writeFileSync(path, before);
    }
  assert.deepEqual(states(), ["ok", "ok"]);
  // Nothing behind it proves that it was whole once.
  flip(path, 11 * RECORD_BYTES + 20);
  assert.ok(states().includes("warning"), check().join());
});

test("one that is cut off, gone, unreadable or no journal is named", (t) => {
  const { journal, write, paths, check } = open(t);
  write(3);
  journal.close();
  const path = written(paths);
  const before = readFileSync(path);
  const bytes = before.length;
  truncateSync(path, 200);
  assert.match(check().join(), /failing: it is cut off: it has 200 bytes of at least 1048576/);
  writeFileSync(path, "");
  assert.match(check().join(), /failing: it is cut off: it has 0 bytes/);
  writeFileSync(path, Buffer.alloc(bytes, "a photograph of a cat. "));
  assert.match(check().join(), /failing: it is no journal, or its beginning is damaged/);
  rmSync(path);
  assert.match(check().join(), /warning: there is no such file: what it held is lost/);
  writeFileSync(path, before);
  if (process.getuid?.() === 0) return;
  chmodSync(path, 0);
  assert.match(check().join(), /failing: the journal: .* may not be read by this user/);
});

test("a long journal, as after an outage, is looked at within a second of processor time", (t) => {
  const { journal, write, paths, states } = open(t);
  write(60_000);
  journal.close();
  const path = written(paths);
  flip(path, 1_000 * RECORD_BYTES + 20);
  const begun = process.cpuUsage();
  assert.ok(states().includes("failing"));
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 1e6, `${user} µs`);
});
