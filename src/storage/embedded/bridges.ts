/**
 * Bridges in the embedded database. What a source published is one packed row of it. What the disk
 * does not take is kept in memory and written with what follows: no station waits for a disk.
 */
import type { Bridges } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";

type Change = Parameters<Bridges["save"]>[1];
/** Changes of one source that are not yet written; `first_seen_ms` null: it is. */
type Unsaved = {
  first_seen_ms: number | null;
  ids: Map<string, string | null>;
  seen: Uint8Array | null;
};

/** Prepares the bridges of a database. `onFault` is called for each write that fails. */
export function createBridges(
  database: DatabaseSync,
  onFault: (error: unknown) => void = () => undefined,
): Bridges {
  const table = createTable(database);
  const unsaved = new Map<string, Unsaved>();

  function unsavedOf(source_id: string): Unsaved {
    const made = unsaved.get(source_id) ?? { first_seen_ms: null, ids: new Map(), seen: null };
    unsaved.set(source_id, made);
    return made;
  }
  /** Writes all or nothing; a failure is tried again with the next change. */
  function write(): void {
    try {
      table.write(unsaved);
      unsaved.clear();
    } catch (error) {
      onFault(error);
    }
  }
  return {
    prepare: () => Promise.resolve(),
    meet(source_ids, now_ms) {
      for (const source_id of source_ids)
        if (table.firstSeen(source_id) === null) unsavedOf(source_id).first_seen_ms ??= now_ms;
      if (unsaved.size > 0) write();
      const firstSeen = (source_id: string): number =>
        unsaved.get(source_id)?.first_seen_ms ?? table.firstSeen(source_id)!;
      return new Map(source_ids.map((source_id) => [source_id, firstSeen(source_id)]));
    },
    listIds(source_id) {
      const ids = table.listIds(source_id);
      for (const [station_id, svc_id] of unsaved.get(source_id)?.ids ?? [])
        if (svc_id === null) ids.delete(station_id);
        else ids.set(station_id, svc_id);
      return ids;
    },
    recall: (source_id) => unsaved.get(source_id)?.seen ?? table.recall(source_id),
    save(source_id, { ids, seen }: Change) {
      const change = unsavedOf(source_id);
      for (const [station_id, svc_id] of ids) change.ids.set(station_id, svc_id);
      if (seen) change.seen = seen;
      write();
    },
  };
}

type Table = {
  /** null: it was never met. */
  firstSeen(source_id: string): number | null;
  listIds(source_id: string): Map<string, string>;
  recall(source_id: string): Uint8Array | null;
  /** Writes in one transaction. Throws as the database does. */
  write(changes: ReadonlyMap<string, Unsaved>): void;
};

function createTable(database: DatabaseSync): Table {
  const source = database.prepare("SELECT * FROM identity_source WHERE source_id = ?");
  const list = database.prepare("SELECT station_id, svc_id FROM bridge WHERE source_id = ?");
  const meet = database.prepare(
    "INSERT OR IGNORE INTO identity_source (source_id, first_seen_ms) VALUES (?, ?)",
  );
  const keep = database.prepare("UPDATE identity_source SET stations = ? WHERE source_id = ?");
  const put = database.prepare("INSERT OR REPLACE INTO bridge VALUES (?, ?, ?)");
  const drop = database.prepare("DELETE FROM bridge WHERE source_id = ? AND station_id = ?");

  function writeOne(source_id: string, { first_seen_ms, ids, seen }: Unsaved): void {
    if (first_seen_ms !== null) meet.run(source_id, first_seen_ms);
    for (const [station_id, svc_id] of ids)
      if (svc_id === null) drop.run(source_id, station_id);
      else put.run(source_id, station_id, svc_id);
    if (seen) keep.run(seen, source_id);
  }
  return {
    firstSeen: (source_id) => (source.get(source_id)?.["first_seen_ms"] as number) ?? null,
    listIds(source_id) {
      const rows = list.all(source_id) as { station_id: string; svc_id: string }[];
      return new Map(rows.map(({ station_id, svc_id }) => [station_id, svc_id]));
    },
    recall(source_id) {
      const stations = source.get(source_id)?.["stations"];
      return stations instanceof Uint8Array ? stations : null;
    },
    write: (changes) =>
      transact(database, () => {
        for (const [source_id, change] of changes) writeOne(source_id, change);
      }),
  };
}
