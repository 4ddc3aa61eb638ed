/**
 * The pages of a base (docs/lab/pages.md). A question pins those that it looks at before it looks, and
 * lets them go when it has ended: what is pinned stays in memory, whatever else is read.
 */
import type { PageCell, PageLevel } from "#osm/pages/page-cell.ts";
import type { Location } from "#kit/geo.ts";

/** A page, opened. No reader keeps one beyond the pin that gave it. */
export type PinnedPage<P> = { number: number; cell: PageCell; page: P };

/** A page that a question wanted and cannot have. */
export type MissingPage = {
  number: number;
  cell: PageCell;
  /**
   * `damaged`, `unreadable`: it cannot be read until the base is imported again or its file can be read;
   * `busy`: no memory became free for it; `deadline`, `aborted`: the question's time was up before it was read.
   */
  reason: "damaged" | "unreadable" | "busy" | "deadline" | "aborted";
};

/** Disposing lets them go. */
export type PinnedPages<P> = Disposable & {
  /** In the order of their numbers, each once. */
  pages: readonly PinnedPage<P>[];
  missing: readonly MissingPage[];
};

type Circle = Location & { radius_m: number };

export type BasePages<P> = {
  /** All of them, by number. A base of one pack has one, whose cell is the world. */
  rows: readonly { level: PageLevel; cell: PageCell }[];
  /** Number of the `ground` page whose cell holds a point; null: no page does. */
  at(point: Location): number | null;
  /** Numbers of the `ground` pages whose cells a circle touches. */
  around(circle: Circle): readonly number[];
  /** Numbers of the pages that a tile of the map is drawn from. */
  ofTile(z: number, x: number, y: number): readonly number[];
  /** Never rejects: what cannot be had is `missing`. Those of a base in memory are there at once. */
  pin(numbers: readonly number[], signal?: AbortSignal): Promise<PinnedPages<P>>;
  /** The same without a wait; null, or absent: it is not known whether all of them are in memory. */
  pinHeld?(numbers: readonly number[]): PinnedPages<P> | null;
  /**
   * The same of several bases in one step, in the order of the wishes, so that no question keeps pages
   * of one base while it waits for those of another. Absent: its pages are always in memory.
   */
  pinTogether?(
    wishes: readonly PageWish<P>[],
    signal?: AbortSignal,
  ): Promise<readonly PinnedPages<P>[]>;
};

/** Pages of one base, by their numbers. */
export type PageWish<P> = { pages: BasePages<P>; numbers: readonly number[] };
