/** Ids of datasets: the issuer is known from the id alone, and each has one spelling. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBase32, encodeBase32 } from "#kit/base32.ts";
import { findIssuedTo, newDatasetId, PUBLIC_OWNER } from "#core/datasets/id.ts";

const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const ISSUE = {
  secret: SECRET,
  now_ms: Date.UTC(2026, 10, 21, 12),
  random: Uint8Array.from({ length: 10 }, (_, i) => 200 + i),
};
/** Must never change: ids out there hold it. */
const GOLDEN = "nearby_agq736sgab4mtcwlztg45t6q2foaanp3dvtp2ry";

const issues = fc.record({
  secret: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  now_ms: fc.nat(2 ** 42),
  random: fc.uint8Array({ minLength: 10, maxLength: 10 }),
});
const owners = fc.oneof(fc.constant(PUBLIC_OWNER), fc.string());

test("a golden id", () => {
  assert.equal(newDatasetId("acc_1", ISSUE), GOLDEN);
  assert.equal(findIssuedTo(GOLDEN, ["acc_1", PUBLIC_OWNER], SECRET), "acc_1");
});

test("it is a UUIDv7 and eight bytes of HMAC-SHA-256, as another library makes it", () => {
  fc.assert(
    fc.property(owners, issues, (owner, issue) => {
      const id = newDatasetId(owner, issue);
      assert.match(id, /^nearby_[a-z2-7]{39}$/);
      const bytes = decodeBase32(id.slice(7), 24)!;
      const uuid = bytes.subarray(0, 16);
      assert.equal(Number(`0x${uuid.subarray(0, 6).toHex()}`), issue.now_ms);
      assert.deepEqual([uuid[6]! >> 4, uuid[8]! >> 6], [7, 2]);
      const mac = createHmac("sha256", issue.secret).update(uuid).update(owner).digest();
      assert.equal(bytes.subarray(16).toHex(), mac.subarray(0, 8).toString("hex"));
    }),
  );
});

test("an id belongs to its owner alone, under no other secret", () => {
  fc.assert(
    fc.property(owners, owners, issues, issues, (owner, other, issue, elsewhere) => {
      const id = newDatasetId(owner, issue);
      assert.equal(findIssuedTo(id, [other, owner], issue.secret), owner);
      assert.equal(findIssuedTo(id, [owner, other], issue.secret), owner);
      assert.equal(findIssuedTo(id, [], issue.secret), null);
      if (other !== owner) assert.equal(findIssuedTo(id, [other], issue.secret), null);
      if (Buffer.compare(issue.secret, elsewhere.secret) !== 0)
        assert.equal(findIssuedTo(id, [owner], elsewhere.secret), null);
    }),
  );
});

test("no bit of it can be changed", () => {
  const bytes = decodeBase32(GOLDEN.slice(7), 24)!;
  for (let bit = 0; bit < 192; bit++) {
    const changed = bytes.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(findIssuedTo(`nearby_${encodeBase32(changed)}`, ["acc_1"], SECRET), null);
  }
});

test("another spelling of the same bits is no id", () => {
  const last = GOLDEN.at(-1)!;
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let siblings = 0;
  for (const letter of alphabet) {
    if (letter === last) continue;
    siblings += 1;
    assert.equal(findIssuedTo(GOLDEN.slice(0, -1) + letter, ["acc_1"], SECRET), null);
  }
  assert.equal(siblings, 31, "trailing bits among them");
  const wrong = [
    ...["", "nearby_", GOLDEN.slice(7), GOLDEN.slice(0, -1), `${GOLDEN}a`, `${GOLDEN}=`],
    ...[GOLDEN.toUpperCase(), `nearby_${GOLDEN.slice(7).toUpperCase()}`, ` ${GOLDEN}`],
    ...[`Nearby_${GOLDEN.slice(7)}`, GOLDEN.replace("_", "-"), `${GOLDEN}\n`],
  ];
  for (const text of wrong) assert.equal(findIssuedTo(text, ["acc_1"], SECRET), null, text);
});
