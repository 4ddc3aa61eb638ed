/** Ids of usage events; randomness is drawn for many at once, since one draw costs a microsecond. */
import { randomFillSync } from "node:crypto";
import { toUuidText, toUuidV7, UUID_RANDOM_BYTES } from "#core/uuid.ts";

const POOL = 512;

export function createEventIds(): (now_ms: number) => string {
  const pool = new Uint8Array(UUID_RANDOM_BYTES * POOL);
  let at = pool.length;
  return (now_ms) => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += UUID_RANDOM_BYTES;
    return toUuidText(toUuidV7(now_ms, pool.subarray(at - UUID_RANDOM_BYTES, at)));
  };
}
