/** Bounds of a feed in the form of a pack (core/feed-bounds). */
import { type BeyondBounds, FEED_BOUNDS } from "#core/feed-bounds.ts";
import { type Blob, largestPiece } from "#core/shard/bytes.ts";
import { headerBytesOf } from "#core/shard/flat.ts";
import type { Repeats } from "#core/shard/repeats.ts";

/** Returns the bound that a pack exceeds; null: none. */
export function exceededByPack(
  buffer: SharedArrayBuffer,
  { extras, repeats }: { extras: Blob; repeats: Repeats },
): BeyondBounds | null {
  if (headerBytesOf(buffer) > FEED_BOUNDS.facts_bytes) return "too_many_facts";
  const largest = Math.max(largestPiece(extras), largestPiece(repeats.texts));
  return largest > FEED_BOUNDS.extras_bytes ? "row_too_large" : null;
}
