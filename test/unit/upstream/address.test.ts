import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";
import { isPublicAddress } from "#upstream/egress-address.ts";
import { HOSTILE_HOSTS } from "./hostile-hosts.ts";

/** Ends of each denied range (reliability 4.5 rule 2), and their public neighbours. */
const EDGES_DENIED =
  "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255 169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 :: ::1 ::ffff ::8.8.8.8 ::ffff:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8 64:ff9b:1:ffff:: 100:: 100::ffff:ffff:ffff:ffff 2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:a00:1:: 2002:7f00:1::1 3fff::1 5f00::1 fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80:: fe80::1%eth0 febf::1 fec0:: feff::1 ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2a00:1450:4001::1%lo".split(
    " ",
  );
const EDGES_PUBLIC =
  "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 64:ff9b::808:808 2002:808:808:: 2001:200:: 2001:4860:4860::8888 2001:db7:ffff:: 2001:db9:: 2606:4700:4700::1111 2a00:1450:4001:82b::200e 3ffe:ffff::".split(
    " ",
  );

test("both edges of every denied range are denied, their neighbours are public", () => {
  for (const ip of EDGES_DENIED) assert.equal(isPublicAddress(ip), false, ip);
  for (const ip of EDGES_PUBLIC) assert.equal(isPublicAddress(ip), true, ip);
  assert.equal(EDGES_DENIED.length, 58);
  assert.equal(EDGES_PUBLIC.length, 37);
});

test("text that is no address is not public", () => {
  for (const text of [
    "",
    "localhost",
    "8.8.8",
    "8.8.8.8.8",
    "1:2",
    "[::1]",
    "08.8.8.8",
    " 8.8.8.8",
  ])
    assert.equal(isPublicAddress(text), false, text);
});

test("every hostile spelling is refused by the URL parser, denied as an address, or a name", () => {
  let literals = 0;
  for (const host of HOSTILE_HOSTS) {
    const url = URL.parse(`http://${host}:8080/`);
    const hostname = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
    if (isIP(hostname) === 0) continue;
    literals += 1;
    assert.equal(isPublicAddress(hostname), false, `${host} -> ${hostname}`);
  }
  assert.ok(HOSTILE_HOSTS.length >= 120, `${HOSTILE_HOSTS.length} forms`);
  assert.ok(literals >= 100, `${literals} of them parse to an address`);
});
