/**
 * The bases of a deployment, noticed when one was imported or removed. A base that cannot be read
 * leaves the one before in use.
 */
import type { Logger } from "pino";
import type { BaseStatementBody } from "#api/bases.ts";
import {
  DAMAGED,
  describeUnopenedBase,
  type UnopenedBase,
  type UnopenedPack,
} from "#osm/base/other-version.ts";
import type { BaseMap } from "#osm/tiles/open-tiles.ts";
import type { BasePages } from "#ports/base-pages.ts";
import { OnePage } from "./one-page.ts";
import { type OpenBase, openBase } from "./open-bases.ts";
import type { BaseFile, BaseStore } from "#ports/bases.ts";
import type { Clock } from "#ports.ts";
import { guard } from "#kit/guard.ts";
import { Shelf } from "#upstream/shelf.ts";

/** What is known of a base at once, and its pages. */
export type HeldBase = BaseFile &
  Pick<OpenBase, "meta" | "covers" | "coversCircle" | "borders"> & {
    statement: BaseStatementBody;
    hasNames: boolean;
    hasWalking: boolean;
    /** South, west, north, east in degrees; null: it has no map, or nothing is drawn. */
    map_box: BaseMap["box"];
    pages: BasePages<OpenBase>;
  };

/** A file that cannot be opened: of another version, damaged, or not readable. */
export type UnreadBase = BaseFile & UnopenedBase;

export type Bases = Pick<BaseShelf, "list" | "listUnread" | "start" | "notice" | "close">;

const NONE: readonly never[] = [];

/** Where bases are switched off. */
export const NO_BASES: Bases = {
  list: () => NONE,
  listUnread: () => NONE,
  start: () => Promise.resolve(),
  notice: () => Promise.resolve(),
  close: () => undefined,
};

type Deps = { store: BaseStore; clock: Clock; log: Logger };

export class BaseShelf extends Shelf {
  readonly #store: BaseStore;
  readonly #log: Logger;
  #stored: readonly HeldBase[] = [];
  #unread: readonly UnreadBase[] = [];

  constructor({ store, clock, log }: Deps) {
    super(clock);
    this.#store = store;
    this.#log = log;
  }

  /**
   * Lists bases in use: of two that cover a point, the one with the newer data comes first. The same
   * list until they change, by which others know that what they remember holds (borders.ts).
   */
  list(): readonly HeldBase[] {
    return this.#stored;
  }

  /** Lists files that are no base, or of another version. */
  listUnread(): readonly UnreadBase[] {
    return this.#unread;
  }

  protected override async look(): Promise<void> {
    const files = await this.#store.list();
    if (isSame(files, [...this.#stored, ...this.#unread])) return;
    const failed = new Map<string, UnopenedPack>();
    const read = await Promise.all(files.map((file) => this.#toHeld(file, failed)));
    if (this.isClosed) return;
    this.#stored = read.filter((base) => base !== null).sort(byAge);
    this.#unread = files
      .filter((_, i) => read[i]?.version !== files[i]!.version)
      .map((file) => ({ ...file, ...(failed.get(file.id) ?? DAMAGED) }));
    for (const { id, reason } of this.#unread)
      this.#log.warn({ base: id, reason }, sayUnread(id, reason));
  }

  protected override onFault(err: unknown): void {
    this.#log.error({ err }, "bases");
  }

  /** The base as the file has it, else as it was before; null: there was none. */
  async #toHeld(file: BaseFile, failed: Map<string, UnopenedPack>): Promise<HeldBase | null> {
    const before = this.#stored.find(({ id }) => id === file.id) ?? null;
    if (before?.version === file.version) return before;
    // One file that cannot be read keeps no other from being used.
    const opened = await guard(
      async () => {
        const bytes = await this.#store.read(file.id);
        const base = bytes && openBase(bytes);
        if (bytes && !base) failed.set(file.id, describeUnopenedBase(bytes));
        return base;
      },
      (err) => {
        this.#log.error({ err, base: file.id }, "base");
        return null;
      },
    );
    if (!opened) return before;
    this.#log.info({ base: file.id, bytes: file.bytes, data_at_s: opened.meta.data_at_s }, "base");
    return toHeld(file, opened);
  }
}

/** A base that is one pack. */
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
  };
}

function sayUnread(id: string, reason: UnreadBase["reason"]): string {
  const which = reason === "earlier_version" ? "an earlier" : "a later";
  const cause = reason === "damaged" ? "cannot be read" : `was imported by ${which} version`;
  return `base ${id} ${cause}: import it again (vicinity import osm FILE --id ${id})`;
}

function toStatement(id: string, { data_at_s, terms }: OpenBase["meta"]): BaseStatementBody {
  const data_at = data_at_s === null ? null : new Date(data_at_s * 1000).toISOString();
  const { licence = null, attribution = null } = terms ?? {};
  return { id, data_at, licence, attribution };
}

function isSame(files: readonly BaseFile[], entries: readonly BaseFile[]): boolean {
  const versions = new Map(entries.map(({ id, version }) => [id, version]));
  return (
    versions.size === files.length && files.every(({ id, version }) => versions.get(id) === version)
  );
}

function byAge(a: HeldBase, b: HeldBase): number {
  const age = (b.meta.data_at_s ?? 0) - (a.meta.data_at_s ?? 0);
  return age || (a.id < b.id ? -1 : 1);
}
