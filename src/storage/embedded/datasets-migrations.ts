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
];
