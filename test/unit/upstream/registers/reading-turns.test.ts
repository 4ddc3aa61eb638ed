/** Registers that start at once: one common bound of memory, an order, and what is said of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toSourceItem } from "#app/source-items.ts";
import openaedmap from "#providers/openaedmap.ts";
import { ReadingTurns } from "#upstream/registers/reading-turns.ts";
import { WatchedRegistry } from "#upstream/registries.ts";
import { createDesk, PROVIDER, REFUSED, toBody, turn } from "../../../support/lookup.ts";

const MB = 1_024 ** 2;
const DAY_MS = 86_400_000;

/** Registers by the most that each may bring, in MiB; a body is a list of rows, or "throw". */
function start(...most_mb: readonly number[]) {
  const desk = createDesk(() => 0);
  const { clock, line } = desk;
  const registers = most_mb.map((mb, n) => {
    const registry = {
      ...{ id: `r${n}`, provider: PROVIDER, kind: "parking" as const },
      requests: () => [{ url: `https://r${n}.example/`, timeout_ms: 1_000, max_bytes: mb * MB }],
      open(body: Uint8Array) {
        const rows = JSON.parse(new TextDecoder().decode(body)) as [] | "throw" | object;
        if (rows === "throw") throw new TypeError("planted");
        return Array.isArray(rows) ? (rows as []) : [];
      },
    };
    return new WatchedRegistry(
      registry,
      { url: "", timeout_ms: 1_000 },
      {
        ...desk.deps,
        documents: null,
        build: () => ({ add: () => true, finish: () => undefined }),
        renew: () => undefined,
        renew_ms: DAY_MS,
        pause: turn,
        onEvent: () => undefined,
      },
    );
  });
  const started = registers.map((each) => each.start());
  return {
    ...desk,
    registers,
    started,
    requested: () => line.calls.map(({ request }) => new URL(request.url).hostname.slice(0, 2)),
    async answer(name: string, outcome: Parameters<(typeof line.calls)[0]["answer"]>[0]) {
      line.calls.findLast(({ request }) => request.url.includes(`//${name}.`))!.answer(outcome);
      for (let n = 0; n < 4; n++) await turn();
    },
    empty: () => toBody([], clock.now()),
  };
}

test("large documents that start at once are read one after the other, and each gives its turn back", async () => {
  const { registers, started, requested, answer, empty, clock } = start(256, 200, 200, 200);
  await turn();
  assert.deepEqual(requested(), ["r0"]);
  await clock.advance(3_000);
  const states = registers.map((each) => each.turn());
  assert.deepEqual(
    states.map((each) => [each?.waits, each?.ahead, clock.now() - each!.since_ms]),
    [
      [false, 0, 3_000],
      [true, 1, 3_000],
      [true, 2, 3_000],
      [true, 3, 3_000],
    ],
  );
  // Refused, thrown away, closed or read: the turn of each comes back.
  await answer("r0", REFUSED);
  assert.deepEqual(requested(), ["r0", "r1"]);
  registers[2]!.close();
  await answer("r1", toBody("throw", clock.now()));
  assert.deepEqual(requested(), ["r0", "r1", "r3"]);
  assert.deepEqual([registers[3]!.turn()?.waits, registers[3]!.turn()?.ahead], [false, 0]);
  await answer("r3", empty());
  await Promise.all(started);
  assert.deepEqual(
    registers.map((each) => [each.turn(), each.health().reason]),
    [
      [null, "http_400"],
      [null, "defect"],
      [null, "not_loaded"],
      [null, null],
    ],
  );
});

test("as many go on as have room together, and a small one does not wait once it is known", async () => {
  const { clock, line, requested, answer, empty, registers } = start(32, 32, 32, 96, 96);
  await turn();
  assert.deepEqual(requested(), ["r0", "r1", "r2", "r3"]);
  // What a document does not need is free at once, while its register is still read.
  const size = toBody("x".repeat(100), clock.now());
  await answer("r0", size);
  assert.deepEqual(requested(), ["r0", "r1", "r2", "r3", "r4"]);
  for (const name of ["r1", "r2"]) await answer(name, empty());
  assert.deepEqual(
    registers.map((each) => each.turn() === null),
    [true, true, true, false, false],
  );
  // A day later r3 and r4 are still under way, and the others need no turn.
  const begun = line.calls.length;
  line.always(empty);
  await clock.advance(DAY_MS);
  assert.equal(line.calls.length, begun + 3);
});

test("a document that has grown beyond what was expected waits with its bytes, and is read", async () => {
  const turns = new ReadingTurns({ now: () => 0 }, 10 * MB);
  const { signal } = new AbortController();
  const read: string[] = [];
  const [first, grown, late] = [turns.open(8 * MB), turns.open(MB), turns.open(8 * MB)];
  const ends = Promise.withResolvers<void>();
  const one = first.run(() => ends.promise, signal);
  const gone = new AbortController();
  const two = grown.run(
    () => grown.hold(6 * MB, () => Promise.resolve(read.push("grown")), signal),
    signal,
  );
  const three = late.run(() => Promise.resolve(read.push("late")), gone.signal);
  await turn();
  assert.deepEqual([grown.state()?.waits, grown.state()?.ahead, read.length], [true, 1, 0]);
  gone.abort();
  assert.equal(await three, null);
  ends.resolve();
  await Promise.all([one, two]);
  assert.deepEqual(read, ["grown"]);
  assert.deepEqual([grown.state(), first.state()], [null, null]);
});

test("the source says that its reading waits, behind how many and for how long", () => {
  const listed = {
    ...{ id: "r", name: "R", provider: openaedmap, operations: [], configured: true },
    terms: { attribution: null, licence: null },
    registry: {
      start: () => Promise.resolve(),
      close: () => undefined,
      turn: () => ({ waits: true, ahead: 2, since_ms: 1_000 }),
      health: () => ({
        ...{ status: "unavailable" as const, reason: "not_loaded" },
        ...{ last_success_at_ms: null, count: null },
      }),
    },
  };
  const health = { note: () => undefined, of: () => undefined };
  const { reading } = toSourceItem(listed, health, 13_400);
  assert.deepEqual(reading, { state: "waiting", ahead: 2, for_s: 12 });
});
