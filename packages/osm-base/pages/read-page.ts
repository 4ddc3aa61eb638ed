/** Reads one page of a base, and finds out whether it is whole. */
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { hasPackPrefix, statedChecksum, sumPack } from "#kit/pack.ts";
import { problem } from "#kit/problem.ts";
import { BASE_FORMAT } from "../base/base-layout.ts";
import type { PageRow } from "./paged-layout.ts";

type ReadOptions = {
  signal?: AbortSignal | undefined;
  /** Lets others have the thread, while the checksum is worked out. */
  turn?: (() => Promise<void> | undefined) | undefined;
  /** Its checksum was compared when it was read before: only its first bytes are looked at. */
  is_known?: boolean;
};

/**
 * The bytes of a page, in shared memory, for `openBasePack(bytes, true)`: their checksum has been
 * compared. Rejects with a `problem` that names the page and the cause.
 */
export async function readPage(
  ranges: ByteRanges,
  row: PageRow,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  const bytes = await readWholePage(ranges, row, options);
  if (bytes !== null) return bytes;
  throw problem(`page ${nameOfPage(row)}: ${DAMAGE}`);
}

/** What is wrong with a page that was read and is another one. */
export const DAMAGE = "damaged: its checksum is another one";

/** The same; null: the bytes that were read are not those of the page. */
export async function readWholePage(
  ranges: ByteRanges,
  row: PageRow,
  { signal, turn, is_known = false }: ReadOptions = {},
): Promise<Uint8Array | null> {
  const bytes = await ranges.read(row.at, row.bytes, signal);
  if (!hasPackPrefix(BASE_FORMAT, bytes) || statedChecksum(bytes) !== row.checksum) return null;
  if (is_known) return bytes;
  const steps = sumPack(bytes);
  let step = steps.next();
  while (step.done !== true) {
    await turn?.();
    step = steps.next();
  }
  return step.value === row.checksum ? bytes : null;
}

/** `ground 11/1069/705 at byte 4096`. */
export function nameOfPage({ level, cell: { z, x, y }, at }: PageRow): string {
  return `${level} ${z}/${x}/${y} at byte ${at}`;
}
