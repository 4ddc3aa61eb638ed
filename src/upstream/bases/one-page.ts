/** A base that is one pack, as one page: it is in memory as long as the base is. */
import { WHOLE } from "#osm/pages/page-cell.ts";
import type { BasePages, PinnedPages } from "#ports/base-pages.ts";

const ROWS: BasePages<unknown>["rows"] = [{ level: "ground", cell: WHOLE }];
const ONLY: readonly number[] = [0];

export class OnePage<P> implements BasePages<P> {
  readonly rows: BasePages<P>["rows"] = ROWS;
  readonly #pinned: PinnedPages<P>;
  readonly #later: Promise<PinnedPages<P>>;

  constructor(page: P) {
    this.#pinned = {
      pages: [{ number: 0, cell: WHOLE, page }],
      missing: [],
      [Symbol.dispose]: () => undefined,
    };
    this.#later = Promise.resolve(this.#pinned);
  }

  at(): number {
    return 0;
  }

  around(): readonly number[] {
    return ONLY;
  }

  ofTile(): readonly number[] {
    return ONLY;
  }

  pin(): Promise<PinnedPages<P>> {
    return this.#later;
  }

  pinHeld(): PinnedPages<P> {
    return this.#pinned;
  }
}
