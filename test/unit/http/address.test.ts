/** The address of a client: who may state it, and who may not, by any trick. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import { type ClientAddress, createClientAddress } from "#http/client-address.ts";
import { readAddressKeys } from "../../support/address.ts";
import { tries } from "../../support/size.ts";

const PROXIES = ["10.0.0.0/8", "fd00::/8", "192.0.2.1"];
const UNKNOWN = { narrow: "unknown", wide: "unknown/any" };

/** What node makes of a request: lines of one header are joined. */
function request(remoteAddress: string | undefined, ...lines: string[]): IncomingMessage {
  const headers = lines.length > 0 ? { "x-forwarded-for": lines.join(", ") } : {};
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

function narrow(of: ClientAddress, peer: string | undefined, ...lines: string[]): string {
  return of(request(peer, ...lines)).narrow;
}

/** Peer, header lines, and the address that counts. */
const WALKS: readonly [peer: string, lines: string[], client: string][] = [
  ["203.0.113.7", [], "203.0.113.7"],
  ["203.0.113.7", ["198.51.100.1"], "203.0.113.7"],
  ["10.0.0.1", [], "10.0.0.1"],
  ["10.0.0.1", ["198.51.100.1"], "198.51.100.1"],
  ["::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"],
  ["192.0.2.1", ["198.51.100.1"], "198.51.100.1"],
  ["192.0.2.2", ["198.51.100.1"], "192.0.2.2"],
  ["fd12::1", ["2001:db8:1:2::9"], "2001:db8:1:2::9"],
  ["fe80::1%eth0", ["198.51.100.1"], "fe80::1"],
  ["10.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"],
  ["10.0.0.1", ["1.1.1.1,198.51.100.1 ,\t10.9.9.9"], "198.51.100.1"],
  ["10.0.0.1", ["1.1.1.1", "198.51.100.1", "::ffff:10.9.9.9, fd00::7"], "198.51.100.1"],
  ["10.0.0.1", ["1.1.1.1, 198.51.100.1:4711, 10.9.9.9:80"], "198.51.100.1"],
  ["10.0.0.1", ["[2001:db8:1:2::9]:4711, [fd00::7], [::ffff:10.0.0.3]:1"], "2001:db8:1:2::9"],
  ["10.0.0.1", ["10.0.0.9, 10.0.0.8"], "10.0.0.9"],
  ["10.0.0.1", ["10.0.0.9"], "10.0.0.9"],
  ["10.0.0.1", [""], "10.0.0.1"],
  ["10.0.0.1", [","], "10.0.0.1"],
  ["10.0.0.1", ["198.51.100.1,"], "10.0.0.1"],
  ["10.0.0.1", [",198.51.100.1"], "198.51.100.1"],
  ["10.0.0.1", [",10.0.0.2"], "10.0.0.2"],
  ["10.0.0.1", ["1.1.1.1, evil"], "10.0.0.1"],
  ["10.0.0.1", ["1.1.1.1, evil, 10.0.0.2"], "10.0.0.2"],
  ["10.0.0.1", ["1.1.1.1, unknown:80, 10.0.0.2"], "10.0.0.2"],
  ["10.0.0.1", ["1.1.1.1, 198.51.100.1:123456"], "10.0.0.1"],
  ["10.0.0.1", ["1.1.1.1, [198.51.100.1]x"], "10.0.0.1"],
  ["10.0.0.1", [`1.1.1.1, ${"9".repeat(10_000)}, 10.0.0.2`], "10.0.0.2"],
  ["10.0.0.1", [`1.1.1.1${", 10.0.0.2".repeat(31)}`], "1.1.1.1"],
  ["10.0.0.1", [`1.1.1.1${", 10.0.0.2".repeat(32)}`], "10.0.0.2"],
];

test("walks through X-Forwarded-For", () => {
  const of = createClientAddress(PROXIES);
  for (const [peer, lines, client] of WALKS) {
    const what = `${peer} ${lines.join(" | ").slice(0, 80)}`;
    assert.deepEqual(of(request(peer, ...lines)), readAddressKeys(client), what);
  }
});

test("no proxy is trusted unless the deployment says so", () => {
  const of = createClientAddress([]);
  for (const [peer, lines] of WALKS)
    assert.deepEqual(of(request(peer, ...lines)), readAddressKeys(peer), peer);
});

test("clients without an address share one pair of keys, which are two", () => {
  for (const proxies of [[], PROXIES]) {
    const of = createClientAddress(proxies);
    for (const peer of [undefined, "/run/vicinity.sock"])
      assert.deepEqual(of(request(peer, "198.51.100.1")), UNKNOWN);
  }
  assert.notEqual(UNKNOWN.narrow, UNKNOWN.wide);
});

test("trusted blocks, however they are written", () => {
  const mapped = createClientAddress(["::ffff:10.0.0.0/104"]);
  for (const peer of ["10.1.2.3", "::ffff:10.1.2.3"])
    assert.equal(narrow(mapped, peer, "198.51.100.1"), "198.51.100.1/32", peer);
  assert.equal(narrow(mapped, "11.1.2.3", "198.51.100.1"), "11.1.2.3/32");
  const loose = createClientAddress(["10.77.1.2/8"]);
  assert.equal(narrow(loose, "10.1.2.3", "198.51.100.1"), "198.51.100.1/32");
  const single = createClientAddress(["2001:db8::1"]);
  assert.equal(narrow(single, "2001:db8::1", "198.51.100.1"), "198.51.100.1/32");
  assert.equal(narrow(single, "2001:db8::2", "198.51.100.1"), "2001:db8:0:0::/64");
});

test("a socket is asked once, and its proxy may speak for many clients", () => {
  for (const proxies of [[], PROXIES]) {
    const of = createClientAddress(proxies);
    let reads = 0;
    const socket = {
      get remoteAddress() {
        reads++;
        return "10.0.0.1";
      },
    };
    const ask = (client: string) =>
      of({ socket, headers: { "x-forwarded-for": client } } as unknown as IncomingMessage);
    const [first, second] = [ask("198.51.100.1"), ask("198.51.100.2")];
    const after = reads;
    for (let i = 0; i < 10; i++) ask("198.51.100.3");
    assert.equal(reads, after);
    assert.equal(first === second, proxies.length === 0);
  }
});

const v4 = fc.ipV4().filter((text) => !text.startsWith("10.") && text !== "192.0.2.1");
/** Not of a trusted block, nor mapped into one. */
const v6 = fc
  .ipV6()
  .filter((text) => !/^f[cd]/i.test(text) && !readAddressKeys(text)!.narrow.endsWith("/32"));
const outside = fc.oneof(v4, v6);
const inside = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.${a}.0.${b}`),
  fc.nat(0xffff).map((n) => `fd00::${n.toString(16)}`),
  fc.nat(255).map((n) => `::ffff:10.0.0.${n}`),
);
/** Whatever a caller may send; commas, trusted addresses and junk among it. */
const forged = fc.array(
  fc.oneof(outside, inside, fc.string({ unit: "grapheme-ascii" }), fc.constant("")),
  { maxLength: 6 },
);

test("no untrusted client chooses its own key: directly, or through any chain of proxies", () => {
  const of = createClientAddress(PROXIES);
  fc.assert(
    fc.property(outside, forged, fc.array(inside, { maxLength: 6 }), (client, lies, chain) => {
      // Each proxy appends whom it saw; the last one is the peer itself.
      const seen = [client, ...chain];
      const peer = seen.pop();
      const lines = [...lies, ...seen];
      assert.deepEqual(of(request(peer, ...lines)), readAddressKeys(client));
    }),
    { numRuns: tries(3000) },
  );
});

test("any header whatever gives keys, and those of an address", () => {
  const of = createClientAddress(PROXIES);
  fc.assert(
    fc.property(fc.oneof(inside, outside, fc.string()), forged, (peer, lines) => {
      const keys = of(request(peer, ...lines));
      assert.ok(keys.narrow === "unknown" || /\/(?:32|64)$/.test(keys.narrow), keys.narrow);
      assert.notEqual(keys.narrow, keys.wide);
    }),
    { numRuns: tries(2000) },
  );
});
