/** Pages in memory: a read a page, the bound, pins, waits, and what fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PageCache } from "#upstream/bases/page-cache.ts";
import { createSlot, type LoadedPage, pageOf, type PageSlot } from "#upstream/bases/page-slot.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const MAX = 100;
const RETRY_MS = 10_000;
const WAIT_MS = 5_000;

type Page = { name: string };

/** A cache, and slots whose reads end when the test says so, unless they end by themselves. */
function openCache(bytes_max = MAX) {
  const clock = createManualClock(0);
  const faults: unknown[] = [];
  const gone: string[] = [];
  const cache = new PageCache<Page>({
    ...{ bytes_max, clock, onFault: (err) => faults.push(err) },
    onGone: ({ name }) => gone.push(name),
  });
  const reads: string[] = [];
  const pending = new Map<string, (loaded: LoadedPage<Page> | Error) => void>();
  const add = (name: string, bytes: number, waits = false): PageSlot<Page> =>
    createSlot(bytes, () => {
      reads.push(name);
      if (!waits) return Promise.resolve({ page: { name } });
      const { promise, resolve, reject } = Promise.withResolvers<LoadedPage<Page>>();
      pending.set(name, (loaded) => (loaded instanceof Error ? reject(loaded) : resolve(loaded)));
      return promise;
    });
  const end = (name: string, loaded: LoadedPage<Page> | Error = { page: { name } }): void =>
    pending.get(name)!(loaded);
  return { cache, clock, faults, gone, reads, add, end };
}

const namesOf = (slots: readonly PageSlot<Page>[]): string[] =>
  slots.map((slot) => pageOf(slot).name);
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("a page is read once however many questions want it at once, and again by none of them", async () => {
  const { cache, reads, add, end } = openCache();
  const a = add("a", 10, true);
  const all = Promise.all(Array.from({ length: 200 }, () => cache.pin([a])));
  await settle();
  assert.deepEqual(reads, ["a"]);
  end("a");
  for (const { pinned, missing } of await all)
    assert.deepEqual([namesOf(pinned), missing], [["a"], []]);
  assert.deepEqual([cache.facts.pinned_bytes, a.pins], [10, 200]);
  for (let i = 0; i < 200; i++) cache.release([a]);
  assert.deepEqual([cache.facts.pinned_bytes, cache.facts.bytes, a.pins], [0, 10, 0]);
  assert.equal(cache.pinHeld([a]), true);
  assert.deepEqual(reads, ["a"]);
});

test("the page that was not used for longest goes, and none that is pinned", async () => {
  const { cache, gone, reads, add } = openCache();
  const [a, b, c, d] = [add("a", 40), add("b", 40), add("c", 40), add("d", 40)];
  await cache.pin([a]);
  for (const slot of [b, c]) cache.release((await cache.pin([slot])).pinned);
  // There was no room for c next to a, which is pinned, and b.
  assert.deepEqual(
    [a, b, c].map(({ state }) => state.name),
    ["held", "absent", "held"],
  );
  assert.equal(cache.facts.bytes, 80);
  cache.release([a]);
  cache.pinHeld([c]);
  cache.release([c]);
  cache.release((await cache.pin([d])).pinned);
  assert.deepEqual(
    [a, c, d].map(({ state }) => state.name),
    ["absent", "held", "held"],
  );
  assert.deepEqual([reads, cache.facts.evictions], [["a", "b", "c", "d"], 2]);
  assert.deepEqual(gone, ["b", "a"]);
});

test("a question waits for memory that others have pinned, and is served in its turn", async () => {
  const { cache, reads, add } = openCache();
  const [a, b, c] = [add("a", 60), add("b", 60), add("c", 60)];
  await cache.pin([a]);
  const order: string[] = [];
  const second = cache.pin([b]).then((own) => (order.push("b"), own));
  const third = cache.pin([c]).then((own) => (order.push("c"), own));
  await settle();
  assert.deepEqual([reads, order, cache.facts.waits], [["a"], [], 2]);
  cache.release([a]);
  assert.deepEqual(namesOf((await second).pinned), ["b"]);
  await settle();
  assert.deepEqual(order, ["b"]);
  // What is in memory needs no turn.
  assert.equal(cache.pinHeld([b]), true);
  cache.release([b]);
  cache.release([b]);
  assert.deepEqual(namesOf((await third).pinned), ["c"]);
  assert.equal(cache.facts.bytes, 60);
});

