/** Ids by time and randomness, as bytes and as text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toUuidV7 } from "../uuid.ts";

const toText = (at_ms: number, random: Uint8Array): string => {
  const hex = Buffer.from(toUuidV7(at_ms, random)).toString("hex");
  return [0, 8, 12, 16, 20].map((at, i, all) => hex.slice(at, all[i + 1])).join("-");
};

test("ids of events are UUIDs of version 7, ordered by time, as different as their chance", () => {
  const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  const chance = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(moment, moment, chance, chance, (a_ms, b_ms, a, b) => {
      const [first, second] = [toText(a_ms, a), toText(b_ms, b)];
      assert.match(first, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      assert.equal(Number.parseInt(first.replaceAll("-", "").slice(0, 12), 16), a_ms);
      if (a_ms < b_ms) assert.ok(first < second);
    }),
  );
  // RFC 9562, A.6
  const random = Uint8Array.fromHex("0cc318c4dc0c0c07398f");
  assert.equal(toText(0x017f22e279b0, random), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  const ids = [...random.keys()].map((i) => toText(0, random.with(i, random[i]! ^ 1)));
  assert.equal(new Set(ids).size, 10);
});
