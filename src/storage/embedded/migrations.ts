/** The schemas as lists of changes. Released entries never change; new ones are appended. */

/** Schema of vicinity.db. */
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
  `CREATE TABLE account (
     id            TEXT PRIMARY KEY,
     name          TEXT NOT NULL,
     plan          TEXT NOT NULL,
     standing      TEXT NOT NULL CHECK (standing IN ('active', 'past_due', 'suspended')),
     created_at_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE api_key (
     id              TEXT PRIMARY KEY,
     account_id      TEXT NOT NULL REFERENCES account,
     name            TEXT,
     -- between commas
     scopes          TEXT NOT NULL,
     hash            BLOB NOT NULL UNIQUE,
     hint            TEXT NOT NULL,
     created_at_ms   INTEGER NOT NULL,
     expires_at_ms   INTEGER,
     revoked_at_ms   INTEGER,
     rotated_from    TEXT REFERENCES api_key,
     last_used_at_ms INTEGER
   ) STRICT, WITHOUT ROWID;
   -- By triggers, so that every write counts, whatever its origin. The last use of a key is none.
   CREATE TABLE account_version (
     one     INTEGER PRIMARY KEY CHECK (one = 1),
     version INTEGER NOT NULL
   ) STRICT;
   INSERT INTO account_version VALUES (1, 0);
   CREATE TRIGGER account_made AFTER INSERT ON account
     BEGIN UPDATE account_version SET version = version + 1; END;
   CREATE TRIGGER account_changed AFTER UPDATE ON account
     BEGIN UPDATE account_version SET version = version + 1; END;
   CREATE TRIGGER account_gone AFTER DELETE ON account
     BEGIN UPDATE account_version SET version = version + 1; END;
   CREATE TRIGGER api_key_made AFTER INSERT ON api_key
     BEGIN UPDATE account_version SET version = version + 1; END;
   CREATE TRIGGER api_key_changed
     AFTER UPDATE OF id, account_id, name, scopes, hash, hint, expires_at_ms, revoked_at_ms
     ON api_key
     BEGIN UPDATE account_version SET version = version + 1; END;
   CREATE TRIGGER api_key_gone AFTER DELETE ON api_key
     BEGIN UPDATE account_version SET version = version + 1; END`,
  `CREATE TABLE usage_event (
     event_id   TEXT PRIMARY KEY,
     account_id TEXT,
     key_id     TEXT,
     operation  TEXT NOT NULL,
     units      INTEGER NOT NULL,
     at_ms      INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX usage_event_at ON usage_event (at_ms);
   -- In the totals '' means no account and no key: a primary key holds no null.
   CREATE TABLE usage_day (
     day        TEXT NOT NULL,
     account_id TEXT NOT NULL,
     key_id     TEXT NOT NULL,
     operation  TEXT NOT NULL,
     units      INTEGER NOT NULL,
     requests   INTEGER NOT NULL,
     PRIMARY KEY (day, account_id, key_id, operation)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE usage_month (
     account_id TEXT NOT NULL,
     month      TEXT NOT NULL,
     units      INTEGER NOT NULL,
     requests   INTEGER NOT NULL,
     PRIMARY KEY (account_id, month)
   ) STRICT, WITHOUT ROWID`,
  `-- Who is metered for what, once; '' for no account and no key, as in the totals.
   CREATE TABLE usage_meter (
     meter      INTEGER PRIMARY KEY,
     account_id TEXT NOT NULL,
     key_id     TEXT NOT NULL,
     operation  TEXT NOT NULL,
     UNIQUE (account_id, key_id, operation)
   ) STRICT;
   INSERT INTO usage_meter (account_id, key_id, operation)
     SELECT DISTINCT ifnull(account_id, ''), ifnull(key_id, ''), operation FROM usage_event;
   -- In the order of its ids, which is mostly that of time: an event is added at the end.
   CREATE TABLE metered_event (
     event_id TEXT PRIMARY KEY,
     meter    INTEGER NOT NULL REFERENCES usage_meter,
     units    INTEGER NOT NULL,
     -- null: written before this was kept
     requests INTEGER,
     at_ms    INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO metered_event SELECT event_id, meter, units, NULL, at_ms
     FROM usage_event JOIN usage_meter
       ON usage_meter.account_id = ifnull(usage_event.account_id, '')
      AND usage_meter.key_id = ifnull(usage_event.key_id, '')
      AND usage_meter.operation = usage_event.operation;
   DROP TABLE usage_event;
   ALTER TABLE metered_event RENAME TO usage_event`,
  `CREATE TABLE transit_attempt (
     feed_id       TEXT PRIMARY KEY,
     etag          TEXT,
     last_modified TEXT,
     failures      INTEGER NOT NULL,
     retry_at_ms   INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID`,
  `-- JSON: the boxes of its parts, where it has distant ones
   ALTER TABLE feed_memo ADD COLUMN areas TEXT`,
  `CREATE TABLE provider_spend (
     provider TEXT NOT NULL,
     -- UTC, 2026-11-21
     day      TEXT NOT NULL,
     calls    INTEGER NOT NULL,
     PRIMARY KEY (provider, day)
   ) STRICT, WITHOUT ROWID`,
];

/** Schema of datasets.db. */
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
   -- By triggers, so that no row is miscounted, whatever writes it.
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
  `-- By which a retry finds its answer, also after a restart; for minutes.
   CREATE TABLE dataset_repeat (
     repeat_key BLOB PRIMARY KEY,
     dataset_id TEXT NOT NULL,
     made_at_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX dataset_repeat_age ON dataset_repeat (made_at_ms)`,
  `-- The end of the longer life of one that was read again; all else of a dataset never changes.
   ALTER TABLE dataset ADD COLUMN kept_until_ms INTEGER;
   DROP TRIGGER dataset_immutable;
   CREATE TRIGGER dataset_immutable BEFORE UPDATE OF id, owner, version, quota_key, created_at_ms,
     expires_at_ms, content_id, observation_digest, seal, observation, block_key, bytes ON dataset
     BEGIN SELECT RAISE(ABORT, 'a dataset never changes'); END;
   CREATE TRIGGER dataset_kept_on BEFORE UPDATE OF kept_until_ms ON dataset
     WHEN coalesce(new.kept_until_ms, 0) < coalesce(old.kept_until_ms, old.expires_at_ms)
     BEGIN SELECT RAISE(ABORT, 'the life of a dataset is never shortened'); END;
   DROP INDEX dataset_expiry;
   DROP INDEX dataset_quota;
   DROP INDEX dataset_block;
   CREATE INDEX dataset_end ON dataset (coalesce(kept_until_ms, expires_at_ms));
   CREATE INDEX dataset_quota ON dataset (quota_key, coalesce(kept_until_ms, expires_at_ms));
   CREATE INDEX dataset_block ON dataset (block_key, coalesce(kept_until_ms, expires_at_ms))
     WHERE block_key IS NOT NULL;
   CREATE INDEX dataset_kept ON dataset (quota_key, kept_until_ms) WHERE kept_until_ms IS NOT NULL;
   CREATE INDEX dataset_block_kept ON dataset (block_key, kept_until_ms)
     WHERE kept_until_ms IS NOT NULL`,
];
