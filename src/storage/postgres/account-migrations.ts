/** The schema of accounts and keys, as the list of its changes. */
export const ACCOUNT_MIGRATIONS: readonly string[] = [
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
   -- By triggers, so that no write is forgotten, whoever makes it. The last use of a key is none.
   -- The row is raised in the transaction of the write, so that whoever sees the version sees the
   -- write, and the notice leaves with the commit.
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
  // The notice names what was written, so that replicas need not ask for everybody anew: the version,
  // and behind a space `a` and the id of an account, or `k` and the hash of a key. Without a name
  // (all rows at once, or one that got another id or hash): anything.
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
