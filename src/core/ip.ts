/**
 * IP addresses as text (RFC 4291 2.2, RFC 6943 3.1.1), read strictly: four decimal parts without
 * leading zeros, or IPv6, perhaps with a dotted tail and a zone. ipaddr.js does the arithmetic.
 *
 * All are of one family: an IPv4 address is its mapping into IPv6 (`::ffff:a.b.c.d`), which is also how
 * a socket of both families shows an IPv4 client.
 */
import ipaddr from "ipaddr.js";

export type Ip = ipaddr.IPv6;
/** An address, and how many of its leading bits count. */
export type IpBlock = readonly [start: Ip, bits: number];

/** A full IPv6 address with a dotted tail has 45 characters; the rest is for a zone. */
const LENGTH_MAX = 80;
/** Names an interface of this machine (RFC 4007 11.2), and says nothing about the address. */
const ZONE = /^([^%]*)%[0-9A-Za-z._~-]+$/;
const MAPPED = ipaddr.IPv6.parse("::ffff:0:0");
const MAPPED_BITS = 96;

/** The address without its zone; null: not an IP address. */
export function parseIp(text: string): Ip | null {
  if (text.length > LENGTH_MAX) return null;
  if (!text.includes(":")) {
    const v4 = parseV4(text);
    return v4 && toMapped(v4.octets);
  }
  const address = withoutDots(ZONE.exec(text)?.[1] ?? text);
  // The library has a rule of its own for zones, and takes fewer.
  if (address === null || address.includes("%")) return null;
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : null;
}

function parseV4(text: string): ipaddr.IPv4 | null {
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
}

/**
 * With a dotted tail as two groups; null: the tail is no IPv4 address. The library takes octal parts
 * there, and `::8.8.8.8` for `::ffff:8.8.8.8`, which is another address.
 */
function withoutDots(address: string): string | null {
  if (!address.includes(".")) return address;
  const at = address.lastIndexOf(":") + 1;
  const v4 = parseV4(address.slice(at));
  if (v4 === null) return null;
  const [a, b, c, d] = v4.octets as [number, number, number, number];
  return `${address.slice(0, at)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function toMapped(bytes: readonly number[]): Ip {
  const [a, b, c, d] = bytes as [number, number, number, number];
  return new ipaddr.IPv6([0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d]);
}

/** The four bytes of an IPv4 address; null: another address. */
export function toV4Bytes(ip: Ip): number[] | null {
  return ip.match(MAPPED, MAPPED_BITS) ? ip.toByteArray().slice(12) : null;
}

/** The IPv4 address in four of the sixteen bytes of an address. */
export function embeddedV4(ip: Ip, at: number): Ip {
  return toMapped(ip.toByteArray().slice(at, at + 4));
}

/** Parses `address/bits`, or one address. Throws on text that is no block. */
export function parseBlock(text: string): IpBlock {
  const [address = "", bits] = text.split("/");
  const start = parseIp(address);
  if (start === null) throw new TypeError(`${text} is no address block`);
  if (bits === undefined) return [start, 128];
  return [start, Number(bits) + (address.includes(":") ? 0 : MAPPED_BITS)];
}

export function isInBlock(ip: Ip, [start, bits]: IpBlock): boolean {
  return ip.match(start, bits);
}
