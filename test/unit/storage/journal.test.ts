/** The journal: what is kept comes out in its order until it is dropped, over restarts and failures. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { sized } from "../../support/size.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import {
  type Disk,
  type Journal,
  JOURNAL_FILES,
  openJournal,
  readJournal,
} from "#storage/usage/journal.ts";
import type { EventsText } from "#storage/usage/usage-ledger.ts";
import { noFault } from "../../support/faults.ts";

const MB = 1024 * 1024;

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-journal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Nothing is scheduled by itself. */
const open = (folder: string): Journal =>
  openJournal(folder, {
    time: createManualClock(0),
    onFault: () => assert.fail("no fault"),
    onDefect: noFault,
  });

const textOf = (id: number, length = 0): EventsText =>
  `[[${id}]]${" ".repeat(length)}` as EventsText;
const idsOf = (entries: Iterable<{ events: EventsText }>): number[] =>
  [...entries].map(({ events }) => (JSON.parse(events) as number[][])[0]![0]!);

type Step =
  | { kind: "append"; length: number }
  | { kind: "read"; chars: number; dropped: number }
  | { kind: "reopen"; torn: boolean };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("append" as const),
      // Some as long as the whole file is from the start.
      length: fc.oneof(fc.nat(50), fc.nat(50), fc.constant(MB + 1)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("read" as const),
      chars: fc.oneof(fc.nat(200), fc.nat(2 * MB)),
      dropped: fc.nat(6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const), torn: fc.boolean() }) },
);

/** A part of a record, at the end of all that is there. */
function tear(folder: string): void {
  for (const name of JOURNAL_FILES) {
    const bytes = readFileSync(join(folder, name));
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end -= 1;
    writeFileSync(join(folder, name), Buffer.concat([bytes.subarray(0, end), Buffer.from("torn")]));
  }
}

test("any course of events: nothing is lost, nothing comes back, the order stays", (t) => {
  const root = createFolder(t);
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 30 }), (steps) => {
      const folder = mkdtempSync(join(root, "run-"));
      let journal = open(folder);
      let model: number[] = [];
      const lengths = new Map<number, number>();
      /** The first, and as many more as have no more characters together. */
      const upTo = (chars: number): number[] => {
        let left = chars;
        const end = model.findIndex((id, i) => (left -= lengths.get(id)!) < 0 && i > 0);
        return end < 0 ? model : model.slice(0, end);
      };
      let next = 0;
      let last_seq = 0;
      for (const step of steps) {
        if (step.kind === "append") {
          const text = textOf(next, step.length);
          assert.ok(journal.append(text));
          model.push(next);
          lengths.set(next, text.length);
          next += 1;
        } else if (step.kind === "read") {
          const { entries, hasMore } = journal.read(step.chars)!;
          assert.deepEqual(idsOf(entries), upTo(step.chars));
          assert.equal(hasMore, entries.length < model.length);
          assert.deepEqual(journal.read(step.chars)!.entries, entries, "again");
          const seqs = entries.map(({ seq }) => seq);
          assert.deepEqual(
            seqs,
            seqs.toSorted((a, b) => a - b),
          );
          const dropped = Math.min(step.dropped, entries.length);
          if (dropped > 0) {
            assert.ok(seqs[0]! > last_seq, "no number comes twice");
            last_seq = seqs[dropped - 1]!;
            journal.drop(last_seq);
          }
          model = model.slice(dropped);
        } else {
          journal.close();
          if (step.torn) tear(folder);
          journal = open(folder);
          const left = [...journal.entries()];
          // What was dropped may be there until its file begins again: it counts once all the same.
          assert.deepEqual(idsOf(left).slice(-model.length || left.length), model);
          assert.ok(model.length > 0 || left.length === 0, "all was dropped, and nothing is left");
          assert.deepEqual(new Set(idsOf(readJournal(folder))), new Set(idsOf(left)));
          model = idsOf(left);
          last_seq = 0;
        }
      }
      journal.close();
      rmSync(folder, { recursive: true });
    }),
    { numRuns: sized(20, 60) },
  );
});

test("an entry is in the file when append returns: another process reads it", (t) => {
  const folder = createFolder(t);
  const journal = open(folder);
  for (let id = 0; id < 5; id++) {
    assert.ok(journal.append(textOf(id)));
    assert.deepEqual(
      idsOf(readJournal(folder)),
      Array.from({ length: id + 1 }, (_, i) => i),
    );
  }
  journal.close();
});

test("a backlog of many megabytes comes out whole, and its room is freed", (t) => {
  const folder = createFolder(t);
  const journal = open(folder);
  journal.read(MB);
  for (let id = 0; id < 30; id++)
    assert.ok(journal.append(textOf(id, id === 17 ? 3 * MB : MB / 4)));
  const sizes = (): number[] => JOURNAL_FILES.map((name) => statSync(join(folder, name)).size);
  assert.ok(Math.max(...sizes()) > 9 * MB);
  const seen: number[] = [];
  for (let hasMore = true; hasMore;) {
    const oldest = journal.read(2 * MB)!;
    seen.push(...idsOf(oldest.entries));
    journal.drop(oldest.entries.at(-1)!.seq);
    ({ hasMore } = oldest);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 30 }, (_, i) => i),
  );
  assert.deepEqual(sizes(), [MB, MB]);
  journal.close();
});

