/** Ids of usage events; randomness is drawn for many at once, since one draw costs a microsecond. */
import { randomFillSync } from "node:crypto";
import { toEventId } from "#core/metering/event-id.ts";

const SIZE = 10;
const POOL = 512;

export function createEventIds(): (now_ms: number) => string {
  const pool = new Uint8Array(SIZE * POOL);
  let at = pool.length;
  return (now_ms) => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += SIZE;
    return toEventId(now_ms, pool.subarray(at - SIZE, at));
  };
}
