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
];
