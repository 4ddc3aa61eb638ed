/**
 * The bases of a deployment, noticed when one was imported or removed. A base that cannot be read
 * leaves the one before in use.
 */
import type { Logger } from "pino";
import { DAMAGED, type UnopenedBase, type UnopenedPack } from "#osm/base/other-version.ts";
import { openPagedHead } from "#osm/pages/paged-head.ts";
import type { OpenBase } from "./open-bases.ts";
import type { BaseFile, BaseStore } from "#ports/bases.ts";
import type { Clock } from "#ports.ts";
import { detach, guard } from "#kit/guard.ts";
import { Shelf } from "#upstream/shelf.ts";
import { type HeldBase, openHeld, type OpenedBase } from "./held-base.ts";
import { PageCache, type PageFacts } from "./page-cache.ts";

/** A file that cannot be opened: of another version, damaged, or not readable. */
export type UnreadBase = BaseFile & UnopenedBase;

export type Bases = Pick<
  BaseShelf,
  "list" | "listUnread" | "pageFacts" | "start" | "notice" | "close"
>;

const NONE: readonly never[] = [];

const NO_PAGES: PageFacts = {
  ...{ bytes_max: 0, bytes: 0, pinned_bytes: 0, pages: 0 },
  ...{ hits: 0, reads: 0, evictions: 0, waits: 0 },
};

/** Where bases are switched off. */
export const NO_BASES: Bases = {
  list: () => NONE,
  listUnread: () => NONE,
  pageFacts: () => NO_PAGES,
  start: () => Promise.resolve(),
  notice: () => Promise.resolve(),
  close: () => undefined,
};

type Deps = {
  store: BaseStore;
  clock: Clock;
  log: Logger;
  /** How many bytes of pages, and of the heads by which they are found, stay in memory. */
  memory_bytes: number;
  /** Receives each page that is no longer kept. */
  onGone?: (page: OpenBase) => void;
};

/** A question that began with a base that was replaced may read its pages for so long. */
const GRACE_MS = 60_000;

export class BaseShelf extends Shelf {
  readonly #store: BaseStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #cache: PageCache<OpenBase>;
  readonly #stopped = new AbortController();
  #stored: readonly OpenedBase[] = [];
  #unread: readonly UnreadBase[] = [];
  /** Replaced or removed, and not closed yet. */
  readonly #retired = new Map<OpenedBase, () => void>();

  constructor({ store, clock, log, memory_bytes, onGone }: Deps) {
    super(clock);
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    const onFault = (err: unknown): void => this.onFault(err);
    this.#cache = new PageCache({ bytes_max: memory_bytes, clock, onFault, onGone });
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

  /** What pages of bases take in memory. */
  pageFacts(): Readonly<PageFacts> {
    return this.#cache.facts;
  }

  override close(): void {
    super.close();
    this.#stopped.abort();
    for (const cancel of this.#retired.values()) cancel();
    for (const base of [...this.#retired.keys(), ...this.#stored]) base.end();
    this.#retired.clear();
  }

  protected override async look(): Promise<void> {
    const files = await this.#store.list();
    if (isSame(files, [...this.#stored, ...this.#unread])) return;
    const failed = new Map<string, UnopenedPack>();
    const read = await Promise.all(files.map((file) => this.#toHeld(file, failed)));
    if (this.isClosed) return read.forEach((base) => base?.end());
    const before = this.#stored;
    this.#stored = read.filter((base) => base !== null).sort(byAge);
    for (const base of before) if (!this.#stored.includes(base)) this.#retire(base);
    this.#cache.reserve(this.#stored.reduce((sum, { head_bytes }) => sum + head_bytes, 0));
    detach(this.#readAhead(before), (err) => this.onFault(err));
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
  async #toHeld(file: BaseFile, failed: Map<string, UnopenedPack>): Promise<OpenedBase | null> {
    const before = this.#stored.find(({ id }) => id === file.id) ?? null;
    if (before?.version === file.version) return before;
    // One file that cannot be read keeps no other from being used.
    const opened = await guard(
      () => this.#open(file, failed),
      (err) => {
        this.#log.error({ err, base: file.id }, "base");
        return null;
      },
    );
    if (!opened) return before;
    this.#log.info({ base: file.id, bytes: file.bytes, data_at_s: opened.meta.data_at_s }, "base");
    return opened;
  }

  async #open(file: BaseFile, failed: Map<string, UnopenedPack>): Promise<OpenedBase | null> {
    const ranges = await this.#store.open(file.id);
    if (ranges === null) return null;
    await using unused = new AsyncDisposableStack();
    unused.defer(() => ranges.close());
    const head = await openPagedHead(ranges, this.#stopped.signal);
    if ("reason" in head) {
      failed.set(file.id, head);
      return null;
    }
    const base = openHeld(file, head, { ranges, cache: this.#cache, log: this.#log });
    if (head.whole === null) unused.move();
    return base;
  }

  /** Pages of bases that have come and fit in memory are there before they are asked for. */
  async #readAhead(before: readonly OpenedBase[]): Promise<void> {
    for (const base of this.#stored)
      if (!before.includes(base)) await base.readAhead(this.#stopped.signal);
  }

  #retire(base: OpenedBase): void {
    base.retire();
    const close = (): void => {
      this.#retired.delete(base);
      base.end();
    };
    this.#retired.set(base, this.#clock.schedule(this.#clock.now() + GRACE_MS, close));
  }
}

function sayUnread(id: string, reason: UnreadBase["reason"]): string {
  const which = reason === "earlier_version" ? "an earlier" : "a later";
  const cause = reason === "damaged" ? "cannot be read" : `was imported by ${which} version`;
  return `base ${id} ${cause}: import it again (vicinity import osm FILE --id ${id})`;
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
