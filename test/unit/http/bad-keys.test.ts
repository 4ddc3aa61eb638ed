/** Failed credentials per address: the 21st of a minute is refused, other addresses are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BAD_KEY_LIMIT, BadKeyThrottle } from "#http/bad-keys.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { readAddressKeys } from "../../support/address.ts";

const NOW_MS = 1_795_000_000_000;

/** With addresses as they are written; the keys of no address are those of the gate. */
function createThrottle() {
  const throttle = new BadKeyThrottle(createMemoryLimiter({ max_buckets: 1000 }));
  return {
    strike: (address: string, now_ms: number) =>
      throttle.strike(readAddressKeys(address) ?? assert.fail(address), now_ms),
  };
}

test("20 failures pass, the next ones are refused until the stated seconds are over", () => {
  const throttle = createThrottle();
  for (let i = 0; i < 20; i++)
    assert.equal(throttle.strike("203.0.113.7", NOW_MS + i).admitted, true, `${i}`);
  const refused = throttle.strike("203.0.113.7", NOW_MS + 20);
  assert.ok(!refused.admitted && refused.retry_after_s === 3);
  assert.equal(throttle.strike("203.0.113.7", NOW_MS + 3_020).admitted, true);
});

test("20 a minute are never refused, 40 are, about every other", () => {
  const throttle = createThrottle();
  for (let i = 0; i < 200; i++)
    assert.equal(throttle.strike("192.0.2.1", NOW_MS + i * 3000).admitted, true);
  let admitted = 0;
  for (let i = 0; i < 400; i++)
    if (throttle.strike("192.0.2.2", NOW_MS + 600_000 + i * 1500).admitted) admitted += 1;
  assert.ok(admitted >= 215 && admitted <= 220, `${admitted}`);
});

test("one address is an IPv4 address or an IPv6 /64, however it is written", () => {
  const throttle = createThrottle();
  const strikes = (addresses: readonly string[]) =>
    addresses.map((address) => throttle.strike(address, NOW_MS).admitted);
  const rooms = Array.from({ length: 25 }, (_, i) => `2001:db8:0:1::${i}`);
  assert.deepEqual(strikes(rooms).filter(Boolean).length, BAD_KEY_LIMIT.burst);
  const mapped = Array.from({ length: 25 }, (_, i) => (i % 2 ? "192.0.2.9" : "::ffff:192.0.2.9"));
  assert.equal(strikes(mapped).filter(Boolean).length, BAD_KEY_LIMIT.burst);
  assert.deepEqual(strikes(["2001:db8:0:2::1", "192.0.2.10"]), [true, true]);
});
