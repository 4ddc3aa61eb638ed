/** The bases of one question by name, with the pages that it looks at. */
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import type { MissingPage, PinnedPages } from "#ports/base-pages.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";

type Pinned = PinnedPages<{ geocoder: Geocoder | null }>;

/** A base that misses a page, and why. */
export type PinnedLoss = { id: string; reason: MissingPage["reason"] };

export class PinnedBases {
  readonly #end = new DisposableStack();
  readonly #pinned = new Map<GeocodingBase, Pinned[]>();

  /** Pins pages of a base besides those that it has pinned already. */
  async add(base: GeocodingBase, numbers: readonly number[], signal?: AbortSignal): Promise<void> {
    const before = this.#pinned.get(base);
    const open = before
      ? numbers.filter((number) => !before.some((each) => isOf(each, number)))
      : numbers;
    if (open.length === 0) return;
    const pages = this.#end.use(await base.pages.pin(open, signal));
    this.#pinned.set(base, before ? [...before, pages] : [pages]);
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
    const pinned = this.#pinned.get(base) ?? [];
    return pinned.flatMap(({ pages }) => pages.flatMap(({ page }) => page.geocoder ?? []));
  }

  /** Those of these numbers that were pinned, in the order of the numbers. */
  pagesOf(base: GeocodingBase, numbers: readonly number[]): Pinned["pages"] {
    const pages = (this.#pinned.get(base) ?? []).flatMap((pinned) => pinned.pages);
    return numbers.flatMap((number) => pages.find((page) => page.number === number) ?? []);
  }

  /** Bases of which a page was wanted and cannot be had, each once. */
  listLost(): PinnedLoss[] {
    return [...this.#pinned].flatMap(
      ([
        {
          statement: { id },
        },
        pinned,
      ]) => {
        const [first] = pinned.flatMap(({ missing }) => missing);
        return first ? [{ id, reason: first.reason }] : [];
      },
    );
  }

  [Symbol.dispose](): void {
    this.#end[Symbol.dispose]();
  }
}

function isOf({ pages, missing }: Pinned, number: number): boolean {
  return [...pages, ...missing].some((page) => page.number === number);
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
