/** Whether what a pack makes of a feed is within its bounds (core/feed-bounds). */
import { type BeyondBounds, FEED_BOUNDS } from "#core/feed-bounds.ts";
import { type Blob, largestPiece } from "#core/shard/bytes.ts";
import { headerBytesOf } from "#core/shard/flat.ts";

/** null: it is. */
export function exceededByPack(
  buffer: SharedArrayBuffer,
  { extras }: { extras: Blob },
): BeyondBounds | null {
  if (headerBytesOf(buffer) > FEED_BOUNDS.facts_bytes) return "too_many_facts";
  return largestPiece(extras) > FEED_BOUNDS.extras_bytes ? "row_too_large" : null;
}
