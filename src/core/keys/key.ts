/**
 * Form of an API key (decisions, "Authentication, plans, metering"): a prefix, 43 base-62
 * characters of 256 random bits, and 6 of CRC-32 of what precedes, so that a typo is refused before
 * any store is asked.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { base62Digit, encodeBytes, encodeNumber } from "#core/keys/base62.ts";
import { crc32 } from "#core/keys/crc32.ts";

/** A key works in the mode that it was made in, and in no other. */
export const KEY_PREFIXES = { live: "svc_live_", sandbox: "svc_test_" } as const;
export type KeyPrefix = (typeof KEY_PREFIXES)[keyof typeof KEY_PREFIXES];

/** Bytes of randomness that a key is made of. */
export const SECRET_BYTES = 32;

const PREFIX_LENGTH = 9;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const CHECKED_LENGTH = PREFIX_LENGTH + SECRET_LENGTH;
const KEY_LENGTH = CHECKED_LENGTH + CHECKSUM_LENGTH;
const HINT_LENGTH = PREFIX_LENGTH + 4;

export type ParsedKey = { readonly prefix: KeyPrefix };

/** Made once: bad keys come in floods. */
const PARSED: readonly ParsedKey[] = Object.values(KEY_PREFIXES).map((prefix) => ({ prefix }));
const encoder = new TextEncoder();

/** The key of these 32 random bytes: no two of them make the same key. */
export function composeKey(prefix: KeyPrefix, random_bytes: Uint8Array): string {
  if (random_bytes.length !== SECRET_BYTES) throw new RangeError(`expected ${SECRET_BYTES} bytes`);
  const checked = prefix + encodeBytes(random_bytes, SECRET_LENGTH);
  const checksum = BigInt(crc32(checked, CHECKED_LENGTH));
  return checked + encodeNumber(checksum, CHECKSUM_LENGTH);
}

/** Parses a key; null: nothing that we ever made. Costs no allocation, and least where nothing fits. */
export function parseKey(text: string): ParsedKey | null {
  if (text.length !== KEY_LENGTH) return null;
  for (const parsed of PARSED)
    if (text.startsWith(parsed.prefix)) return hasChecksum(text) ? parsed : null;
  return null;
}

function hasChecksum(text: string): boolean {
  for (let i = PREFIX_LENGTH; i < CHECKED_LENGTH; i++)
    if (base62Digit(text.charCodeAt(i)) < 0) return false;
  let stated = 0;
  for (let i = CHECKED_LENGTH; i < KEY_LENGTH; i++) {
    const digit = base62Digit(text.charCodeAt(i));
    if (digit < 0) return false;
    stated = stated * 62 + digit;
  }
  return stated === crc32(text, CHECKED_LENGTH);
}

/** Returns what is stored in place of the key. */
export function hashKey(text: string): Uint8Array {
  return sha256(encoder.encode(text));
}

/** Prefix and the first four characters of the secret: enough for a person to recognise a key. */
export function hintOf(text: string): string {
  return text.slice(0, HINT_LENGTH);
}
