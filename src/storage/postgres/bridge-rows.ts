/** The statements of bridges. Rows of sources are locked in the order of their ids. */
import type { Pool, Query } from "./pool.ts";

/** A source as it is stored. */
export type SourceRow = {
  source_id: string;
  first_seen_ms: number;
  /** Packed; null: never read. */
  stations: Uint8Array | null;
  /** The transaction that wrote it. */
  changed: string;
  /** Station key → id. */
  ids: Map<string, string>;
};

/** Changes to write for one source. */
export type SourceChange = {
  first_seen_ms: number;
  /** null: as they are. */
  stations: Uint8Array | null;
  /** null: removed. */
  ids: Map<string, string | null>;
};

/** A packed list of stations is some kilobytes; an answer stays within a MB or two. */
const LOAD_BATCH = 100;

/** Adds the sources that are missing; the first one's time is kept. Rejects as the pool does. */
export async function meetSources(
  pool: Pick<Pool, "query">,
  first_seen: ReadonlyMap<string, number>,
): Promise<void> {
  const sorted = [...first_seen].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await pool.query(
    `INSERT INTO identity_source (source_id, first_seen_ms)
       SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT (source_id) DO NOTHING`,
    [sorted.map(([id]) => id), sorted.map(([, ms]) => ms)],
  );
}

/** Reads sources in batches, as they come. Rejects as the pool does. */
export async function* readSources(
  pool: Pick<Pool, "query">,
  source_ids: readonly string[],
): AsyncGenerator<SourceRow> {
  for (let from = 0; from < source_ids.length; from += LOAD_BATCH) {
    const wanted = [source_ids.slice(from, from + LOAD_BATCH)];
    // Its `changed` before its bridges: what is written in between is asked for once more.
    const sources = await pool.query<Omit<SourceRow, "ids">>(
      `SELECT source_id, first_seen_ms, stations, changed::text AS changed FROM identity_source
         WHERE source_id = ANY($1)`,
      wanted,
    );
    const bridges = await pool.query<{ source_id: string; station_id: string; svc_id: string }>(
      "SELECT source_id, station_id, svc_id FROM bridge WHERE source_id = ANY($1)",
      wanted,
    );
    const ids = Map.groupBy(bridges, ({ source_id }) => source_id);
    for (const source of sources) {
      const own_id = ids.get(source.source_id) ?? [];
      yield { ...source, ids: new Map(own_id.map((row) => [row.station_id, row.svc_id])) };
    }
  }
}

/**
 * Writes sources in a transaction that the other replicas are notified of. Returns by source the
 * transaction that had written it last, and the one that has done so now.
 */
export async function writeSources(
  query: Query,
  changes: ReadonlyMap<string, SourceChange>,
): Promise<{ before: Map<string, string>; changed: string }> {
  const sorted = [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const source_ids = sorted.map(([id]) => id);
  type Locked = { source_id: string; changed: string };
  const before = await query<Locked>(LOCK, [source_ids]);
  const after = await query<Locked>(PUT_SOURCES, [
    source_ids,
    sorted.map(([, { first_seen_ms }]) => first_seen_ms),
    sorted.map(([, { stations }]) => stations),
  ]);
  await writeBridges(query, sorted);
  await query("SELECT pg_notify(current_schema() || '_bridges', '')", []);
  return {
    before: new Map(before.map(({ source_id, changed }) => [source_id, changed])),
    changed: after[0]!.changed,
  };
}

async function writeBridges(
  query: Query,
  changes: readonly (readonly [source_id: string, change: SourceChange])[],
): Promise<void> {
  const bridges = changes.flatMap(([source_id, { ids }]) =>
    [...ids].map(([station_id, svc_id]) => ({ source_id, station_id, svc_id })),
  );
  const [removed, put] = [true, false].map((gone) =>
    bridges.filter(({ svc_id }) => (svc_id === null) === gone),
  ) as [typeof bridges, typeof bridges];
  const keys = (rows: typeof bridges): string[][] => [
    rows.map(({ source_id }) => source_id),
    rows.map(({ station_id }) => station_id),
  ];
  if (removed.length > 0) await query(REMOVE, keys(removed));
  if (put.length > 0) await query(PUT_BRIDGES, [...keys(put), put.map(({ svc_id }) => svc_id)]);
}

const LOCK = `
  SELECT source_id, changed::text AS changed FROM identity_source
    WHERE source_id = ANY($1) ORDER BY source_id FOR UPDATE`;

const PUT_SOURCES = `
  INSERT INTO identity_source AS kept (source_id, first_seen_ms, stations)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])
    ON CONFLICT (source_id) DO UPDATE SET
      stations = coalesce(excluded.stations, kept.stations), changed = pg_current_xact_id()
    RETURNING source_id, changed::text AS changed`;

const REMOVE = `
  DELETE FROM bridge USING unnest($1::text[], $2::text[]) AS gone (source_id, station_id)
    WHERE bridge.source_id = gone.source_id AND bridge.station_id = gone.station_id`;

const PUT_BRIDGES = `
  INSERT INTO bridge (source_id, station_id, svc_id)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
    ON CONFLICT (source_id, station_id) DO UPDATE SET svc_id = excluded.svc_id`;
