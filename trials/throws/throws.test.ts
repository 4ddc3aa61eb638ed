/**
 * Exceptions planted in each reader of the registry, each operation, each thread and each step of the
 * start: one answer fails, as decided, its stack is in the log, and everything after it is as before
 * (ARCHITECTURE.md, Rules). `npm run trials -- throws` plants more, and asks more questions after it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listSources } from "#providers/registry.ts";
import { runGroup } from "./child.ts";
import { plantInHandlers } from "./handlers.ts";
import { listReaders, plantInReaders } from "./readers.ts";
import { sized } from "../../test/support/size.ts";

test("a throw in any reader is an outcome of its source, and leaves every place free", async () => {
  const requests = listSources().filter(
    ([, { stations, geocoder, around, tiles, weather, lifts }]) =>
      [stations, geocoder, around, tiles, weather, lifts].some((each) => each !== undefined),
  );
  const ids = new Set(listReaders().map(({ source }) => source.id));
  for (const [, { id }] of requests) assert.ok(ids.has(id), `${id} has no reader in the list`);
  const { planted, wrong } = await plantInReaders(sized(2, 20), sized(100, 1_000));
  assert.ok(planted >= 2 * listReaders().length, `${planted} throws`);
  assert.deepEqual(wrong, []);
});

test("a throw in any operation is a 500 for its answer alone, with its stack and its id", async () => {
  const { planted, wrong } = await plantInHandlers(1, sized(20, 1_000));
  assert.ok(planted >= 40, `${planted} throws`);
  assert.deepEqual(wrong, []);
});

test("a throw in a thread ends one job, and the next one has another thread", async () => {
  const kinds = sized(["ingest", "register", "ledger"], []);
  const { planted, wrong } = await runGroup("threads", [1, 2, ...kinds]);
  assert.deepEqual(wrong, []);
  assert.ok(planted >= 3, `${planted} throws`);
});

test("a throw in a step of the start is a line and a stack, and the next start succeeds", async () => {
  const { planted, wrong } = await runGroup("steps", [sized(4, 1_000), 3]);
  assert.deepEqual(wrong, []);
  assert.ok(planted >= 4, `${planted} throws`);
});
