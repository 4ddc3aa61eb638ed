/**
 * A client's address as keys of buckets (decisions, Authentication). Beside it stands a wider bucket
 * with eight times the limit, IPv4 /24 and IPv6 /48: who has a whole block is not limited by /64s.
 *
 * Strict (RFC 4291 2.2, RFC 6943 3.1.1): what is no address has no key, so that a proxy's mistake
 * or a caller's `X-Forwarded-For: evil` is seen and not limited apart from everybody else.
 */
import type { Limit } from "./gcra.ts";

/** `block`: buckets that are asked together have the same, so that one place can hold them all. */
export type Bucket = Limit & { key: string; block?: string };

export type AddressKeys = { narrow: string; wide: string };

/** What the block around an address is allowed of anything, in multiples of what the address is. */
export const BLOCK_FACTOR = 8;
/** A full IPv6 address with a dotted tail has 45 characters; the rest is for a zone. */
const LENGTH_MAX = 80;
const V4_PART = /^(?:0|[1-9][0-9]{0,2})$/;
const V6_GROUP = /^[0-9A-Fa-f]{1,4}$/;
/** Names an interface of this machine (RFC 4007 11.2), and says nothing of who asks. */
const ZONE = /^[0-9A-Za-z._~-]+$/;

/** null: not an IP address. */
export function toAddressKeys(text: string): AddressKeys | null {
  if (text.length > LENGTH_MAX) return null;
  if (!text.includes(":")) return toV4Keys(parseV4(text));
  const groups = parseV6(withoutZone(text));
  if (!groups) return null;
  if (isMapped(groups)) return toV4Keys(groups.slice(6).flatMap((g) => [g >> 8, g & 255]));
  const [a, b, c, d] = groups.map((group) => group.toString(16));
  return { narrow: `${a}:${b}:${c}:${d}::/64`, wide: `${a}:${b}:${c}::/48` };
}

/** The two buckets of an address; `purpose` keeps limits of different kinds apart. */
export function toAddressBuckets(keys: AddressKeys, limit: Limit, purpose: string): Bucket[] {
  const { rate_per_s, burst } = limit;
  const wide = `${purpose}:${keys.wide}`;
  return [
    { key: `${purpose}:${keys.narrow}`, block: wide, rate_per_s, burst },
    {
      key: wide,
      block: wide,
      rate_per_s: rate_per_s * BLOCK_FACTOR,
      burst: burst * BLOCK_FACTOR,
    },
  ];
}

function toV4Keys(bytes: readonly number[] | null): AddressKeys | null {
  if (!bytes) return null;
  const [a, b, c, d] = bytes;
  return { narrow: `${a}.${b}.${c}.${d}/32`, wide: `${a}.${b}.${c}.0/24` };
}

/** Four bytes; a leading zero is refused, since some read such a part as octal. */
function parseV4(text: string): number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => V4_PART.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

/** "" when the zone is malformed, which is no address. */
function withoutZone(text: string): string {
  const at = text.indexOf("%");
  if (at < 0) return text;
  return ZONE.test(text.slice(at + 1)) ? text.slice(0, at) : "";
}

/** Eight groups. `::` stands for one group of zeros or more, once. */
function parseV6(text: string): number[] | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = [halves[0]!, halves[1]];
  const left = parseGroups(head, { last: tail === undefined });
  if (tail === undefined) return left?.length === 8 ? left : null;
  const right = parseGroups(tail, { last: true });
  if (!left || !right || left.length + right.length > 7) return null;
  const zeros = Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}

/** `last`: these are the last groups, of which a dotted IPv4 address may be two. */
function parseGroups(text: string, { last }: { last: boolean }): number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (V6_GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const bytes = last && i === parts.length - 1 ? parseV4(part) : null;
    if (!bytes) return null;
    groups.push(bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!);
  }
  return groups;
}

/** `::ffff:a.b.c.d`: how a socket of both families shows an IPv4 client. */
function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}
