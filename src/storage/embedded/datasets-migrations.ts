/** The schema of stored datasets as the list of its changes; see migrations.ts. */
export const DATASET_MIGRATIONS: readonly string[] = [
  `CREATE TABLE dataset_secret (
     one    INTEGER PRIMARY KEY CHECK (one = 1),
     secret BLOB NOT NULL
   ) STRICT;
   -- Equal bodies are stored once.
   CREATE TABLE content (
     content_id INTEGER PRIMARY KEY,
     -- SHA-256 of what was packed
     digest     BLOB NOT NULL UNIQUE,
     packed     BLOB NOT NULL
   ) STRICT;
   CREATE TABLE dataset (
     id                 TEXT PRIMARY KEY,
     owner              TEXT NOT NULL,
     version            TEXT NOT NULL,
     quota_key          TEXT NOT NULL,
     created_at_ms      INTEGER NOT NULL,
     expires_at_ms      INTEGER NOT NULL,
     content_id         INTEGER NOT NULL REFERENCES content,
     observation_digest BLOB NOT NULL,
     -- of the row and both digests
     seal               BLOB NOT NULL,
     observation        BLOB NOT NULL
   ) STRICT;
   CREATE INDEX dataset_expiry ON dataset (expires_at_ms);
   CREATE INDEX dataset_quota ON dataset (quota_key, expires_at_ms);
   CREATE INDEX dataset_content ON dataset (content_id);
   -- By triggers, so that no row is miscounted, whoever writes it.
   CREATE TABLE dataset_count (
     quota_key TEXT PRIMARY KEY,
     stored    INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TRIGGER dataset_put AFTER INSERT ON dataset BEGIN
     INSERT INTO dataset_count VALUES (new.quota_key, 1)
       ON CONFLICT (quota_key) DO UPDATE SET stored = stored + 1;
   END;
   CREATE TRIGGER dataset_forgotten AFTER DELETE ON dataset BEGIN
     UPDATE dataset_count SET stored = stored - 1 WHERE quota_key = old.quota_key;
     DELETE FROM dataset_count WHERE quota_key = old.quota_key AND stored = 0;
   END;
   CREATE TRIGGER dataset_immutable BEFORE UPDATE ON dataset
     BEGIN SELECT RAISE(ABORT, 'a dataset never changes'); END`,
  `-- Those from before this belong to no block and count no bytes; they expire like all others.
   ALTER TABLE dataset ADD COLUMN block_key TEXT;
   ALTER TABLE dataset ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX dataset_block ON dataset (block_key, expires_at_ms) WHERE block_key IS NOT NULL;
   -- Bytes of an owner's datasets: each with all of its content, shared or not.
   CREATE TABLE dataset_room (
     owner TEXT PRIMARY KEY,
     bytes INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TRIGGER dataset_room_taken AFTER INSERT ON dataset BEGIN
     INSERT INTO dataset_room VALUES (new.owner, new.bytes)
       ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
   END;
   CREATE TRIGGER dataset_room_released AFTER DELETE ON dataset BEGIN
     UPDATE dataset_room SET bytes = bytes - old.bytes WHERE owner = old.owner;
     DELETE FROM dataset_room WHERE owner = old.owner AND bytes <= 0;
   END;
   CREATE TRIGGER dataset_block_put AFTER INSERT ON dataset WHEN new.block_key IS NOT NULL BEGIN
     INSERT INTO dataset_count VALUES (new.block_key, 1)
       ON CONFLICT (quota_key) DO UPDATE SET stored = stored + 1;
   END;
   CREATE TRIGGER dataset_block_forgotten AFTER DELETE ON dataset WHEN old.block_key IS NOT NULL BEGIN
     UPDATE dataset_count SET stored = stored - 1 WHERE quota_key = old.block_key;
     DELETE FROM dataset_count WHERE quota_key = old.block_key AND stored = 0;
   END`,
];
