/**
 * The pages that a tile of the map is drawn from: of each base one, that of its level (page-cell.ts).
 * A tile of many bases has some of them pinned at a time, and lets them go when it has drawn them.
 */
import type { BaseMap } from "#osm/tiles/open-tiles.ts";
import { TileDraft } from "#osm/tiles/tile.ts";
import type { DrawnTile, PinnedTile } from "#ports/base-maps.ts";
import type { BasePages, PinnedPages } from "#ports/base-pages.ts";

export type Tile = { z: number; x: number; y: number };
type MapPages = Pick<BasePages<{ map: BaseMap | null }>, "ofTile" | "pin">;
type Pinned = PinnedPages<{ map: BaseMap | null }>;

/** Pages that a tile has pinned at once. */
export const PINNED_MAX = 16;

export class TilePages implements PinnedTile {
  readonly #tile: Tile;
  readonly #signal: AbortSignal | undefined;
  readonly #draft: TileDraft;
  /** Bases whose pages are yet to be drawn. */
  readonly #waiting: MapPages[];
  #pinned: Pinned[] = [];
  #lacks: DrawnTile["lacks"] = null;

  /** `bases`: the first are drawn first. */
  constructor(bases: readonly MapPages[], tile: Tile, signal?: AbortSignal) {
    this.#waiting = [...bases];
    this.#tile = tile;
    this.#signal = signal;
    this.#draft = new TileDraft(tile.z, tile.x, tile.y);
  }

  /** Pins as many pages as may be at once. */
  async pinMore(): Promise<void> {
    const { z, x, y } = this.#tile;
    const next = this.#waiting.splice(0, PINNED_MAX);
    const pins = next.map((pages) => pages.pin(pages.ofTile(z, x, y), this.#signal));
    this.#pinned = await Promise.all(pins);
    for (const { missing } of this.#pinned)
      for (const { reason } of missing) {
        const isLasting = reason === "damaged" || reason === "unreadable";
        this.#lacks = isLasting ? "unreadable" : (this.#lacks ?? "time");
      }
  }

  async draw(): Promise<DrawnTile> {
    while (this.#drawPinned() && this.#waiting.length > 0) {
      this[Symbol.dispose]();
      await this.pinMore();
    }
    return { bytes: this.#draft.finish(), lacks: this.#lacks };
  }

  [Symbol.dispose](): void {
    for (const pages of this.#pinned.splice(0)) pages[Symbol.dispose]();
  }

  /** false: the tile is full. */
  #drawPinned(): boolean {
    return this.#pinned.every(({ pages }) =>
      pages.every(({ page: { map } }) => map === null || this.#draft.draw(map)),
    );
  }
}
