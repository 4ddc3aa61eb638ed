/** Ids of usage events: UUIDv7, so that ids of one time lie together in the store's index. */
import { toUuidV7 } from "#core/uuid.ts";

/** `random`: ten bytes, of which 74 bits are used. */
export function toEventId(at_ms: number, random: Uint8Array): string {
  const hex = toUuidV7(at_ms, random).toHex();
  return [0, 8, 12, 16, 20].map((at, i, cuts) => hex.slice(at, cuts[i + 1])).join("-");
}
