/** A base in use: what is known of it at once, by its head, and its pages. */
import type { Logger } from "pino";
import type { BaseStatementBody } from "#api/bases.ts";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import type { PagedHead } from "#osm/pages/paged-head.ts";
import { NAMED_COLUMN, type Names, openNames } from "#osm/geocoder/open-names.ts";
import type { BaseMap } from "#osm/tiles/open-tiles.ts";
import type { BasePages } from "#ports/base-pages.ts";
import type { BaseFile } from "#ports/bases.ts";
import { OnePage } from "./one-page.ts";
import { type OpenBase, openBase } from "./open-bases.ts";
import type { PageCache } from "./page-cache.ts";
import { type FailedPage, PagedPages } from "./paged-pages.ts";

export type HeldBase = BaseFile &
  Pick<OpenBase, "meta" | "covers" | "coversCircle" | "borders"> & {
    statement: BaseStatementBody;
    hasNames: boolean;
    hasWalking: boolean;
    /** South, west, north, east in degrees; null: it has no map, or nothing is drawn. */
    map_box: BaseMap["box"];
    pages: BasePages<OpenBase>;
    /** Words of all of its pages; null: it has one. */
    words: Names | null;
    /** Pages that could not be read when they were last wanted. */
    listFailed(): readonly FailedPage[];
  };

/** As the shelf has it, which says when it ends. */
export type OpenedBase = HeldBase & {
  /** Of its head, which is in memory besides its pages; 0: it is one pack. */
  head_bytes: number;
  /** Reads all of its pages, if they fit in memory. */
  readAhead(signal: AbortSignal): Promise<void>;
  /** It was replaced or removed: pages go that no question has. */
  retire(): void;
  /** No page is read any more. */
  end(): void;
};

type Deps = { ranges: ByteRanges; cache: PageCache<OpenBase>; log: Logger };

/** Opens a base by its head. What it reads later, it reads of `ranges`. */
export function openHeld(file: BaseFile, head: PagedHead, deps: Deps): OpenedBase | null {
  if (head.whole !== null) {
    const base = openBase(head.whole, true);
    return base && { ...toHeld(file, base), ...NOTHING_TO_END };
  }
  const { meta, covers, coversCircle, borders } = head;
  const { ranges, cache, log } = deps;
  const pages = new PagedPages({ head, ranges }, { id: file.id, cache, log });
  const map = meta.sections["map"] as { box?: BaseMap["box"] } | undefined;
  return {
    ...file,
    ...{ meta, covers, coversCircle, borders, pages },
    statement: toStatement(file.id, meta),
    hasNames: "geocoder" in meta.sections,
    hasWalking: "walk" in meta.sections,
    map_box: map?.box ?? null,
    words: namesOf(head),
    head_bytes: head.bytes,
    listFailed: () => pages.listFailed(),
    readAhead: (signal) => pages.readAhead(signal),
    retire: () => pages.retire(),
    end: () => pages.close(),
  };
}

function namesOf({ meta, columns }: PagedHead): Names | null {
  const cells = meta.pages.map(({ cell }) => cell);
  return cells.length > 1 && NAMED_COLUMN in columns ? openNames(columns, cells) : null;
}

/** A base that is one pack, which is in memory as long as it is in use. */
export function toHeld(file: BaseFile, base: OpenBase): HeldBase {
  const { meta, covers, coversCircle, borders, geocoder, walker, map } = base;
  return {
    ...file,
    ...{ meta, covers, coversCircle, borders },
    statement: toStatement(file.id, meta),
    hasNames: geocoder !== null,
    hasWalking: walker !== null,
    map_box: map?.box ?? null,
    pages: new OnePage(base),
    words: null,
    listFailed: () => [],
  };
}

const NOTHING_TO_END: Pick<OpenedBase, "head_bytes" | "readAhead" | "retire" | "end"> = {
  head_bytes: 0,
  readAhead: () => Promise.resolve(),
  retire: () => undefined,
  end: () => undefined,
};

function toStatement(id: string, { data_at_s, terms }: OpenBase["meta"]): BaseStatementBody {
  const data_at = data_at_s === null ? null : new Date(data_at_s * 1000).toISOString();
  const { licence = null, attribution = null } = terms ?? {};
  return { id, data_at, licence, attribution };
}
