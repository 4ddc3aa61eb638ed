/** The schema of stored datasets, as the list of its changes. */
export const DATASET_MIGRATIONS: readonly string[] = [
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
   -- By triggers, so that no row is miscounted, whoever writes it.
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
     -- Locked in one order, as whoever puts does.
     PERFORM FROM dataset_room WHERE owner IN (SELECT owner FROM written) ORDER BY owner FOR UPDATE;
     UPDATE dataset_room SET bytes = dataset_room.bytes - gone.bytes
       FROM (SELECT owner, sum(bytes)::bigint AS bytes FROM written GROUP BY 1) AS gone
       WHERE dataset_room.owner = gone.owner;
     RETURN NULL;
   END $body$`,
];
