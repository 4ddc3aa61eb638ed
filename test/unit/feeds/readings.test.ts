/** What is to be read: eight at once, each once at a time, and again where it was wanted meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createReadings } from "#upstream/feeds/readings.ts";

function open(names: readonly string[]) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const faults: string[] = [];
  const readings = createReadings<string>(
    (name) => {
      begun.push(name);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      ends.set(name, (error) => (error ? reject(error) : resolve()));
      return promise;
    },
    (error, name) => faults.push(`${name}: ${String(error)}`),
  );
  for (const name of names) readings.want(name);
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)!(error);
    await nextTurn();
  };
  return { readings, begun, end, faults };
}

const TEN = Array.from({ length: 10 }, (_, i) => `feed ${i}`);

test("eight at once, in their order; each that ends makes room for the next", async () => {
  const { readings, begun, end, faults } = open(TEN);
  assert.deepEqual(begun, TEN.slice(0, 8));
  let isIdle = false;
  const idle = readings.idle().then(() => (isIdle = true));
  await end(TEN[3]!);
  assert.deepEqual(begun, TEN.slice(0, 9));
  // One that cannot be read is reported, and the others are read all the same.
  await end(TEN[0]!, new Error("damaged"));
  assert.deepEqual(begun, TEN);
  assert.deepEqual(faults, ["feed 0: Error: damaged"]);
  for (const name of TEN.filter((each) => !["feed 0", "feed 3"].includes(each))) {
    assert.equal(isIdle, false, name);
    await end(name);
  }
  await idle;
  await readings.idle();
});

test("wanted while it is read, it is read once more, and not twice at a time", async () => {
  const { readings, begun, end } = open(["a"]);
  readings.want("a");
  readings.want("a");
  readings.want("b");
  assert.deepEqual(begun, ["a", "b"]);
  await end("a");
  assert.deepEqual(begun, ["a", "b", "a"]);
  await end("a");
  await end("b");
  await readings.idle();
  assert.equal(begun.length, 3);
});
