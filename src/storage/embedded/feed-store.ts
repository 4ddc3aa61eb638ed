/** FeedStore in the embedded database: where each surveyed system is. */
import type { Box } from "#kit/geo.ts";
import type { FeedMemo, FeedStore } from "#ports.ts";
import { type DatabaseSync, writeUnsynced } from "#storage/embedded/database.ts";

type Row = Omit<FeedMemo, "box" | "areas"> & { [K in keyof Box]: number | null } & {
  areas: string | null;
};

export function createFeedStore(database: DatabaseSync): FeedStore {
  const list = database.prepare("SELECT * FROM feed_memo ORDER BY source_id");
  const put = database.prepare(
    `INSERT OR REPLACE INTO feed_memo
       (source_id, url, surveyed_at_ms, entity_count, south, west, north, east, areas)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    listMemos: () => (list.all() as unknown as Row[]).map(toMemo),
    putMemo({ source_id, url, surveyed_at_ms, entity_count, box, areas }) {
      const { south = null, west = null, north = null, east = null } = box ?? {};
      const parts = areas === undefined ? null : JSON.stringify(areas);
      writeUnsynced(database, () =>
        put.run(source_id, url, surveyed_at_ms, entity_count, south, west, north, east, parts),
      );
    },
    /** The database is shared with other stores, and closed with them. */
    close() {},
  };
}

function toMemo({
  source_id,
  url,
  surveyed_at_ms,
  entity_count,
  areas,
  ...corners
}: Row): FeedMemo {
  const { south, west, north, east } = corners;
  const isKnown = south !== null && west !== null && north !== null && east !== null;
  return {
    source_id,
    url,
    surveyed_at_ms,
    entity_count,
    box: isKnown ? { south, west, north, east } : null,
    ...(areas === null ? {} : { areas: JSON.parse(areas) as Box[] }),
  };
}
