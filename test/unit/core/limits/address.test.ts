/** Which addresses share a bucket, and what is none; node's own judgement as the second opinion. */
import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { toAddressBuckets } from "#core/limits/address-block.ts";
import { readAddressKeys } from "../../../support/address.ts";

const GOOD: readonly [text: string, narrow: string, wide: string][] = [
  ["203.0.113.7", "203.0.113.7/32", "203.0.113.0/24"],
  ["0.0.0.0", "0.0.0.0/32", "0.0.0.0/24"],
  ["255.255.255.255", "255.255.255.255/32", "255.255.255.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:DB8:0001:0002::", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64", "1:2:3::/48"],
  ["::2:3:4:5:6:7:8", "0:2:3:4::/64", "0:2:3::/48"],
  ["::", "0:0:0:0::/64", "0:0:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["fe80::2%25", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["::ffff:203.0.113.7", "203.0.113.7/32", "203.0.113.0/24"],
  ["::FFFF:cb00:7107", "203.0.113.7/32", "203.0.113.0/24"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7/32", "203.0.113.0/24"],
  ["::ffff:203.0.113.7%eth0", "203.0.113.7/32", "203.0.113.0/24"],
  ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64", "64:ff9b:0::/48"],
  ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4::/64", "1:2:3::/48"],
  ["::1:ffff:203.0.113.7", "0:0:0:0::/64", "0:0:0::/48"],
  ["::ffff:0:203.0.113.7", "0:0:0:0::/64", "0:0:0::/48"],
];

const JUNK: readonly string[] = [
  ...["", " ", "evil", "unknown", "localhost", "_hidden", "null", "undefined"],
  ...["1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "0x7f.1", "2130706433"],
  ...["1.2.3.4 ", " 1.2.3.4", "1.2.3.4\n", "1.2.3.4:80", "1.2.3.4/32", "1.2.3.4%eth0", "1.2..4"],
  ...["1.2.3.+4", "1.2.3.-4", "1.2.3.1e1", "１.2.3.4", "1.2.3.4,5.6.7.8"],
  ...[":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::"],
  ...["1:2:3:4::5:6:7:8", "::1:2:3:4:5:6:7:8", "12345::", "g::", ":1::2", "1::2:", "[::1]"],
  ...["[::1]:80", "::1/64", "fe80::1%", "fe80::1%a b", "fe80::1%a%b", "%eth0", "::%"],
  ...["::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "::01.2.3.4", "1:2:3:4:5:6:7:1.2.3.4"],
  ...[
    "::ffff:1.2.3.256",
    `fe80::1%${"a".repeat(80)}`,
    `::${"0".repeat(5)}1`,
    "a".repeat(1_000_000),
  ],
];

test("addresses and the buckets they fall in", () => {
  for (const [text, narrow, wide] of GOOD)
    assert.deepEqual(readAddressKeys(text), { narrow, wide }, text);
});

test("text that is no address has no key", () => {
  for (const text of JUNK) assert.equal(readAddressKeys(text), null, text.slice(0, 100));
});

test("one place in a house, one house in a street: /64 and /32 apart, /48 and /24 together", () => {
  const one = readAddressKeys("2001:db8:1:2::1");
  assert.deepEqual(readAddressKeys("2001:db8:1:2:ffff::9"), one);
  const other = readAddressKeys("2001:db8:1:3::1");
  assert.notEqual(other?.narrow, one?.narrow);
  assert.equal(other?.wide, one?.wide);
  assert.notEqual(readAddressKeys("2001:db8:2:2::1")?.wide, one?.wide);
  assert.notEqual(readAddressKeys("203.0.113.7")?.narrow, readAddressKeys("203.0.113.8")?.narrow);
  assert.equal(readAddressKeys("203.0.113.7")?.wide, readAddressKeys("203.0.113.8")?.wide);
});

test("the wider bucket has eight times the limit", () => {
  const keys = readAddressKeys("203.0.113.7")!;
  assert.deepEqual(toAddressBuckets(keys, { rate_per_s: 5, burst: 50 }, "burst"), [
    { key: "burst:203.0.113.7/32", block: "burst:203.0.113.0/24", rate_per_s: 5, burst: 50 },
    { key: "burst:203.0.113.0/24", block: "burst:203.0.113.0/24", rate_per_s: 40, burst: 400 },
  ]);
});

const aByte = fc.nat(255);
const aNearAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.stringMatching(/^[0-9a-fA-F:.]{0,40}$/),
  fc.stringMatching(/^([0-9a-f]{0,5}::?){1,9}[0-9a-f]{0,5}$/),
  fc.stringMatching(/^(::|([0-9a-f]{1,4}:){1,6}:?)[0-9]{1,3}(\.[0-9]{1,3}){3}$/),
  fc.array(aByte, { minLength: 3, maxLength: 5 }).map((bytes) => bytes.join(".")),
);

test("an address is what node takes for one, and lies in the blocks that name it", () => {
  let addresses = 0;
  fc.assert(
    fc.property(aNearAddress, (text) => {
      const family = isIP(text);
      const keys = readAddressKeys(text);
      assert.equal(keys !== null, family !== 0, text);
      if (!keys) return;
      addresses += 1;
      for (const block of [keys.narrow, keys.wide])
        assert.ok(isWithin(text, block), `${text} ${block}`);
    }),
    { numRuns: 5000 },
  );
  assert.ok(addresses > 1500, `${addresses} addresses`);
});

function isWithin(text: string, block: string): boolean {
  const [prefix, length] = block.split("/") as [string, string];
  const list = new BlockList();
  const family = isIP(prefix) === 4 ? "ipv4" : "ipv6";
  assert.notEqual(isIP(prefix), 0, block);
  list.addSubnet(prefix, Number(length), family);
  return list.check(text, isIP(text) === 4 ? "ipv4" : "ipv6");
}
