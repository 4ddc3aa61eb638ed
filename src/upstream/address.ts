/**
 * Which addresses an upstream may live at (reliability 4.5, rule 2). Pure.
 *
 * Own arithmetic instead of net.BlockList: that one answers false for `::ffff:127.0.0.1` unless
 * told the family, and misses NAT64 and IPv4-compatible forms even then.
 */
import { isIPv4, isIPv6 } from "node:net";

const DENIED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map(toRange);

/** Inside 2000::/3, which is the only block ever given out for global unicast (RFC 4291 2.4). */
const GLOBAL_V6 = toRange("2000::/3");
const DENIED_V6 = ["2001::/23", "2001:db8::/32", "3fff::/20"].map(toRange);

/** Prefixes that carry an IPv4 address, and how far right of it the address ends, in bits. */
const CARRIERS = [
  { range: toRange("::ffff:0:0/96"), shift: 0n },
  { range: toRange("64:ff9b::/96"), shift: 0n },
  { range: toRange("2002::/16"), shift: 80n },
];
// Denied without a look inside: ::/96 is deprecated (RFC 4291 2.5.5.1), and 64:ff9b:1::/48 is for
// local use (RFC 8215), where the place of the IPv4 address depends on a prefix we cannot know.
// Both are outside 2000::/3, as are ::1, 100::/64, fc00::/7, fe80::/10, fec0::/10 and ff00::/8.

/** True when `ip` (literal, no brackets) is a unicast address of the public Internet. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return isPublicV4(toV4(ip));
  // A zone id (`fe80::1%eth0`) names an interface of this machine: never a public place.
  if (!isIPv6(ip) || ip.includes("%")) return false;
  const value = toV6(ip);
  const carrier = CARRIERS.find(({ range }) => isWithin(range, value));
  if (carrier) return isPublicV4((value >> carrier.shift) & 0xffffffffn);
  return isWithin(GLOBAL_V6, value) && !DENIED_V6.some((range) => isWithin(range, value));
}

function isPublicV4(value: bigint): boolean {
  return !DENIED_V4.some((range) => isWithin(range, value));
}

type Range = { prefix: bigint; shift: bigint };

function toRange(cidr: string): Range {
  const [address = "", length = "0"] = cidr.split("/");
  const v4 = isIPv4(address);
  const shift = BigInt((v4 ? 32 : 128) - Number(length));
  return { prefix: (v4 ? toV4(address) : toV6(address)) >> shift, shift };
}

function isWithin({ prefix, shift }: Range, value: bigint): boolean {
  return value >> shift === prefix;
}

function toV4(ip: string): bigint {
  return ip.split(".").reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

/** Takes what isIPv6 has accepted: at most one `::`, perhaps a dotted tail. */
function toV6(ip: string): bigint {
  const [head = "", tail] = ip.split("::");
  const left = toGroups(head);
  const right = tail === undefined ? [] : toGroups(tail);
  const zeros = Array<bigint>(8 - left.length - right.length).fill(0n);
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) | group, 0n);
}

function toGroups(text: string): bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    if (!part.includes(".")) return [BigInt(`0x${part}`)];
    const v4 = toV4(part);
    return [v4 >> 16n, v4 & 0xffffn];
  });
}
