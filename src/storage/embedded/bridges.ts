/** Bridges in the embedded database. What a source published is one packed row of it. */
import type { Bridges } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";
import { packStations, unpackStations } from "#storage/stations.ts";

export function createBridges(database: DatabaseSync): Bridges {
  const source = database.prepare("SELECT * FROM identity_source WHERE source_id = ?");
  const meet = database.prepare(
    "INSERT OR IGNORE INTO identity_source (source_id, first_seen_ms) VALUES (?, ?)",
  );
  const keep = database.prepare("UPDATE identity_source SET stations = ? WHERE source_id = ?");
  const list = database.prepare("SELECT station_id, svc_id FROM bridge WHERE source_id = ?");
  const put = database.prepare("INSERT OR REPLACE INTO bridge VALUES (?, ?, ?)");
  const drop = database.prepare("DELETE FROM bridge WHERE source_id = ? AND station_id = ?");

  return {
    prepare: () => Promise.resolve(),
    meet(source_ids, now_ms) {
      const met = new Map<string, number>();
      transact(database, () => {
        for (const source_id of source_ids) {
          meet.run(source_id, now_ms);
          met.set(source_id, Number(source.get(source_id)?.["first_seen_ms"]));
        }
      });
      return met;
    },
    listIds(source_id) {
      const rows = list.all(source_id) as { station_id: string; svc_id: string }[];
      return new Map(rows.map(({ station_id, svc_id }) => [station_id, svc_id]));
    },
    recall(source_id) {
      const stations = source.get(source_id)?.["stations"];
      return stations instanceof Uint8Array ? unpackStations(stations) : null;
    },
    save(source_id, { ids, seen }) {
      transact(database, () => {
        for (const [station_id, svc_id] of ids)
          if (svc_id === null) drop.run(source_id, station_id);
          else put.run(source_id, station_id, svc_id);
        if (seen) keep.run(packStations(seen), source_id);
      });
    },
  };
}
