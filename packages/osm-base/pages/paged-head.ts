/**
 * The head of a base, read without its pages: what is known of the whole base, and where its pages
 * lie. A file of one pack, as bases were before there were pages, is a base of one page.
 */
import { type BaseBorders, openAreaBorders, openBorders } from "../base/base-borders.ts";
import { BASE_FORMAT, type BaseMeta } from "../base/base-layout.ts";
import { openBasePack, openCoverage, type BasePack } from "../base/open-base.ts";
import { DAMAGED, describeUnopenedBase, type UnopenedPack } from "../base/other-version.ts";
import type { GeocoderMeta } from "../geocoder/geocoder-section.ts";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { beginsPack, type Columns, MAX_PACK_BYTES, readPack, statedChecksum } from "#kit/pack.ts";
import { BORDERS, type BordersMeta } from "./borders-section.ts";
import { PAGE_LEVELS, type PageLevel, WHOLE } from "./page-cell.ts";
import { PageTable } from "./page-table.ts";
import {
  HEAD_FORMAT,
  PAGED_FORMAT,
  type PagedMeta,
  type PageRow,
  PREFIX_BYTES,
} from "./paged-layout.ts";
import { readPrefix } from "./paged-prefix.ts";

export type PagedHead = Pick<BasePack, "covers" | "coversCircle"> & {
  meta: PagedMeta;
  /** `cells`, `borders.*`, `names.*`; of a base that is one pack, all of it. */
  columns: Columns;
  /** null: no boundary of a country or a region is in it. */
  borders: BaseBorders | null;
  /** By level; the numbers are those of `meta.pages`. The page of a base that has one is that of each level. */
  tables: Readonly<Record<PageLevel, PageTable>>;
  /** Of the head, which stays in memory. */
  bytes: number;
  /** All of a base that is one pack, which is its only page and has been read; null: it has a head of its own. */
  whole: Uint8Array | null;
};

/** Of the pack that is a base of one page, in words of the head. */
const ONLY: Pick<PageRow, "level" | "cell" | "at"> = { level: "ground", cell: WHOLE, at: 0 };

/** A head, or why there is none: then it has a `reason`. Rejects where the bytes cannot be read. */
export async function openPagedHead(
  ranges: ByteRanges,
  signal?: AbortSignal,
): Promise<PagedHead | UnopenedPack> {
  if (ranges.bytes < PREFIX_BYTES) return DAMAGED;
  const first = await ranges.read(0, PREFIX_BYTES, signal);
  const prefix = readPrefix(first);
  if (prefix === null) {
    // Of what is no base nothing more is read, whatever its size.
    if (!beginsPack(BASE_FORMAT.magic, first, ranges.bytes)) return DAMAGED;
    return openWhole(await ranges.read(0, ranges.bytes, signal));
  }
  const { at, bytes, checksum, version } = prefix;
  // A head is the end of its file, so that one that was cut has none.
  const isSize = Number.isSafeInteger(bytes) && bytes > 0 && bytes <= MAX_PACK_BYTES;
  const isPlace = Number.isSafeInteger(at) && isSize;
  if (!isPlace || at < PREFIX_BYTES || at + bytes !== ranges.bytes) return DAMAGED;
  const head = await ranges.read(at, bytes, signal);
  if (statedChecksum(head) !== checksum) return DAMAGED;
  if (version !== PAGED_FORMAT.version) {
    const reason = version < PAGED_FORMAT.version ? "earlier_version" : "later_version";
    return describeUnopenedBase(head, HEAD_FORMAT, reason);
  }
  const pack = readPack<PagedMeta>(HEAD_FORMAT, head);
  if (pack === null) return describeUnopenedBase(head, HEAD_FORMAT);
  return toHead(pack, { bytes, whole: null, borders: openHeadBorders(pack) });
}

function openWhole(bytes: Uint8Array): PagedHead | UnopenedPack {
  const pack = openBasePack(bytes);
  if (pack === null) return describeUnopenedBase(bytes);
  const { meta, columns } = pack;
  const page = { ...ONLY, bytes: bytes.length, checksum: statedChecksum(bytes) ?? 0 };
  const geocoder = meta.sections["geocoder"] as GeocoderMeta | undefined;
  const borders = geocoder ? openBorders(columns, geocoder.areas) : null;
  const paged = { meta: { ...meta, pages: [page] }, columns };
  return toHead(paged, { bytes: bytes.length, whole: bytes, borders });
}

function toHead(
  pack: { meta: PagedMeta; columns: Columns },
  facts: Pick<PagedHead, "bytes" | "whole" | "borders">,
): PagedHead {
  return { ...pack, ...openCoverage(pack), ...facts, tables: tablesOf(pack.meta.pages) };
}

function tablesOf(pages: readonly PageRow[]): PagedHead["tables"] {
  const numbered = pages.map((page, number) => ({ ...page, number }));
  const tableOf = (level: PageLevel): PageTable => {
    const own = pages.length === 1 ? numbered : numbered.filter((page) => page.level === level);
    return new PageTable(
      own.map(({ cell }) => cell),
      own.map(({ number }) => number),
    );
  };
  const levels = Object.keys(PAGE_LEVELS) as PageLevel[];
  return Object.fromEntries(levels.map((level) => [level, tableOf(level)])) as PagedHead["tables"];
}

function openHeadBorders({
  meta,
  columns,
}: {
  meta: BaseMeta;
  columns: Columns;
}): BaseBorders | null {
  const own = meta.sections[BORDERS] as BordersMeta | undefined;
  if (own === undefined) return null;
  const start = `${BORDERS}.`;
  const named = Object.entries(columns).filter(([name]) => name.startsWith(start));
  const areas = Object.fromEntries(
    named.map(([name, column]) => [name.slice(start.length), column]),
  );
  return openAreaBorders(() => areas, own.areas);
}