test("a write that fails, or is half done, keeps nothing, and the next one is kept", (t) => {
  const folder = createFolder(t);
  let fault: "none" | "error" | "half" = "none";
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  const disk = {
    write(file: number, bytes: Buffer, from: number, length: number, at: number): number {
      if (fault === "error") throw full;
      return writeSync(file, bytes, from, fault === "half" ? length >> 1 : length, at);
    },
    sync: (_file: number, done: (error: null) => void) => done(null),
  } as unknown as Disk;
  const reported: unknown[] = [];
  const journal = openJournal(folder, {
    time: createManualClock(0),
    onFault: (error) => reported.push((error as { code?: string }).code),
    onKept: () => reported.push("kept"),
    onDefect: noFault,
    disk,
  });
  assert.ok(journal.append(textOf(1)) && journal.append(textOf(2)));
  const room = journal.room();
  assert.ok(room.used > 0 && room.used < 100, `${room.used} bytes`);
  assert.equal(room.used + room.provided, 2 * MB, "two files, of which one is empty");
  for (const each of ["error", "half"] as const) {
    fault = each;
    assert.equal(journal.append(textOf(10)), false, each);
    assert.deepEqual(idsOf(journal.read(MB)!.entries), [1, 2]);
  }
  fault = "none";
  assert.ok(journal.append(textOf(3)));
  assert.deepEqual(
    reported,
    ["kept", "kept", "ENOSPC", "ENOSPC", "kept"],
    "each refusal, with its reason",
  );
  journal.close();
  const again = open(folder);
  assert.deepEqual(idsOf(again.entries()), [1, 2, 3]);
  again.close();
});

/** A disk whose syncs end when the test says so. */
function openSynced(t: TestContext) {
  const clock = createManualClock(0);
  const syncs: ((error: Error | null) => void)[] = [];
  const writes: [at: number, length: number][] = [];
  const faults: number[] = [];
  const disk = {
    write(file: number, bytes: Buffer, from: number, length: number, at: number): number {
      writes.push([at, length]);
      return writeSync(file, bytes, from, length, at);
    },
    sync: (_file: number, done: (error: Error | null) => void) => void syncs.push(done),
  } as unknown as Disk;
  const onFault = (): void => void faults.push(clock.now());
  const journal = openJournal(createFolder(t), { time: clock, onFault, onDefect: noFault, disk });
  t.after(journal.close);
  /** The oldest sync under way ends. */
  const end = async (error: Error | null = null): Promise<void> => {
    syncs.shift()!(error);
    await clock.advance(0);
  };
  return { journal, clock, syncs, writes, faults, end };
}

test("a write is synced at once, or 25 ms after the sync before it, however long the pass is", async (t) => {
  const { journal, clock, syncs, end } = openSynced(t);
  assert.equal(syncs.length, 0, "nothing was written");
  journal.append(textOf(0));
  assert.equal(syncs.length, 1, "in the pass of the write");
  await end();
  journal.append(textOf(1));
  journal.append(textOf(2));
  await clock.advance(24);
  assert.equal(syncs.length, 0);
  await clock.advance(1);
  assert.equal(syncs.length, 1, "both by one");
  // A slow disk: the next one does not wait for it, a third one does.
  journal.append(textOf(3));
  await clock.advance(25);
  assert.equal(syncs.length, 2);
  journal.append(textOf(4));
  await clock.advance(100);
  assert.equal(syncs.length, 2, "two are under way at most");
  await end();
  await end();
  await clock.advance(25);
  assert.equal(syncs.length, 1, "what came meanwhile");
  await end();
  await clock.advance(1_000);
  assert.equal(syncs.length, 0, "all is on the disk");
});

test("while the disk refuses to sync nothing is kept, and what it may have lost is written again", async (t) => {
  const { journal, clock, syncs, writes, faults, end } = openSynced(t);
  journal.append(textOf(0));
  await end();
  await clock.advance(100);
  const before = writes.length;
  journal.append(textOf(1));
  journal.append(textOf(2));
  const [first, second] = writes.slice(before) as [[number, number], [number, number]];
  await clock.advance(25);
  assert.equal(syncs.length, 2);
  await end(new Error("EIO"));
  assert.equal(faults.length, 1);
  assert.deepEqual(writes.at(-1), [first[0], first[1] + second[1]], "both, and not the one before");
  assert.equal(journal.append(textOf(3)), false);
  // The system reports an error once: the other sync, which ends well, proves nothing.
  await end();
  assert.equal(journal.append(textOf(3)), false);
  await clock.advance(1_000);
  await end(new Error("EIO"));
  assert.equal(journal.append(textOf(3)), false, "still");
  await clock.advance(1_000);
  await end();
  assert.ok(journal.append(textOf(3)));
  assert.deepEqual(idsOf(journal.read(MB)!.entries), [0, 1, 2, 3]);
  assert.equal(faults.length, 3);
});

test("a file that is handed over and written again during a sync is no failure of the disk", async (t) => {
  const { journal, syncs, faults, end } = openSynced(t);
  for (let id = 0; id < 3; id++) {
    assert.ok(journal.append(textOf(id)), `${id}`);
    // The last one is in the file of the first, whose sync is under way.
    if (id < 2) journal.drop(journal.read(MB)!.entries.at(-1)!.seq);
  }
  assert.equal(syncs.length, 1);
  await end();
  assert.ok(journal.append(textOf(3)));
  assert.deepEqual(idsOf(journal.read(MB)!.entries), [2, 3]);
  assert.deepEqual(faults, []);
});
