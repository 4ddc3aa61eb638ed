/** The thread of a database: replaced when it dies, ended when it has long had nothing to do. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { DatabaseWorker } from "#storage/embedded/worker.ts";
import { noFault } from "../../support/faults.ts";

const url = new URL("../../support/database-worker.ts", import.meta.url);
const REST_MS = 1_000;

function open(t: TestContext, options?: { rest_ms: number }) {
  const folder = mkdtempSync(join(tmpdir(), "worker-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "closed");
  const worker = new DatabaseWorker<"who" | "die", number>(url, path, {
    onFault: noFault,
    ...options,
  });
  return { worker, listClosed: () => readFileSync(path, "utf8").trim().split(" ").map(Number) };
}

test("a thread that has rested for long ends, and the next message gets another", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { worker, listClosed } = open(t, { rest_ms: REST_MS });
  const first = await worker.send("who");
  t.mock.timers.tick(REST_MS - 1);
  // Both, the one that is asked while the other waits for its reply.
  assert.deepEqual(await Promise.all([worker.send("who"), worker.send("who")]), [first, first]);
  t.mock.timers.tick(REST_MS - 1);
  assert.equal(await worker.send("who"), first);
  t.mock.timers.tick(REST_MS);
  const second = await worker.send("who");
  assert.notEqual(second, first);
  t.mock.timers.tick(REST_MS);
  t.mock.timers.tick(REST_MS);
  await worker.close();
  assert.deepEqual(new Set(listClosed()), new Set([first, second]));
});

test("while it is at work a thread is not ended", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { worker, listClosed } = open(t, { rest_ms: REST_MS });
  const first = await worker.send("who");
  const request = worker.send("who");
  t.mock.timers.tick(REST_MS);
  assert.equal(await request, first);
  assert.equal(await worker.send("who"), first);
  await worker.close();
  assert.deepEqual(listClosed(), [first]);
});

test("a thread that dies is replaced, and what it was asked is unknown", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { worker, listClosed } = open(t, { rest_ms: REST_MS });
  const first = await worker.send("who");
  const requests = [worker.send("who"), worker.send("die"), worker.send("who")];
  assert.deepEqual(await Promise.all(requests), [first, null, null]);
  const second = await worker.send("who");
  assert.notEqual(second, first);
  await worker.close();
  assert.deepEqual(listClosed(), [second]);
});

test("without a time to rest a thread stays", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { worker } = open(t);
  const first = await worker.send("who");
  t.mock.timers.tick(1e9);
  assert.equal(await worker.send("who"), first);
  await worker.close();
});