test("who waits too long, or whose time is up, gets what is there, with the reason for the rest", async () => {
  const { cache, clock, add } = openCache();
  const [a, b] = [add("a", 60), add("b", 60)];
  await cache.pin([a]);
  const waiting = cache.pin([a, b]);
  await clock.advance(WAIT_MS - 1);
  const late = cache.pin([b], AbortSignal.timeout(5));
  assert.deepEqual(
    (await late).missing.map(({ reason }) => reason),
    ["aborted"],
  );
  await clock.advance(1);
  const { pinned, missing } = await waiting;
  assert.deepEqual([namesOf(pinned), missing.map(({ reason }) => reason)], [["a"], ["busy"]]);
  assert.equal(a.pins, 2);
  cache.release([a]);
  cache.release([a]);
  // No one waits any more: the next one is served.
  assert.deepEqual(namesOf((await cache.pin([b])).pinned), ["b"]);
});

test("a question that alone needs more than the bound goes on when no other one does", async () => {
  const { cache, add } = openCache();
  const [a, b, c] = [add("a", 60), add("b", 60), add("c", 10)];
  await cache.pin([c]);
  const both = cache.pin([a, b]);
  await settle();
  assert.equal(cache.facts.bytes, 10);
  cache.release([c]);
  assert.deepEqual(namesOf((await both).pinned), ["a", "b"]);
  assert.deepEqual([cache.facts.bytes, cache.facts.pinned_bytes], [120, 120]);
  cache.release([a, b]);
  cache.release((await cache.pin([c])).pinned);
  assert.ok(cache.facts.bytes <= MAX, `${cache.facts.bytes}`);
});

test("who leaves ends no read: the next question has the page", async () => {
  const { cache, reads, add, end } = openCache();
  const a = add("a", 10, true);
  const gone = new AbortController();
  const leaving = cache.pin([a], gone.signal);
  await settle();
  gone.abort();
  const { pinned, missing } = await leaving;
  assert.deepEqual([pinned, missing.map(({ reason }) => reason)], [[], ["aborted"]]);
  assert.deepEqual([cache.facts.bytes, a.pins], [10, 1]);
  end("a");
  await settle();
  assert.deepEqual([cache.facts.pinned_bytes, a.pins], [0, 0]);
  assert.deepEqual([cache.pinHeld([a]), reads], [true, ["a"]]);
});

test("a page that fails is missing for all who waited, and is read again after some seconds only", async () => {
  for (const [failure, reason] of [
    [{ reason: "damaged" }, "damaged"],
    [{ reason: "unreadable" }, "unreadable"],
    [new Error("thrown"), "unreadable"],
  ] as const) {
    const { cache, clock, faults, reads, add, end } = openCache();
    const [a, b] = [add("a", 60, true), add("b", 30)];
    const all = Promise.all([cache.pin([a, b]), cache.pin([b, a]), cache.pin([a])]);
    await settle();
    end("a", failure);
    for (const { pinned, missing } of await all) {
      assert.ok(namesOf(pinned).every((name) => name === "b"));
      assert.deepEqual(missing, [{ slot: a, reason }]);
    }
    assert.equal(faults.length, failure instanceof Error ? 1 : 0);
    assert.deepEqual([cache.facts.bytes, cache.facts.pinned_bytes, b.pins], [30, 30, 2]);
    await clock.advance(RETRY_MS - 1);
    assert.deepEqual((await cache.pin([a])).missing, [{ slot: a, reason }]);
    assert.deepEqual(reads, ["a", "b"]);
    await clock.advance(1);
    const again = cache.pin([a]);
    await settle();
    end("a");
    assert.deepEqual(namesOf((await again).pinned), ["a"]);
    assert.deepEqual(reads, ["a", "b", "a"]);
  }
});

