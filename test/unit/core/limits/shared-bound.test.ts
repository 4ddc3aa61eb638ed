/** A bound of all callers: whatever comes and goes, it holds, keys keep their share, and no block is shut out by one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anonymousMost, SharedBound } from "#core/limits/shared-bound.ts";
import { forAll } from "../../../support/domain.ts";

type Holder = { name: string };

function open(most: number, keyed_share: number) {
  const ended: string[] = [];
  const bound = new SharedBound<Holder>({ most, keyed_share }, ({ name }) => void ended.push(name));
  const take = (name: string, block: string | null): Holder | null => {
    const holder = { name };
    return bound.take(holder, block) ? holder : null;
  };
  return { bound, ended, take };
}

test("callers without a key get their part, and the rest is for keys", () => {
  const { bound, ended, take } = open(10, 0.5);
  for (let i = 0; i < 5; i++) assert.ok(take(`a${i}`, "a"));
  assert.equal(take("a5", "a"), null, "its own block is the largest");
  for (let i = 0; i < 5; i++) assert.ok(take(`k${i}`, null));
  assert.deepEqual([bound.count, ended], [10, []], "room for both");
});

test("where all is taken, the oldest of the largest block ends for a key", () => {
  const { bound, ended, take } = open(6, 0);
  for (const [name, block] of [
    ["b0", "b"],
    ["a0", "a"],
    ["a1", "a"],
    ["c0", "c"],
    ["a2", "a"],
    ["c1", "c"],
  ])
    assert.ok(take(name!, block!));
  assert.ok(take("k0", null));
  assert.ok(take("k1", null));
  assert.deepEqual(ended, ["a0", "c0"]);
  assert.equal(bound.count, 6);
  for (let i = 2; i < 6; i++) assert.ok(take(`k${i}`, null));
  assert.equal(take("k6", null), null, "keys end no other keys");
  assert.equal(bound.hasRoom(null), false);
});

test("a block that holds less gets its place from the one that holds most", () => {
  const { ended, take } = open(8, 0.5);
  for (let i = 0; i < 4; i++) take(`a${i}`, "a");
  assert.ok(take("b0", "b"));
  assert.deepEqual(ended, ["a0"]);
  assert.ok(take("b1", "b"), "three and one: two and two");
  assert.equal(take("b2", "b"), null, "or both would end each other's in turn");
  assert.deepEqual(ended, ["a0", "a1"]);
});

test("one that has shown a key ends for no other", () => {
  const { bound, ended, take } = open(4, 0.5);
  const first = take("a0", "a")!;
  take("a1", "a");
  bound.identify(first);
  bound.identify(first);
  assert.ok(take("a2", "a"), "its place is that of a key now");
  assert.ok(take("k", null));
  assert.ok(take("k2", null));
  assert.deepEqual(ended, ["a1"]);
  bound.leave(first);
  bound.leave(first);
  assert.equal(bound.count, 3);
});

test("whatever comes and goes: the bound and the share hold, and a key gets in while one without is there", () => {
  const aStep = fc.record({
    what: fc.constantFrom("come", "come", "come", "leave", "identify"),
    block: fc.option(fc.constantFrom("a", "b", "c", "d"), { freq: 4 }),
    which: fc.nat(),
  });
  forAll(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0, 0.1, 0.25, 0.5, 1),
      fc.array(aStep, { maxLength: 120 }),
      (most, keyed_share, steps) => {
        const available = new Map<Holder, string | null>();
        const bound = new SharedBound<Holder>({ most, keyed_share }, (one) => {
          assert.notEqual(available.get(one), null, "keys end for no other");
          assert.ok(available.delete(one));
        });
        const anonymous = (): number =>
          [...available.values()].filter((block) => block !== null).length;
        for (const [i, { what, block, which }] of steps.entries()) {
          const one = [...available.keys()][which % Math.max(1, available.size)];
          if (what === "come") {
            const holder = { name: `${i}` };
            const [had, strangers, room] = [available.size, anonymous(), bound.hasRoom(block)];
            const taken = bound.take(holder, block);
            assert.equal(taken, room);
            if (taken) available.set(holder, block);
            else if (block === null) assert.ok(had === most && strangers === 0);
          } else if (one && what === "leave") {
            bound.leave(one);
            available.delete(one);
          } else if (one) {
            bound.identify(one);
            available.set(one, null);
          }
          assert.equal(bound.count, available.size);
          assert.ok(available.size <= most && anonymous() <= anonymousMost({ most, keyed_share }));
        }
      },
    ),
  );
});
