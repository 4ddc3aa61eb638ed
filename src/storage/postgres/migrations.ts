/**
 * The schema as lists of changes, one list a module, each counted by itself. Released entries never
 * change; new ones are appended. While an update rolls through a fleet, replicas of the version
 * before go on over the new schema: so an entry adds, and what it makes needless is dropped a release
 * later.
 */

/** Lists of changes by module; their statements run in order, in the mode's schema. */
export type Modules = Readonly<Record<string, readonly string[]>>;

const ACCOUNT_MIGRATIONS: readonly string[] = [
  `CREATE TABLE account (
     id            text COLLATE "C" PRIMARY KEY,
     name          text NOT NULL,
     plan          text NOT NULL,
     standing      text NOT NULL CHECK (standing IN ('active', 'past_due', 'suspended')),
     created_at_ms bigint NOT NULL
   );
   CREATE TABLE api_key (
     id              text COLLATE "C" PRIMARY KEY,
     account_id      text COLLATE "C" NOT NULL REFERENCES account,
     name            text,
     -- between commas
     scopes          text NOT NULL,
     hash            bytea NOT NULL UNIQUE,
     hint            text NOT NULL,
     created_at_ms   bigint NOT NULL,
     expires_at_ms   bigint,
     revoked_at_ms   bigint,
     rotated_from    text COLLATE "C" REFERENCES api_key,
     last_used_at_ms bigint
   );
   -- By triggers, so that every write counts, whatever its origin. The last use of a key is none.
   -- The row is raised in the transaction of the write, so that a reader who sees the version sees
   -- the write, and the notice leaves with the commit.
   CREATE TABLE account_version (
     one     integer PRIMARY KEY CHECK (one = 1),
     version bigint NOT NULL
   );
   INSERT INTO account_version VALUES (1, 0);
   CREATE FUNCTION raise_account_version() RETURNS trigger LANGUAGE plpgsql AS $body$
   DECLARE raised bigint;
   BEGIN
     EXECUTE format(
       'UPDATE %I.account_version SET version = version + 1 RETURNING version', TG_TABLE_SCHEMA
     ) INTO raised;
     PERFORM pg_notify(TG_TABLE_SCHEMA || '_accounts', raised::text);
     RETURN NULL;
   END $body$;
   CREATE TRIGGER account_written AFTER INSERT OR UPDATE OR DELETE ON account
     FOR EACH ROW EXECUTE FUNCTION raise_account_version();
   CREATE TRIGGER account_emptied AFTER TRUNCATE ON account
     FOR EACH STATEMENT EXECUTE FUNCTION raise_account_version();
   CREATE TRIGGER api_key_made AFTER INSERT OR DELETE ON api_key
     FOR EACH ROW EXECUTE FUNCTION raise_account_version();
   CREATE TRIGGER api_key_changed
     AFTER UPDATE OF id, account_id, name, scopes, hash, hint, expires_at_ms, revoked_at_ms
     ON api_key FOR EACH ROW EXECUTE FUNCTION raise_account_version();
   CREATE TRIGGER api_key_emptied AFTER TRUNCATE ON api_key
     FOR EACH STATEMENT EXECUTE FUNCTION raise_account_version()`,
  // The notice names what was written, so that replicas need not read everything again: the
  // version, and behind a space `a` and the id of an account, or `k` and the hash of a key. Without
  // a name (all rows at once, or one that got another id or hash): anything.
  `CREATE OR REPLACE FUNCTION raise_account_version() RETURNS trigger LANGUAGE plpgsql AS $body$
   DECLARE
     raised bigint;
     written record;
     named text := '';
   BEGIN
     EXECUTE format(
       'UPDATE %I.account_version SET version = version + 1 RETURNING version', TG_TABLE_SCHEMA
     ) INTO raised;
     IF TG_LEVEL = 'ROW' THEN
       IF TG_OP = 'DELETE' THEN written := OLD; ELSE written := NEW; END IF;
       IF TG_TABLE_NAME = 'account' THEN
         named := ' a' || written.id;
         IF TG_OP = 'UPDATE' AND OLD.id <> NEW.id THEN named := ''; END IF;
       ELSE
         named := ' k' || encode(written.hash, 'hex');
         IF TG_OP = 'UPDATE' AND OLD.hash <> NEW.hash THEN named := ''; END IF;
       END IF;
     END IF;
     -- A notice has at most 8,000 bytes, and one that is longer would undo the write.
     IF octet_length(named) > 1000 THEN named := ''; END IF;
     PERFORM pg_notify(TG_TABLE_SCHEMA || '_accounts', raised::text || named);
     RETURN NULL;
   END $body$`,
];