test("a page that failed and was read again belongs to who pinned it then", async () => {
  const { cache, clock, add, end } = openCache(1_000);
  const [a, slow] = [add("a", 10, true), add("slow", 10, true)];
  const gone = new AbortController();
  const first = cache.pin([a, slow], gone.signal);
  await settle();
  end("a", { reason: "damaged" });
  await settle();
  await clock.advance(RETRY_MS);
  const second = cache.pin([a]);
  await settle();
  end("a");
  assert.deepEqual(namesOf((await second).pinned), ["a"]);
  gone.abort();
  assert.deepEqual((await first).pinned, []);
  assert.equal(a.pins, 1);
});

test("pages of a base that was replaced go as soon as no question has them", async () => {
  const { cache, add, end } = openCache();
  const [a, b, c] = [add("a", 10), add("b", 10), add("c", 10, true)];
  await cache.pin([a]);
  cache.release((await cache.pin([b])).pinned);
  const reading = cache.pin([c]);
  await settle();
  cache.retire([a, b, c]);
  assert.deepEqual([a.state.name, b.state.name, cache.facts.bytes], ["held", "absent", 20]);
  end("c");
  cache.release((await reading).pinned);
  cache.release([a]);
  assert.deepEqual([a.state.name, c.state.name, cache.facts.bytes], ["absent", "absent", 0]);
});

test("of any questions at once: never another's page, a read a page, the bound, and nothing left pinned", async () => {
  const questions = fc.array(
    fc.record({
      wants: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 4 }),
      holds: fc.nat(5),
      leaves: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(
      questions,
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 12, maxLength: 12 }),
      fc.nat(4),
      async (list, sizes, odds) => {
        const clock = createManualClock(0);
        const cache = new PageCache<Page>({
          bytes_max: 60,
          clock,
          onFault: (err) => assert.ifError(err),
        });
        const reading = new Set<number>();
        const slots = sizes.map((bytes, n) =>
          createSlot<Page>(bytes, async () => {
            assert.ok(!reading.has(n), "one read a page");
            reading.add(n);
            for (let i = 0; i < n % 3; i++) await settle();
            reading.delete(n);
            return n % 5 < odds ? { reason: "damaged" } : { page: { name: `${n}` } };
          }),
        );
        const check = (): void => {
          const { bytes, pinned_bytes, bytes_max } = cache.facts;
          assert.ok(bytes >= pinned_bytes && pinned_bytes >= 0);
          assert.ok(bytes <= Math.max(bytes_max, pinned_bytes), `${bytes} ${pinned_bytes}`);
        };
        await Promise.all(
          list.map(async ({ wants, holds, leaves }) => {
            const gone = new AbortController();
            if (leaves) void settle().then(() => gone.abort());
            const { pinned, missing } = await cache.pin(
              wants.map((n) => slots[n]!),
              gone.signal,
            );
            check();
            assert.equal(pinned.length + missing.length, wants.length);
            for (let i = 0; i < holds; i++) {
              for (const slot of pinned) assert.equal(pageOf(slot).name, `${slots.indexOf(slot)}`);
              await settle();
            }
            cache.release(pinned);
            check();
          }),
        );
        while (reading.size > 0) await settle();
        await settle();
        assert.equal(cache.facts.pinned_bytes, 0);
        assert.ok(slots.every(({ pins }) => pins === 0));
        assert.ok(cache.facts.bytes <= 60);
      },
    ),
    { numRuns: 60 },
  );
});

test("what pages are found by is of the bound, but for a half of it", async () => {
  const { cache, add } = openCache();
  const [a, b, c] = [add("a", 30), add("b", 30), add("c", 30)];
  for (const slot of [a, b, c]) cache.release((await cache.pin([slot])).pinned);
  cache.reserve(35);
  assert.deepEqual([cache.facts.bytes_max, cache.facts.bytes, a.state.name], [65, 60, "absent"]);
  assert.equal(cache.hasRoom(10), false);
  cache.reserve(1_000);
  assert.deepEqual([cache.facts.bytes_max, cache.facts.bytes, b.state.name], [50, 30, "absent"]);
  cache.reserve(0);
  assert.deepEqual([cache.facts.bytes_max, cache.hasRoom(70)], [100, true]);
});
