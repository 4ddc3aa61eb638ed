/**
 * The pages of one base, read when questions pin them. A page that cannot be read is missing at the
 * places of its cell alone; why is logged once.
 */
import type { Logger } from "pino";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import type { Location } from "#kit/geo.ts";
import { attempt, detach, guard } from "#kit/guard.ts";
import { createTurn } from "#kit/run/turn.ts";
import { levelOfZoom, type PageCell } from "#osm/pages/page-cell.ts";
import type { PagedHead } from "#osm/pages/paged-head.ts";
import type { PageRow } from "#osm/pages/paged-layout.ts";
import { SearchMemories } from "#osm/walking.ts";
import { numbersAround } from "#osm/pages/near-pages.ts";
import { DAMAGE, nameOfPage, readWholePage } from "#osm/pages/read-page.ts";
import { toLat, toLon, FULL_BITS } from "#osm/tiles/grid.ts";
import type {
  BasePages,
  MissingPage,
  PageWish,
  PinnedPage,
  PinnedPages,
} from "#ports/base-pages.ts";
import { type OpenBase, openBase } from "./open-bases.ts";
import type { PageCache } from "./page-cache.ts";
import { createSlot, type LoadedPage, type PageFault, pageOf, type PageSlot } from "./page-slot.ts";

type Deps = { id: string; cache: PageCache<OpenBase>; log: Logger };
type Source = { head: PagedHead; ranges: ByteRanges };

/** A page that could not be read when it was last tried. */
export type FailedPage = { cell: PageCell; reason: PageFault; message: string };

const ONLY: readonly number[] = [0];
const NONE_MISSING: PinnedPages<OpenBase>["missing"] = [];

export class PagedPages implements BasePages<OpenBase> {
  readonly rows: readonly PageRow[];
  readonly #id: string;
  readonly #cache: PageCache<OpenBase>;
  readonly #log: Logger;
  readonly #head: PagedHead["meta"];
  /** Of searches for ways in one page. */
  readonly #memories = new SearchMemories();
  readonly #tables: PagedHead["tables"];
  readonly #ranges: ByteRanges;
  readonly #slots: readonly PageSlot<OpenBase>[];
  /** Whose checksum has been compared. */
  readonly #known = new Set<PageRow>();
  readonly #failed = new Map<PageRow, FailedPage>();
  #isClosed = false;

  constructor({ head, ranges }: Source, { id, cache, log }: Deps) {
    this.rows = head.meta.pages;
    this.#id = id;
    this.#cache = cache;
    this.#log = log;
    this.#head = head.meta;
    this.#tables = head.tables;
    this.#ranges = ranges;
    this.#slots = this.rows.map((row) =>
      createSlot(row.bytes, (signal) => this.#load(row, signal)),
    );
  }

  at({ lat, lon }: Location): number | null {
    if (this.rows.length === 1) return 0;
    return this.#tables.ground.at(Math.round(lat * 1e7), Math.round(lon * 1e7));
  }

