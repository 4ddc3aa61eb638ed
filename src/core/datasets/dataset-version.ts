/**
 * Version of a dataset: the content hash of its canonical JSON (decisions, Capabilities). `1-` names
 * the rule: base32 of SHA-256, first 26 characters, 130 bits (reliability 7.2).
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase32 } from "#kit/base32.ts";
import { canonicalJson } from "#kit/canonical-json.ts";

const RULE = "1-";
const LENGTH = 26;
const encoder = new TextEncoder();

type Hash = (bytes: Uint8Array) => Uint8Array;

/** Throws at what is no JSON. `hash` is SHA-256, where there is a faster one. */
export function versionOf(content: unknown, hash: Hash = sha256): string {
  const digest = hash(encoder.encode(canonicalJson(content)));
  return RULE + encodeBase32(digest).slice(0, LENGTH);
}
