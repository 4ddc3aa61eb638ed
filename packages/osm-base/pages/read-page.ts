/** Reads one page of a base, and finds out whether it is whole. */
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { hasPackPrefix, statedChecksum, sumPack } from "#kit/pack.ts";
import { problem } from "#kit/problem.ts";
import { BASE_FORMAT } from "../base/base-layout.ts";
import type { PageRow } from "./paged-layout.ts";

type ReadOptions = {
  signal?: AbortSignal | undefined;
  /** Lets others have the thread, while the checksum is worked out. */
  turn?: () => Promise<void>;
};

/**
 * The bytes of a page, in shared memory, for `openBasePack(bytes, true)`: their checksum has been
 * compared. Rejects with a `problem` that names the page and the cause.
 */
export async function readPage(
  ranges: ByteRanges,
  row: PageRow,
  { signal, turn }: ReadOptions = {},
): Promise<Uint8Array> {
  const bytes = await ranges.read(row.at, row.bytes, signal);
  const steps = sumPack(bytes);
  let step = steps.next();
  while (step.done !== true) {
    await turn?.();
    step = steps.next();
  }
  const sums = [step.value, statedChecksum(bytes)];
  if (hasPackPrefix(BASE_FORMAT, bytes) && sums.every((sum) => sum === row.checksum)) return bytes;
  throw problem(`page ${nameOfPage(row)}: damaged: its checksum is another one`);
}

/** `ground 11/1069/705 at byte 4096`. */
export function nameOfPage({ level, cell: { z, x, y }, at }: PageRow): string {
  return `${level} ${z}/${x}/${y} at byte ${at}`;
}
