/** What is read as an address, and which one. Node's parser and its list of blocks are the judges. */
import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { embeddedV4, isInBlock, parseBlock, parseIp, toV4Bytes } from "#core/ip.ts";

/** Text, and the eight groups of the address; null: not an address. */
const CASES: readonly [text: string, groups: string | null][] = [
  ["0.0.0.0", "0:0:0:0:0:ffff:0:0"],
  ["203.0.113.7", "0:0:0:0:0:ffff:cb00:7107"],
  ["255.255.255.255", "0:0:0:0:0:ffff:ffff:ffff"],
  ["::", "0:0:0:0:0:0:0:0"],
  ["::1", "0:0:0:0:0:0:0:1"],
  ["1::", "1:0:0:0:0:0:0:0"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"],
  ["2001:DB8::00ff", "2001:db8:0:0:0:0:0:ff"],
  // Mapped, however it is written.
  ["::ffff:203.0.113.7", "0:0:0:0:0:ffff:cb00:7107"],
  ["::FFFF:cb00:7107", "0:0:0:0:0:ffff:cb00:7107"],
  ["0:0:0:0:0:ffff:203.0.113.7", "0:0:0:0:0:ffff:cb00:7107"],
  // IPv4-compatible, SIIT, NAT64, 6to4, Teredo: not mapped.
  ["::8.8.8.8", "0:0:0:0:0:0:808:808"],
  ["::0.0.0.1", "0:0:0:0:0:0:0:1"],
  ["::ffff:0:8.8.8.8", "0:0:0:0:ffff:0:808:808"],
  ["64:ff9b::8.8.8.8", "64:ff9b:0:0:0:0:808:808"],
  ["64:ff9b:1::8.8.8.8", "64:ff9b:1:0:0:0:808:808"],
  ["2002:808:808::1", "2002:808:808:0:0:0:0:1"],
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
  // Zones.
  ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1"],
  ["fe80::1%en0_1.2-3~4", "fe80:0:0:0:0:0:0:1"],
  ["::ffff:10.0.0.1%lo", "0:0:0:0:0:ffff:a00:1"],
  ["fe80::1%", null],
  ["fe80::1%a b", null],
  ["fe80::1%a%b", null],
  ["fe80::%1::", null],
  ["%eth0", null],
  ["1.2.3.4%eth0", null],
  // Octal, hexadecimal, short and long forms of IPv4, alone and as a tail.
  ["01.2.3.4", null],
  ["1.2.3.04", null],
  ["0x7f.0.0.1", null],
  ["0x7f000001", null],
  ["2130706433", null],
  ["127.1", null],
  ["1.2.3", null],
  ["1.2.3.4.5", null],
  ["1.2.3.256", null],
  ["1.2.3.1e1", null],
  ["::01.2.3.4", null],
  ["::ffff:010.0.0.1", null],
  ["::0x7f.0.0.1", null],
  ["64:ff9b::1.2.3.256", null],
  ["::1.2.3", null],
  ["1.2.3.4::", null],
  ["1.2.3.4:80", null],
  ["::1.2.3.4:5", null],
  ["1:2:3:4:5:6:7:1.2.3.4", null],
  // Too many groups, too few, too long, twice `::`, lonely colons, brackets and blanks.
  ["1:2:3:4:5:6:7", null],
  ["1:2:3:4:5:6:7:8:9", null],
  ["1:2:3:4::5:6:7:8", null],
  ["1::2::3", null],
  [":", null],
  [":::", null],
  [":1::2", null],
  ["1::2:", null],
  ["12345::", null],
  ["::00001", null],
  ["g::", null],
  ["[::1]", null],
  ["::1/64", null],
  [" ::1", null],
  ["::1 ", null],
  ["1.2.3.4\n", null],
  ["１.2.3.4", null],
  ["", null],
  ["localhost", null],
  [`::${"0".repeat(90)}`, null],
];

function toGroups(text: string): string | null {
  return (
    parseIp(text)
      ?.parts.map((part) => part.toString(16))
      .join(":") ?? null
  );
}

test("addresses, and text that is none", () => {
  for (const [text, groups] of CASES) assert.equal(toGroups(text), groups, text);
  assert.equal(CASES.length, 69);
});

const aDotted = fc.oneof(
  fc.ipV4(),
  fc
    .array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 5 })
    .map((p) => p.join(".")),
  fc.stringMatching(/^0?[0-9]{1,3}(\.0?[0-9]{1,3}){3}$/),
);
const aPrefix = fc.constantFrom(
  ...["::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "2002:", "2001:db8:1:2:3:4:"],
);
const aNearAddress = fc.oneof(
  fc.ipV6(),
  aDotted,
  fc.tuple(aPrefix, aDotted).map(([prefix, dotted]) => prefix + dotted),
  fc.stringMatching(/^[0-9a-fA-F:.]{0,40}$/),
  fc.stringMatching(/^([0-9a-f]{0,5}::?){1,9}[0-9a-f]{0,5}$/),
);

test("an address is what node takes for one, and the same one", () => {
  let addresses = 0;
  fc.assert(
    fc.property(aNearAddress, (text) => {
      const ip = parseIp(text);
      assert.equal(ip !== null, isIP(text) !== 0, text);
      if (ip === null) return;
      addresses++;
      const written = text.includes(":") ? text : `::ffff:${text}`;
      const canonical = new URL(`http://[${written}]`).hostname.slice(1, -1);
      assert.equal(ip.toRFC5952String(), parseIp(canonical)?.toRFC5952String(), text);
      const only = new BlockList();
      only.addAddress(text, text.includes(":") ? "ipv6" : "ipv4");
      assert.ok(only.check(canonical, "ipv6"), text);
    }),
    { numRuns: 5000 },
  );
  assert.ok(addresses > 1500, `${addresses} addresses`);
});

test("a block holds what node's list of it holds", () => {
  const aBlock = fc.oneof(
    fc.tuple(fc.ipV4(), fc.nat(32)),
    fc.tuple(fc.ipV6(), fc.nat(128)),
    fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, bits]) => [`::ffff:${ip}`, 96 + bits] as const),
  );
  let inside = 0;
  fc.assert(
    fc.property(
      aBlock,
      fc.oneof(fc.ipV4(), fc.ipV6()),
      fc.boolean(),
      ([start, bits], any, same) => {
        const text = same ? start : any;
        const list = new BlockList();
        list.addSubnet(start, bits, isIP(start) === 4 ? "ipv4" : "ipv6");
        const expected = list.check(text, isIP(text) === 4 ? "ipv4" : "ipv6");
        if (expected) inside++;
        assert.equal(isInBlock(parseIp(text)!, parseBlock(`${start}/${bits}`)), expected);
      },
    ),
    { numRuns: 3000 },
  );
  assert.ok(inside > 500, `${inside} inside`);
});

test("blocks are written with bits or without, and nothing else is one", () => {
  assert.ok(isInBlock(parseIp("10.0.0.1")!, parseBlock("10.0.0.1")));
  assert.ok(!isInBlock(parseIp("10.0.0.2")!, parseBlock("10.0.0.1")));
  assert.ok(isInBlock(parseIp("10.9.9.9")!, parseBlock("10.77.1.2/8")));
  for (const text of ["", "evil", "10.0.0/8", "::g/8"])
    assert.throws(() => parseBlock(text), TypeError, text);
});

test("an IPv4 address within another", () => {
  const of = (text: string, at: number) => toV4Bytes(embeddedV4(parseIp(text)!, at));
  assert.deepEqual(of("2002:c000:0204::1", 2), [192, 0, 2, 4]);
  assert.deepEqual(of("64:ff9b::192.0.2.4", 12), [192, 0, 2, 4]);
  assert.deepEqual(toV4Bytes(parseIp("192.0.2.4")!), [192, 0, 2, 4]);
  for (const other of ["::192.0.2.4", "64:ff9b::192.0.2.4", "::ffff:0:192.0.2.4"])
    assert.equal(toV4Bytes(parseIp(other)!), null, other);
});