  around(circle: Location & { radius_m: number }): readonly number[] {
    if (this.rows.length === 1) return ONLY;
    return numbersAround(this.#tables.ground, (number) => this.rows[number]!.cell, circle);
  }

  ofTile(z: number, x: number, y: number): readonly number[] {
    const size = 2 ** (FULL_BITS - z);
    const [lat, lon] = [toLat((y + 0.5) * size), toLon((x + 0.5) * size)];
    const number = this.#tables[levelOfZoom(z)].at(Math.round(lat * 1e7), Math.round(lon * 1e7));
    return number === null ? [] : [number];
  }

  pin(numbers: readonly number[], signal?: AbortSignal): Promise<PinnedPages<OpenBase>> {
    const pinned = this.pinHeld(numbers);
    if (pinned !== null) return Promise.resolve(pinned);
    return this.#pinSlowly(numbers, this.#slotsOf(numbers), signal);
  }

  pinHeld(numbers: readonly number[]): PinnedPages<OpenBase> | null {
    const slots = this.#slotsOf(numbers);
    if (!this.#cache.pinHeld(slots)) return null;
    return new Pin(this.#cache, slots, this.#pagesOf(numbers), NONE_MISSING);
  }

  /** Bases of one pack are in memory; all others of a deployment have one cache. */
  async pinTogether(
    wishes: readonly PageWish<OpenBase>[],
    signal?: AbortSignal,
  ): Promise<PinnedPages<OpenBase>[]> {
    const slots = wishes.flatMap(({ pages, numbers }) =>
      pages instanceof PagedPages ? pages.#slotsOf(numbers) : [],
    );
    const { pinned, missing } = await this.#cache.pin(slots, signal);
    const reasons = new Map(missing.map(({ slot, reason }) => [slot, reason]));
    const own = new Set(pinned);
    return await Promise.all(
      wishes.map(({ pages, numbers }) =>
        pages instanceof PagedPages
          ? Promise.resolve(pages.#toPin(numbers, own, reasons))
          : pages.pin(numbers, signal),
      ),
    );
  }

  /** Reads all of them in turn if there is room, so that the first questions need not wait. */
  async readAhead(signal: AbortSignal): Promise<void> {
    const bytes = this.rows.reduce((sum, row) => sum + row.bytes, 0);
    if (!this.#cache.hasRoom(bytes)) return;
    for (const number of this.rows.keys()) {
      if (signal.aborted || this.#isClosed || !this.#cache.hasRoom(this.rows[number]!.bytes))
        return;
      using _ = await this.pin([number], signal);
    }
  }

  listFailed(): readonly FailedPage[] {
    return [...this.#failed.values()];
  }

  /** Lets pages go that no question has. Questions that began with this base may read on. */
  retire(): void {
    this.#cache.retire(this.#slots);
  }

  /** No page is read any more; those that are pinned stay. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.retire();
    detach(this.#ranges.close(), (err) => this.#log.error({ err, base: this.#id }, "base"));
  }

  async #pinSlowly(
    numbers: readonly number[],
    slots: readonly PageSlot<OpenBase>[],
    signal?: AbortSignal,
  ): Promise<PinnedPages<OpenBase>> {
    const { pinned, missing } = await this.#cache.pin(slots, signal);
    const reasons = new Map(missing.map(({ slot, reason }) => [slot, reason]));
    return this.#toPin(numbers, new Set(pinned), reasons);
  }

  /** `pinned`: slots that the cache has pinned, and `reasons` why it has not, of this base and others. */
  #toPin(
    numbers: readonly number[],
    pinned: ReadonlySet<PageSlot<OpenBase>>,
    reasons: ReadonlyMap<PageSlot<OpenBase>, MissingPage["reason"]>,
  ): Pin {
    const own = numbers.filter((number) => pinned.has(this.#slots[number]!));
    const missing = numbers.flatMap((number) => {
      const reason = reasons.get(this.#slots[number]!);
      return reason === undefined ? [] : [{ number, cell: this.rows[number]!.cell, reason }];
    });
    return new Pin(this.#cache, this.#slotsOf(own), this.#pagesOf(own), missing);
  }

  #slotsOf(numbers: readonly number[]): PageSlot<OpenBase>[] {
    return numbers.map((number) => this.#slots[number]!);
  }

  #pagesOf(numbers: readonly number[]): PinnedPage<OpenBase>[] {
    return numbers.map((number) => ({
      number,
      cell: this.rows[number]!.cell,
      page: pageOf(this.#slots[number]!),
    }));
  }

  async #load(row: PageRow, signal: AbortSignal): Promise<LoadedPage<OpenBase>> {
    if (this.#isClosed) return { reason: "unreadable" };
    const is_known = this.#known.has(row);
    const read = await guard<Uint8Array | null, { error: unknown }>(
      () => readWholePage(this.#ranges, row, { signal, is_known, turn: createTurn({ signal }) }),
      (error) => ({ error }),
    );
    if (read !== null && "error" in read)
      return this.#fail(row, "unreadable", { cause: causeOf(read.error), err: read.error });
    const page =
      read &&
      attempt(
        () => openBase(read, true, { head: this.#head, memories: this.#memories }),
        (err) => this.#log.error({ err }),
      );
    if (!page) return this.#fail(row, "damaged", { cause: DAMAGE });
    this.#known.add(row);
    if (this.#failed.delete(row))
      this.#log.info({ base: this.#id, page: nameOfPage(row) }, "a page of the base is read again");
    return { page };
  }

  #fail(
    row: PageRow,
    reason: PageFault,
    { cause, ...more }: { cause: string; err?: unknown },
  ): { reason: PageFault } {
    const before = this.#failed.get(row);
    const message = `page ${nameOfPage(row)}: ${cause}`;
    this.#failed.set(row, { cell: row.cell, reason, message });
    // A base that is no longer in use has nothing to say.
    if (before?.reason !== reason && !this.#isClosed)
      this.#log.warn(
        { base: this.#id, page: nameOfPage(row), reason, ...more },
        `base ${this.#id}, ${message}: only places in its cell miss it`,
      );
    return { reason };
  }
}

function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class Pin implements PinnedPages<OpenBase> {
  readonly pages: PinnedPages<OpenBase>["pages"];
  readonly missing: PinnedPages<OpenBase>["missing"];
  readonly #cache: PageCache<OpenBase>;
  #slots: readonly PageSlot<OpenBase>[];

  constructor(
    cache: PageCache<OpenBase>,
    slots: readonly PageSlot<OpenBase>[],
    pages: Pin["pages"],
    missing: Pin["missing"],
  ) {
    this.#cache = cache;
    this.#slots = slots;
    this.pages = pages;
    this.missing = missing;
  }

  [Symbol.dispose](): void {
    const slots = this.#slots;
    this.#slots = [];
    this.#cache.release(slots);
  }
}
