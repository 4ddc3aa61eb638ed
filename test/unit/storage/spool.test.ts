/** The spool: what is kept comes out in its order until it is dropped, over restarts and failures. */
import assert from "node:assert/strict";
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  write,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import type { Writing } from "#storage/embedded/journal.ts";
import { openSpool, readSpool, type Spool, SPOOL_FILES } from "#storage/embedded/spool.ts";
import type { EventsText } from "#storage/events.ts";

const MB = 1024 * 1024;

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-spool-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const textOf = (id: number, length = 0): EventsText =>
  `[[${id}]]${" ".repeat(length)}` as EventsText;
const idsOf = (batches: Iterable<{ events: EventsText }>): number[] =>
  [...batches].map(({ events }) => (JSON.parse(events) as number[][])[0]![0]!);

type Step =
  | { kind: "put"; now: boolean; length: number }
  | { kind: "take"; count: number; dropped: number }
  | { kind: "reopen"; torn: boolean };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      now: fc.boolean(),
      // Some as long as the whole file is from the start.
      length: fc.oneof(fc.nat(50), fc.nat(50), fc.constant(MB + 1)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("take" as const),
      count: fc.integer({ min: 1, max: 6 }),
      dropped: fc.nat(6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const), torn: fc.boolean() }) },
);

/** A part of a record, at the end of all that is there. */
function tear(folder: string): void {
  for (const name of SPOOL_FILES) {
    const bytes = readFileSync(join(folder, name));
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end -= 1;
    writeFileSync(join(folder, name), Buffer.concat([bytes.subarray(0, end), Buffer.from("torn")]));
  }
}

test("any course of things: nothing is lost, nothing comes back, the order stays", async (t) => {
  const root = createFolder(t);
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 30 }), async (steps) => {
      const folder = mkdtempSync(join(root, "run-"));
      let spool = openSpool(folder);
      let model: number[] = [];
      let next = 0;
      let last_seq = 0;
      for (const step of steps) {
        if (step.kind === "put") {
          const text = textOf(next, step.length);
          const seq = step.now ? spool.putNow(text) : await spool.put(text);
          assert.ok(seq !== null && seq > last_seq);
          last_seq = seq;
          model.push(next);
          next += 1;
        } else if (step.kind === "take") {
          const batches = spool.take(step.count)!;
          assert.deepEqual(idsOf(batches), model.slice(0, step.count));
          assert.deepEqual(idsOf(spool.take(step.count)!), model.slice(0, step.count), "again");
          const dropped = Math.min(step.dropped, batches.length);
          if (dropped > 0) spool.drop(batches[dropped - 1]!.seq);
          model = model.slice(dropped);
        } else {
          spool.close();
          if (step.torn) tear(folder);
          spool = openSpool(folder);
          const left = [...spool.left()];
          // What was dropped may be there until its journal begins anew: it counts once all the same.
          assert.deepEqual(idsOf(left).slice(-model.length || left.length), model);
          assert.ok(model.length > 0 || left.length === 0, "all was dropped, and nothing is left");
          assert.deepEqual(new Set(idsOf(readSpool(folder))), new Set(idsOf(left)));
          model = idsOf(left);
          last_seq = left.at(-1)?.seq ?? 0;
        }
      }
      spool.close();
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 60 },
  );
});

test("puts at once are kept one after the other, while others are taken and dropped", async (t) => {
  const folder = createFolder(t);
  const spool = openSpool(folder);
  const seen: number[] = [];
  const takeAll = (): void => {
    const batches = spool.take(1_000)!;
    seen.push(...idsOf(batches));
    if (batches.length > 0) spool.drop(batches.at(-1)!.seq);
  };
  for (let turn = 0; turn < 40; turn++) {
    const puts = Array.from({ length: 5 }, (_, i) => spool.put(textOf(turn * 5 + i)));
    assert.equal(spool.putNow(textOf(-1)), null, "others are under way");
    takeAll();
    await puts[turn % 5];
    takeAll();
    await Promise.all(puts);
  }
  takeAll();
  assert.deepEqual(
    seen,
    Array.from({ length: 200 }, (_, i) => i),
  );
  assert.deepEqual([...spool.left()], []);
  spool.close();
});

test("a backlog of many megabytes comes out whole, and its room is given back", async (t) => {
  const folder = createFolder(t);
  const spool = openSpool(folder);
  spool.take(1);
  for (let id = 0; id < 30; id++)
    assert.ok(await spool.put(textOf(id, id === 17 ? 3 * MB : MB / 4)));
  const sizes = (): number[] => SPOOL_FILES.map((name) => statSync(join(folder, name)).size);
  assert.ok(Math.max(...sizes()) > 9 * MB);
  const seen: number[] = [];
  for (let batches = spool.take(7)!; batches.length > 0; batches = spool.take(7)!) {
    seen.push(...idsOf(batches));
    spool.drop(batches.at(-1)!.seq);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 30 }, (_, i) => i),
  );
  assert.deepEqual(sizes(), [MB, MB]);
  spool.close();
});

test("a write that fails, or is half done, keeps nothing, and the next one is kept", async (t) => {
  const folder = createFolder(t);
  let fault: "none" | "error" | "half" = "none";
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  const writing = {
    write(file: number, bytes: Buffer, from: number, length: number, at: number, done: Done) {
      if (fault === "error") queueMicrotask(() => done(full, 0));
      else write(file, bytes, from, fault === "half" ? length >> 1 : length, at, done);
    },
    writeSync(file: number, bytes: Buffer, from: number, length: number, at: number): number {
      if (fault === "error") throw full;
      return writeSync(file, bytes, from, fault === "half" ? length >> 1 : length, at);
    },
  } as unknown as Writing;
  const spool = openSpool(folder, writing);
  const put = async (id: number): Promise<(number | null)[]> => [
    await spool.put(textOf(id)),
    spool.putNow(textOf(id + 1)),
  ];
  assert.deepEqual(await put(1), [1, 2]);
  for (const each of ["error", "half"] as const) {
    fault = each;
    assert.deepEqual(await put(10), [null, null], each);
    assert.deepEqual(idsOf(spool.take(9)!), [1, 2]);
  }
  fault = "none";
  assert.deepEqual(await put(3), [3, 4]);
  spool.close();
  const again: Spool = openSpool(folder);
  assert.deepEqual(idsOf(again.left()), [1, 2, 3, 4]);
  again.close();
});

type Done = (error: Error | null, count: number) => void;
