/**
 * Keys of a client's address in the buckets (decisions, Authentication): the narrow one is the IPv4
 * address or the IPv6 /64. The wide one, IPv4 /24 and IPv6 /48, has eight times the limit: a caller
 * with a whole block is not limited by /64s.
 *
 * Strict: text that is no address has no key, so that a proxy's mistake or a caller's
 * `X-Forwarded-For: evil` is noticed and gets no limit of its own.
 */
import { type Ip, toV4Bytes } from "#core/ip.ts";
import type { Limit } from "./gcra.ts";

/**
 * A bucket; `block`: the same for those that are checked together, so that one place can hold them
 * all.
 */
export type Bucket = Limit & { key: string; block?: string };

export type AddressKeys = { narrow: string; wide: string };

/** Limit of the wide bucket, in multiples of the narrow one's. */
export const BLOCK_FACTOR = 8;

export function toAddressKeys(ip: Ip): AddressKeys {
  const v4 = toV4Bytes(ip);
  if (v4 !== null) {
    const [a, b, c, d] = v4;
    return { narrow: `${a}.${b}.${c}.${d}/32`, wide: `${a}.${b}.${c}.0/24` };
  }
  const [a, b, c, d] = ip.parts.map((part) => part.toString(16));
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
