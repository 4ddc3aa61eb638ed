/**
 * Addresses at which an upstream may be (reliability 4.5, rule 2). Pure.
 *
 * A table of our own instead of net.BlockList or the ranges of ipaddr.js: the former misses NAT64 and
 * IPv4-compatible forms, the latter names what a range is for and not whether it is public.
 */
import { embeddedV4, type Ip, type IpBlock, isInBlock, parseBlock, parseIp } from "#core/ip.ts";

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
].map(parseBlock);

/** Inside 2000::/3, the only block ever given out for global unicast (RFC 4291 2.4). */
const GLOBAL_V6 = parseBlock("2000::/3");
const DENIED_V6 = ["2001::/23", "2001:db8::/32", "3fff::/20"].map(parseBlock);

/** Prefixes that carry an IPv4 address, and the byte at which it begins; the first is IPv4 itself. */
const CARRIERS = [
  { block: parseBlock("::ffff:0:0/96"), at: 12 },
  { block: parseBlock("64:ff9b::/96"), at: 12 },
  { block: parseBlock("2002::/16"), at: 2 },
];
// Denied without a look inside: ::/96 is deprecated (RFC 4291 2.5.5.1), and 64:ff9b:1::/48 is for
// local use (RFC 8215), where the place of the IPv4 address depends on a prefix we cannot know.
// Both are outside 2000::/3, as are ::1, 100::/64, fc00::/7, fe80::/10, fec0::/10 and ff00::/8.

/** Reports whether `text` (a literal, no brackets) is a unicast address of the public Internet. */
export function isPublicAddress(text: string): boolean {
  const ip = parseIp(text);
  // A zone id (`fe80::1%eth0`) names an interface of this machine: never a public place.
  if (ip === null || text.includes("%")) return false;
  const carrier = CARRIERS.find(({ block }) => isInBlock(ip, block));
  if (carrier) return isOutside(DENIED_V4, embeddedV4(ip, carrier.at));
  return isInBlock(ip, GLOBAL_V6) && isOutside(DENIED_V6, ip);
}

function isOutside(blocks: readonly IpBlock[], ip: Ip): boolean {
  return !blocks.some((block) => isInBlock(ip, block));
}