/**
 * Reliability 6.3. In the totals '' is no account and no key: a primary key holds no null.
 */
const USAGE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE usage_event (
     event_id   text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C",
     key_id     text COLLATE "C",
     operation  text COLLATE "C" NOT NULL,
     units      bigint NOT NULL,
     requests   bigint NOT NULL,
     at_ms      bigint NOT NULL
   );
   CREATE INDEX usage_event_at ON usage_event (at_ms);
   -- Room on the pages: a total that is raised stays on its page, and no index changes.
   CREATE TABLE usage_day (
     day        text COLLATE "C" NOT NULL,
     account_id text COLLATE "C" NOT NULL,
     key_id     text COLLATE "C" NOT NULL,
     operation  text COLLATE "C" NOT NULL,
     units      bigint NOT NULL,
     requests   bigint NOT NULL,
     PRIMARY KEY (day, account_id, key_id, operation)
   ) WITH (fillfactor = 50);
   CREATE TABLE usage_month (
     account_id text COLLATE "C" NOT NULL,
     month      text COLLATE "C" NOT NULL,
     units      bigint NOT NULL,
     requests   bigint NOT NULL,
     -- the transaction that raised it last: what other replicas ask by (changes.ts)
     changed    xid8 NOT NULL DEFAULT pg_current_xact_id(),
     PRIMARY KEY (account_id, month)
   ) WITH (fillfactor = 50);
   CREATE INDEX usage_month_changed ON usage_month (changed)`,
  `-- Units of an account in a day, for plans by the day; as usage_month.
   CREATE TABLE usage_account_day (
     account_id text COLLATE "C" NOT NULL,
     day        text COLLATE "C" NOT NULL,
     units      bigint NOT NULL,
     changed    xid8 NOT NULL DEFAULT pg_current_xact_id(),
     PRIMARY KEY (account_id, day)
   ) WITH (fillfactor = 50);
   CREATE INDEX usage_account_day_changed ON usage_account_day (changed);
   -- The days that a quota may still be asked of.
   INSERT INTO usage_account_day (account_id, day, units)
     SELECT account_id, day, sum(units)::bigint FROM usage_day
       WHERE day >= to_char(now() AT TIME ZONE 'UTC' - interval '2 days', 'YYYY-MM-DD')
       GROUP BY 1, 2;
   -- Units that requests under way have reserved, of accounts whose plan is exact.
   CREATE TABLE usage_reservation (
     -- of the event with which it ends
     event_id   text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     units      bigint NOT NULL,
     expires_at timestamptz NOT NULL
   );
   CREATE INDEX usage_reservation_account ON usage_reservation (account_id)`,
  // Requests of an account take turns. Each statement of the body sees what was committed before it
  // began, and so what the one before has reserved. A reservation counts whatever the period: its
  // answer is counted in the period in which it comes.
  `CREATE FUNCTION reserve_units(
     of_event text, of_account text, of_period text, wanted bigint, most bigint, life_ms bigint
   ) RETURNS TABLE (granted boolean, units_left bigint) LANGUAGE plpgsql AS $body$
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || of_account, 1));
     DELETE FROM usage_reservation
       WHERE account_id = of_account AND expires_at <= clock_timestamp();
     SELECT greatest(0, most
         - coalesce((SELECT units FROM usage_month
             WHERE account_id = of_account AND month = of_period), 0)
         - coalesce((SELECT units FROM usage_account_day
             WHERE account_id = of_account AND day = of_period), 0)
         - coalesce((SELECT sum(units) FROM usage_reservation
             WHERE account_id = of_account), 0))::bigint
       INTO units_left;
     granted := units_left >= wanted;
     IF granted THEN
       INSERT INTO usage_reservation (event_id, account_id, units, expires_at)
         VALUES (of_event, of_account, wanted,
           clock_timestamp() + life_ms * interval '1 millisecond');
     END IF;
     RETURN NEXT;
   END $body$`,
];

const CLAIM_MIGRATIONS: readonly string[] = [
  `CREATE TABLE work_claim (
     key        bytea PRIMARY KEY,
     holder     text NOT NULL,
     expires_at timestamptz NOT NULL
   );
   CREATE INDEX work_claim_expires ON work_claim (expires_at)`,
];

const DATASET_MIGRATIONS: readonly string[] = [
  `CREATE TABLE dataset_secret (
     one    integer PRIMARY KEY CHECK (one = 1),
     secret bytea NOT NULL
   );
   -- Equal bodies are stored once.
   CREATE TABLE dataset_content (
     -- SHA-256 of what was packed
     digest bytea PRIMARY KEY,
     packed bytea NOT NULL
   );
   ALTER TABLE dataset_content ALTER COLUMN packed SET STORAGE EXTERNAL;
   CREATE TABLE dataset (
     id                 text COLLATE "C" PRIMARY KEY,
     owner              text NOT NULL,
     version            text NOT NULL,
     quota_key          text COLLATE "C" NOT NULL,
     created_at_ms      bigint NOT NULL,
     expires_at_ms      bigint NOT NULL,
     body_digest        bytea NOT NULL REFERENCES dataset_content,
     observation_digest bytea NOT NULL,
     -- of the row and both digests
     seal               bytea NOT NULL,
     observation        bytea NOT NULL
   );
   ALTER TABLE dataset ALTER COLUMN observation SET STORAGE EXTERNAL;
   CREATE INDEX dataset_expiry ON dataset (expires_at_ms);
   CREATE INDEX dataset_quota ON dataset (quota_key, expires_at_ms);
   CREATE INDEX dataset_body ON dataset (body_digest);
   -- By triggers, so that no row is miscounted, whatever writes it.
   CREATE TABLE dataset_count (
     quota_key text COLLATE "C" PRIMARY KEY,
     stored    bigint NOT NULL
   ) WITH (fillfactor = 50);
   CREATE FUNCTION count_put_datasets() RETURNS trigger
     LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
   BEGIN
     INSERT INTO dataset_count AS counted (quota_key, stored)
       SELECT quota_key, count(*) FROM written GROUP BY 1 ORDER BY 1
       ON CONFLICT (quota_key) DO UPDATE SET stored = counted.stored + excluded.stored;
     RETURN NULL;
   END $body$;
   CREATE FUNCTION count_forgotten_datasets() RETURNS trigger
     LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
   BEGIN
     UPDATE dataset_count SET stored = stored - gone.count
       FROM (SELECT quota_key, count(*) FROM written GROUP BY 1 ORDER BY 1) AS gone
       WHERE dataset_count.quota_key = gone.quota_key;
     DELETE FROM dataset_count
       WHERE stored = 0 AND quota_key IN (SELECT quota_key FROM written);
     RETURN NULL;
   END $body$;
   CREATE FUNCTION refuse_dataset_change() RETURNS trigger LANGUAGE plpgsql AS $body$
   BEGIN
     RAISE EXCEPTION 'a dataset never changes';
   END $body$;
   CREATE TRIGGER dataset_put AFTER INSERT ON dataset REFERENCING NEW TABLE AS written
     FOR EACH STATEMENT EXECUTE FUNCTION count_put_datasets();
   CREATE TRIGGER dataset_forgotten AFTER DELETE ON dataset REFERENCING OLD TABLE AS written
     FOR EACH STATEMENT EXECUTE FUNCTION count_forgotten_datasets();
   CREATE TRIGGER dataset_immutable BEFORE UPDATE ON dataset
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_dataset_change()`,
  `-- Those from before this, and of replicas that do not know of it, belong to no block and count
   -- no bytes; they expire like all others.
   ALTER TABLE dataset ADD COLUMN block_key text COLLATE "C";
   ALTER TABLE dataset ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
   CREATE INDEX dataset_block ON dataset (block_key, expires_at_ms) WHERE block_key IS NOT NULL;
   -- Bytes of an owner's datasets: each with all of its content, shared or not.
   CREATE TABLE dataset_room (
     owner text COLLATE "C" PRIMARY KEY,
     bytes bigint NOT NULL
   ) WITH (fillfactor = 50);
   CREATE OR REPLACE FUNCTION count_put_datasets() RETURNS trigger
     LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
   BEGIN
     INSERT INTO dataset_count AS counted (quota_key, stored)
       SELECT key, count(*) FROM (
         SELECT quota_key AS key FROM written
         UNION ALL SELECT block_key FROM written WHERE block_key IS NOT NULL) AS keys
       GROUP BY 1 ORDER BY 1
       ON CONFLICT (quota_key) DO UPDATE SET stored = counted.stored + excluded.stored;
     INSERT INTO dataset_room AS room (owner, bytes)
       SELECT owner, sum(bytes)::bigint FROM written GROUP BY 1 ORDER BY 1
       ON CONFLICT (owner) DO UPDATE SET bytes = room.bytes + excluded.bytes;
     RETURN NULL;
   END $body$;
   CREATE OR REPLACE FUNCTION count_forgotten_datasets() RETURNS trigger
     LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
   BEGIN
     UPDATE dataset_count SET stored = stored - gone.count
       FROM (SELECT key, count(*) FROM (
               SELECT quota_key AS key FROM written
               UNION ALL SELECT block_key FROM written WHERE block_key IS NOT NULL) AS keys
             GROUP BY 1 ORDER BY 1) AS gone
       WHERE dataset_count.quota_key = gone.key;
     DELETE FROM dataset_count WHERE stored = 0
       AND quota_key IN (SELECT quota_key FROM written UNION SELECT block_key FROM written);
     -- Locked in one order, as every put does.
     PERFORM FROM dataset_room WHERE owner IN (SELECT owner FROM written) ORDER BY owner FOR UPDATE;
     UPDATE dataset_room SET bytes = dataset_room.bytes - gone.bytes
       FROM (SELECT owner, sum(bytes)::bigint AS bytes FROM written GROUP BY 1) AS gone
       WHERE dataset_room.owner = gone.owner;
     RETURN NULL;
   END $body$`,
  `-- By which a retry finds its answer, at another replica or after a restart; for minutes.
   CREATE TABLE dataset_repeat (
     repeat_key bytea PRIMARY KEY,
     dataset_id text NOT NULL,
     made_at_ms bigint NOT NULL
   );
   CREATE INDEX dataset_repeat_age ON dataset_repeat (made_at_ms)`,
  `-- The end of the longer life of one that was read again; all else of a dataset never changes. A
   -- replica that does not know of it lets the dataset go at its stated end.
   ALTER TABLE dataset ADD COLUMN kept_until_ms bigint;
   DROP TRIGGER dataset_immutable ON dataset;
   CREATE TRIGGER dataset_immutable BEFORE UPDATE OF id, owner, version, quota_key, created_at_ms,
     expires_at_ms, body_digest, observation_digest, seal, observation, block_key, bytes ON dataset
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_dataset_change();
   CREATE TRIGGER dataset_kept_on BEFORE UPDATE OF kept_until_ms ON dataset FOR EACH ROW
     WHEN (coalesce(NEW.kept_until_ms, 0) < coalesce(OLD.kept_until_ms, OLD.expires_at_ms))
     EXECUTE FUNCTION refuse_dataset_change();
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

const BRIDGE_MIGRATIONS: readonly string[] = [
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

/** Modules in the order of their migration: one may refer to tables of those before it. */
export const POSTGRES_MIGRATIONS: Modules = {
  accounts: ACCOUNT_MIGRATIONS,
  usage: USAGE_MIGRATIONS,
  datasets: DATASET_MIGRATIONS,
  bridges: BRIDGE_MIGRATIONS,
  claims: CLAIM_MIGRATIONS,
};
