/**
 * Ids of stored datasets (§4.8; decisions, Capabilities): `nearby_` + base32(UUIDv7 + the first 8
 * bytes of HMAC-SHA-256(secret, UUID + owner)). The tag proves that we issued the id to that owner,
 * also when nothing is stored under it any more. Time, chance and the secret come from outside.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decodeBase32, encodeBase32 } from "#kit/base32.ts";
import { toUuidV7, UUID_BYTES } from "#kit/uuid.ts";

/** The owner of what anonymous callers asked; no account has such an id. */
export const PUBLIC_OWNER = "public";
/** Bytes of the secret: made at the first start, kept in the store. */
export const DATASET_SECRET_BYTES = 32;

const PREFIX = "nearby_";
const TAG_BYTES = 8;
const encoder = new TextEncoder();

/** Makes an id. `owner`: an account's id, or `public`; `random`: ten bytes of a CSPRNG. */
export function newDatasetId(
  owner: string,
  issue: { secret: Uint8Array; now_ms: number; random: Uint8Array },
): string {
  const bytes = new Uint8Array(UUID_BYTES + TAG_BYTES);
  const uuid = toUuidV7(issue.now_ms, issue.random);
  bytes.set(uuid);
  bytes.set(tagOf(uuid, owner, issue.secret), UUID_BYTES);
  return PREFIX + encodeBase32(bytes);
}

/**
 * Finds the one of `owners` the id was issued to; null: to none of them, or it is no id at all.
 * Takes the same time whatever the tag: all owners are tried, and all bytes compared.
 */
export function findIssuedTo(
  id: string,
  owners: readonly string[],
  secret: Uint8Array,
): string | null {
  if (!id.startsWith(PREFIX)) return null;
  const bytes = decodeBase32(id.slice(PREFIX.length), UUID_BYTES + TAG_BYTES);
  if (!bytes) return null;
  const uuid = bytes.subarray(0, UUID_BYTES);
  const tag = bytes.subarray(UUID_BYTES);
  let text: string | null = null;
  for (const owner of owners) if (isEqual(tag, tagOf(uuid, owner, secret))) text = owner;
  return text;
}

/** A UUID is of a fixed length: no two owners run into one another. */
function tagOf(uuid: Uint8Array, owner: string, secret: Uint8Array): Uint8Array {
  const mac = hmac.create(sha256, secret).update(uuid).update(encoder.encode(owner));
  return mac.digest().subarray(0, TAG_BYTES);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}
