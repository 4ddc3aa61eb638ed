/**
 * A paged base: one file of pages, each a packed base of the objects in and near one cell, behind a
 * head that says where they lie. All numbers are little-endian:
 *
 *   u32 magic · u32 version · f64 place of the head · f64 its bytes · u32 its checksum · u32 0
 *   the pages, each from a multiple of 8 on · the head, a pack (HEAD_FORMAT)
 *
 * The prefix is written last, so that a file that was cut while it was written is none.
 */
import type { PackFormat } from "#kit/pack.ts";
import { BASE_FORMAT, type BaseMeta } from "../base/base-layout.ts";
import type { PageCell, PageLevel } from "./page-cell.ts";

/** "VVB2". Of the version of its pages, so that a base whose pages are of another one says so. */
export const PAGED_FORMAT: PackFormat = { magic: 0x32425656, version: BASE_FORMAT.version };
/** "VVBH". */
export const HEAD_FORMAT: PackFormat = { magic: 0x48425656, version: 1 };
export const PREFIX_BYTES = 32;

/** One page as the head knows it. */
export type PageRow = {
  level: PageLevel;
  cell: PageCell;
  /** First byte in the file. */
  at: number;
  bytes: number;
  /** Of the page's bytes (packages/kit/pack.ts). */
  checksum: number;
};

/**
 * What the head says: the facts of the whole base, and its pages. Columns of the head: `cells`, the
 * coverage; `borders.*`, a geocoder of the areas of countries and regions; `names.*`, which of
 * several pages hold a word (geocoder/page-names.ts).
 */
export type PagedMeta = BaseMeta & { pages: readonly PageRow[] };
