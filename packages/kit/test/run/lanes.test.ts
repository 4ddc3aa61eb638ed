/** Pieces of work side by side: how many, with how much memory in all, and in which order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lanes } from "../../run/lanes.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Pieces that end when the test says so; `running` in the order in which they began. */
function desk(options: { most: number; memory_bytes: number }) {
  const lanes = new Lanes(options);
  const running: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const begin = (name: string, bytes: number, signal?: AbortSignal): Promise<string> =>
    lanes.run(
      bytes,
      () => {
        running.push(name);
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        ends.set(name, (error) => {
          running.splice(running.indexOf(name), 1);
          if (error) reject(error);
          else resolve(name);
        });
        return promise;
      },
      signal,
    );
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)!(error);
    await turn();
  };
  return { begin, end, running };
}

test("as many run as memory and number allow, in the order in which they came", async () => {
  const { begin, end, running } = desk({ most: 3, memory_bytes: 100 });
  const all = [begin("a", 40), begin("b", 60), begin("c", 10), begin("d", 1), begin("e", 1)];
  await turn();
  assert.deepEqual(running, ["a", "b"]);
  // d and e would fit, but c came before them.
  await end("a");
  assert.deepEqual(running, ["b", "c", "d"]);
  await end("b");
  assert.deepEqual(running, ["c", "d", "e"]);
  for (const name of ["c", "d", "e"]) await end(name);
  assert.deepEqual(await Promise.all(all), ["a", "b", "c", "d", "e"]);
});

test("what takes more than there is runs alone", async () => {
  const { begin, end, running } = desk({ most: 3, memory_bytes: 100 });
  const all = [begin("a", 10), begin("large", 1_000), begin("b", 10)];
  await turn();
  assert.deepEqual(running, ["a"]);
  await end("a");
  assert.deepEqual(running, ["large"]);
  await end("large");
  assert.deepEqual(running, ["b"]);
  await end("b");
  await Promise.all(all);
});

test("one that fails or is stopped leaves its place to the next", async () => {
  const { begin, end, running } = desk({ most: 1, memory_bytes: 100 });
  const stop = new AbortController();
  const failing = assert.rejects(begin("a", 1), /broken/);
  const stopped = assert.rejects(begin("b", 1, stop.signal), /no longer/);
  const last = begin("c", 1);
  await turn();
  stop.abort(new Error("no longer"));
  await stopped;
  assert.deepEqual(running, ["a"]);
  await end("a", new Error("broken"));
  await failing;
  assert.deepEqual(running, ["c"]);
  await end("c");
  assert.equal(await last, "c");
  await assert.rejects(begin("d", 1, stop.signal), /no longer/);
  assert.deepEqual(running, []);
});
