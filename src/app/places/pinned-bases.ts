/** The bases of one question by name, with the pages that it looks at. */
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import type { MissingPage, PageWish, PinnedPages } from "#ports/base-pages.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";

type Pinned = PinnedPages<{ geocoder: Geocoder | null }>;

/** A base that misses a page, and why. */
export type PinnedLoss = { id: string; reason: MissingPage["reason"] };

type Wish = { base: GeocodingBase; pages: readonly number[] };

export class PinnedBases {
  readonly #pinned = new Map<GeocodingBase, Pinned>();

  /**
   * Pins pages besides those that are pinned already: of bases that share memory all in one step, so
   * that a question that waits for a page keeps none from another question, and none from itself.
   */
  async add(wishes: readonly Wish[], signal?: AbortSignal): Promise<void> {
    const open = wishes.filter(({ base, pages }) => !this.#hasAll(base, pages));
    if (open.length === 0) return;
    const all = new Map(open.map(({ base }) => [base, new Set<number>()]));
    const isShared = open.some(({ base }) => base.pages.pinTogether !== undefined);
    for (const [base, { pages, missing }] of this.#pinned)
      if (all.has(base) || (isShared && base.pages.pinTogether !== undefined))
        all.set(base, new Set([...pages, ...missing].map(({ number }) => number)));
    for (const { base, pages } of open) for (const page of pages) all.get(base)!.add(page);
    for (const base of all.keys()) {
      this.#pinned.get(base)?.[Symbol.dispose]();
      this.#pinned.delete(base);
    }
    const together = [...all].map(([{ pages }, numbers]) => ({ pages, numbers: [...numbers] }));
    const pinned = await pinAll(together, signal);
    for (const [i, base] of [...all.keys()].entries()) this.#pinned.set(base, pinned[i]!);
  }

  #hasAll(base: GeocodingBase, wanted: readonly number[]): boolean {
    const pinned = this.#pinned.get(base);
    if (!pinned) return wanted.length === 0;
    const isKnown = (page: number): boolean =>
      pinned.pages.some(({ number }) => number === page) ||
      pinned.missing.some(({ number }) => number === page);
    return wanted.every(isKnown);
  }

  has(base: GeocodingBase): boolean {
    return this.#pinned.has(base);
  }

  /** Bases of which pages were pinned. */
  bases(): Iterable<GeocodingBase> {
    return this.#pinned.keys();
  }

  /** Geocoders of the pages of a base that were pinned; none: no page of it was, or can be had. */
  of(base: GeocodingBase): readonly Geocoder[] {
    return this.#pinned.get(base)?.pages.flatMap(({ page }) => page.geocoder ?? []) ?? [];
  }

  /** Those of these numbers that were pinned, in the order of the numbers. */
  pagesOf(base: GeocodingBase, numbers: readonly number[]): Pinned["pages"] {
    const pages = this.#pinned.get(base)?.pages ?? [];
    return numbers.flatMap((number) => pages.find((page) => page.number === number) ?? []);
  }

  /** Bases of which a page was wanted and cannot be had, each once. */
  listLost(): PinnedLoss[] {
    return [...this.#pinned].flatMap(([{ statement }, { missing }]) =>
      missing[0] ? [{ id: statement.id, reason: missing[0].reason }] : [],
    );
  }

  [Symbol.dispose](): void {
    const pinned = [...this.#pinned.values()];
    this.#pinned.clear();
    for (const each of pinned) each[Symbol.dispose]();
  }
}

type Wishes = readonly PageWish<{ geocoder: Geocoder | null }>[];

/** Those of bases in memory are pinned at once. */
async function pinAll(wishes: Wishes, signal?: AbortSignal): Promise<readonly Pinned[]> {
  const shared = wishes.find(({ pages }) => pages.pinTogether !== undefined);
  if (shared && wishes.length > 1) return await shared.pages.pinTogether!(wishes, signal);
  return await Promise.all(wishes.map(({ pages, numbers }) => pages.pin(numbers, signal)));
}

/** The pages of these bases that hold a point. */
export async function pinAt(
  bases: readonly GeocodingBase[],
  point: { lat: number; lon: number },
  signal?: AbortSignal,
): Promise<PinnedBases> {
  const pinned = new PinnedBases();
  const wishes = bases.flatMap((base): Wish[] => {
    const number = base.pages.at(point);
    return number === null ? [] : [{ base, pages: [number] }];
  });
  await pinned.add(wishes, signal);
  return pinned;
}
