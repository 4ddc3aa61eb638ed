/** Bounds of a feed in the form of a pack (packages/kit/feed-bounds). */
import { type BeyondBounds, FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { BAND_DEG, type BandIndex } from "./band-index.ts";
import { type Blob, largestPiece } from "#kit/bytes.ts";
import { headerBytesOf } from "./flat.ts";
import type { RepeatedTexts } from "./shard-repeats.ts";

/** Returns the bound that a pack exceeds; null: none. */
export function exceededByPack(
  buffer: SharedArrayBuffer,
  { extras, repeats, index }: { extras: Blob; repeats: RepeatedTexts; index: BandIndex },
): BeyondBounds | null {
  if (headerBytesOf(buffer) > FEED_BOUNDS.facts_bytes) return "too_many_facts";
  const largest = Math.max(largestPiece(extras), largestPiece(repeats.texts));
  if (largest > FEED_BOUNDS.extras_bytes) return "row_too_large";
  return isCrowded(index, FEED_BOUNDS.dense_rows) ? "too_dense" : null;
}

/** Reports whether more rows than `most` lie in a square whose side is the height of a band. */
function isCrowded({ lat, lon, starts }: BandIndex, most: number): boolean {
  for (let band = 0; band + 1 < starts.length; band++) {
    const [start, end] = [starts[band]!, starts[band + 1]!];
    if (end - start <= most) continue;
    const wide_deg = BAND_DEG / Math.cos((lat[start]! * Math.PI) / 180);
    // Within a band rows are ordered by longitude.
    for (let row = start + most; row < end; row++)
      if (lon[row]! - lon[row - most]! < wide_deg) return true;
  }
  return false;
}
