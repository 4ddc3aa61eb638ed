/** The schema as the list of its changes. Released entries never change; new ones are appended. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE feed_memo (
     source_id      TEXT PRIMARY KEY,
     url            TEXT NOT NULL,
     surveyed_at_ms INTEGER NOT NULL,
     entity_count   INTEGER NOT NULL,
     -- all null: no located entity
     south REAL, west REAL, north REAL, east REAL
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE identity_source (
     source_id     TEXT PRIMARY KEY,
     first_seen_ms INTEGER NOT NULL,
     -- deflated JSON of its stations; null: never read
     stations      BLOB
   ) STRICT;
   CREATE TABLE bridge (
     source_id  TEXT NOT NULL,
     station_id TEXT NOT NULL,
     svc_id     TEXT NOT NULL,
     PRIMARY KEY (source_id, station_id)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE transit_feed (
     feed_id        TEXT PRIMARY KEY,
     version        INTEGER NOT NULL,
     imported_at_ms INTEGER NOT NULL,
     etag           TEXT,
     last_modified  TEXT,
     -- deflated
     pack           BLOB NOT NULL
   ) STRICT`,
];
