/** The bases of one question by name, with the pages that it looks at. */
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import type { MissingPage, PinnedPages } from "#ports/base-pages.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";

type Pinned = PinnedPages<{ geocoder: Geocoder | null }>;

/** A base that misses a page, and why. */
export type PinnedLoss = { id: string; reason: MissingPage["reason"] };

export class PinnedBases {
  readonly #pinned = new Map<GeocodingBase, Pinned>();

  /**
   * Pins pages of a base besides those that it has pinned already. All are pinned in one step, so that
   * a question that waits for a page keeps no other question from its pages.
   */
  async add(base: GeocodingBase, numbers: readonly number[], signal?: AbortSignal): Promise<void> {
    const before = this.#pinned.get(base);
    const known = before ? [...before.pages, ...before.missing].map(({ number }) => number) : [];
    const all = [...new Set([...known, ...numbers])];
    if (all.length === known.length) return;
    this.#pinned.delete(base);
    before?.[Symbol.dispose]();
    this.#pinned.set(base, await base.pages.pin(all, signal));
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

/** The pages of these bases that hold a point. */
export async function pinAt(
  bases: readonly GeocodingBase[],
  point: { lat: number; lon: number },
  signal?: AbortSignal,
): Promise<PinnedBases> {
  using unfinished = new DisposableStack();
  const pinned = unfinished.use(new PinnedBases());
  for (const base of bases) {
    const number = base.pages.at(point);
    if (number !== null) await pinned.add(base, [number], signal);
  }
  unfinished.move();
  return pinned;
}
