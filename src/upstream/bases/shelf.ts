/**
 * The bases of a deployment: read from the store at the start, and again when one was imported or
 * removed, by whichever process (operation, VICINITY_DATA_DIR). A base that cannot be read leaves the
 * one before in use.
 */
import type { Logger } from "pino";
import type { BaseStatementBody } from "#api/bases.ts";
import {
  DAMAGED,
  describeUnopenedBase,
  type UnopenedBase,
  type UnopenedPack,
} from "#osm/base/other-version.ts";
import { type OpenBase, openBase } from "./open.ts";
import type { BaseFile, BaseStore } from "#ports/bases.ts";
import type { Clock } from "#ports.ts";
import { guard } from "#kit/guard.ts";

export type HeldBase = OpenBase & BaseFile & { statement: BaseStatementBody };

/** A file that cannot be opened: of another version, damaged, or not readable. */
export type UnreadBase = BaseFile & UnopenedBase;

export type Bases = {
  /**
   * Bases in use: of two that cover a point, the one with the newer data comes first. The same list
   * until they change, by which others know that what they remember holds (borders.ts).
   */
  list(): readonly HeldBase[];
  /** Files that are no base, or of another version. */
  listUnread(): readonly UnreadBase[];
  /** Resolves when the store was read once. */
  start(): Promise<void>;
  /** Reads the store now; resolves when that was tried. */
  notice(): Promise<void>;
  close(): void;
};

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

const NOTICE_MS = 4_000;

export function createBases({ store, clock, log }: Deps): Bases {
  let held: readonly HeldBase[] = [];
  let unread: readonly UnreadBase[] = [];
  let cancel = (): void => undefined;
  let closed = false;

  async function look(): Promise<void> {
    const files = await store.list();
    if (isSame(files, [...held, ...unread])) return;
    const failed = new Map<string, UnopenedPack>();
    const read = await Promise.all(files.map((file) => toHeld(file, failed)));
    if (closed) return;
    held = read.filter((base) => base !== null).sort(byAge);
    unread = files
      .filter((_, i) => read[i]?.version !== files[i]!.version)
      .map((file) => ({ ...file, ...(failed.get(file.id) ?? DAMAGED) }));
    for (const { id, reason } of unread) log.warn({ base: id, reason }, sayUnread(id, reason));
  }

  /** The base as the file has it, else as it was before; null: there was none. */
  async function toHeld(
    file: BaseFile,
    failed: Map<string, UnopenedPack>,
  ): Promise<HeldBase | null> {
    const before = held.find(({ id }) => id === file.id) ?? null;
    if (before?.version === file.version) return before;
    // One file that cannot be read keeps no other from being used.
    const opened = await guard(
      async () => {
        const bytes = await store.read(file.id);
        const base = bytes && openBase(bytes);
        if (bytes && !base) failed.set(file.id, describeUnopenedBase(bytes));
        return base;
      },
      (err) => {
        log.error({ err, base: file.id }, "base");
        return null;
      },
    );
    if (!opened) return before;
    log.info({ base: file.id, bytes: file.bytes, data_at_s: opened.meta.data_at_s }, "base");
    return { ...opened, ...file, statement: toStatement(file.id, opened.meta) };
  }

  /** A folder that cannot be read leaves what is held in use. */
  const notice = (): Promise<void> => guard(look, (err) => log.error({ err }, "bases"));
  const watch = async (): Promise<void> => {
    await notice();
    if (!closed) cancel = clock.schedule(clock.now() + NOTICE_MS, watch);
  };
  return {
    list: () => held,
    listUnread: () => unread,
    start: watch,
    notice,
    close() {
      closed = true;
      cancel();
    },
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

function isSame(files: readonly BaseFile[], known: readonly BaseFile[]): boolean {
  const versions = new Map(known.map(({ id, version }) => [id, version]));
  return (
    versions.size === files.length && files.every(({ id, version }) => versions.get(id) === version)
  );
}

function byAge(a: HeldBase, b: HeldBase): number {
  const age = (b.meta.data_at_s ?? 0) - (a.meta.data_at_s ?? 0);
  return age || (a.id < b.id ? -1 : 1);
}
