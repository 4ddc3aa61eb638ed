/** The schema of bridges, as the list of its changes. */
export const BRIDGE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE identity_source (
     source_id     text COLLATE "C" PRIMARY KEY,
     first_seen_ms bigint NOT NULL,
     -- packed; null: never read
     stations      bytea,
     -- the transaction that wrote it, or a bridge of it, last: what other replicas ask by (changes.ts)
     changed       xid8 NOT NULL DEFAULT pg_current_xact_id()
   );
   ALTER TABLE identity_source ALTER COLUMN stations SET STORAGE EXTERNAL;
   CREATE INDEX identity_source_changed ON identity_source (changed);
   CREATE TABLE bridge (
     source_id  text COLLATE "C" NOT NULL,
     station_id text COLLATE "C" NOT NULL,
     svc_id     text COLLATE "C" NOT NULL,
     PRIMARY KEY (source_id, station_id)
   )`,
];
