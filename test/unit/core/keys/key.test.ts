/** API keys: what is made is read again, and what is mistyped is refused without a store. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { crc32 } from "#core/keys/crc32.ts";
import { composeKey, hashKey, hintOf, KEY_PREFIXES, parseKey } from "#core/keys/key.ts";
import { forAll } from "../../../support/domain.ts";
import { anyText } from "../../../support/any-text.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const prefix = fc.constantFrom(...Object.values(KEY_PREFIXES));
const key = fc.tuple(prefix, bytes).map(([of, random]) => composeKey(of, random));

test("golden keys, which must never change: their hashes are in stores out there", () => {
  const zeros = composeKey("svc_live_", new Uint8Array(32));
  assert.equal(zeros.slice(0, 52), `svc_live_${"0".repeat(43)}`);
  assert.equal(zeros, `svc_live_${"0".repeat(43)}${base62(zlibCrc32(zeros.slice(0, 52)))}`);
  const full = composeKey("svc_test_", new Uint8Array(32).fill(255));
  // 2^256 - 1 in base 62.
  assert.equal(full.slice(9, 52), bigBase62(2n ** 256n - 1n));
});

test("the checksum is CRC-32 as others compute it", () => {
  assert.equal(crc32("123456789", 9), 0xcbf43926);
  assert.equal(crc32("", 0), 0);
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 80 });
  forAll(fc.property(ascii, (text) => assert.equal(crc32(text, text.length), zlibCrc32(text))));
});

// Proves §5 key format
test("a key is prefix, 43 and 6 characters of base 62, and reads back as what it is", () => {
  forAll(
    fc.property(prefix, bytes, (of, random) => {
      const made = composeKey(of, random);
      assert.match(made, /^svc_(live|test)_[0-9A-Za-z]{49}$/);
      assert.deepEqual(parseKey(made), { prefix: of });
      assert.equal(composeKey(of, random), made);
      assert.equal(hintOf(made), made.slice(0, 13));
      assert.deepEqual(hashKey(made), new Uint8Array(createHash("sha256").update(made).digest()));
    }),
  );
});

test("different bytes make different keys, leading zeros included", () => {
  forAll(
    fc.property(bytes, bytes, (a, b) => {
      const equal = Buffer.compare(a, b) === 0;
      assert.equal(composeKey("svc_live_", a) === composeKey("svc_live_", b), equal);
    }),
  );
  assert.throws(() => composeKey("svc_live_", new Uint8Array(31)), RangeError);
  assert.throws(() => composeKey("svc_live_", new Uint8Array(33)), RangeError);
});

test("one wrong character is refused, whatever its position and value", () => {
  const anything = anyText({ minLength: 1, maxLength: 1 });
  const digit = fc.constantFrom(...LETTERS.split(""));
  forAll(
    fc.property(key, fc.nat(57), fc.oneof(digit, anything), (made, at, wrong) => {
      fc.pre(made[at] !== wrong);
      assert.equal(parseKey(made.slice(0, at) + wrong + made.slice(at + 1)), null);
    }),
  );
});

test("two characters that changed places are refused, neighbours or not", () => {
  forAll(
    fc.property(key, fc.nat(57), fc.nat(57), (made, a, b) => {
      fc.pre(made[a] !== made[b]);
      const letters = made.split("");
      [letters[a], letters[b]] = [letters[b]!, letters[a]!];
      assert.equal(parseKey(letters.join("")), null);
    }),
  );
});

test("a missing or an additional character is refused", () => {
  forAll(
    fc.property(
      key,
      fc.nat(58),
      fc.constantFrom(...LETTERS.split(""), " ", "\n"),
      (made, at, extra) => {
        assert.equal(parseKey(made.slice(0, at) + extra + made.slice(at)), null);
        if (at < 58) assert.equal(parseKey(made.slice(0, at) + made.slice(at + 1)), null);
      },
    ),
  );
});

test("the prefix is under the checksum: a key of one mode is none of the other", () => {
  forAll(
    fc.property(bytes, (random) => {
      const live = composeKey("svc_live_", random);
      assert.equal(parseKey(live.replace("svc_live_", "svc_test_")), null);
    }),
  );
});

test("any other text is no key", () => {
  const made = composeKey("svc_live_", new Uint8Array(32).fill(7));
  for (const text of ["", "svc_live_", made.toUpperCase(), ` ${made}`.slice(0, 58), `${made}\n`]) {
    assert.equal(parseKey(text), null, JSON.stringify(text));
  }
  forAll(
    fc.property(
      fc.oneof(
        anyText({ maxLength: 70 }),
        anyText({ minLength: 49, maxLength: 49 }).map((s) => `svc_live_${s}`),
      ),
      (text) => assert.equal(parseKey(text), null),
    ),
  );
});

test("a checksum that says more than 32 bits is none", () => {
  const made = composeKey("svc_live_", new Uint8Array(32).fill(9));
  const beyond = BigInt(zlibCrc32(made.slice(0, 52))) + 2n ** 32n;
  assert.equal(parseKey(made.slice(0, 52) + bigBase62(beyond).padStart(6, "0")), null);
});

test("100 000 bad keys cost at most 10 µs each", () => {
  const bad = Array.from({ length: 1_000 }, (_, i) => {
    const made = composeKey("svc_live_", new Uint8Array(32).fill(i & 255));
    return made.slice(0, -1) + LETTERS[(LETTERS.indexOf(made.at(-1)!) + 1 + (i % 61)) % 62]!;
  });
  const before = process.cpuUsage();
  let passed = 0;
  for (let i = 0; i < 100_000; i++) if (parseKey(bad[i % 1_000]!) !== null) passed += 1;
  const { user, system } = process.cpuUsage(before);
  assert.equal(passed, 0);
  assert.ok((user + system) / 100_000 <= 10, `${(user + system) / 100_000} µs each`);
});

function base62(value: number): string {
  return bigBase62(BigInt(value)).padStart(6, "0");
}

function bigBase62(value: bigint): string {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = LETTERS[Number(rest % 62n)]! + text;
  return text;
}
