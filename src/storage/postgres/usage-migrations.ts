/**
 * The schema of usage, as the list of its changes (reliability 6.3). In the totals '' stands for no
 * account and no key: a primary key holds no null.
 */
export const USAGE_MIGRATIONS: readonly string[] = [
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
   -- Room on the pages: a total that is raised stays on its own, and no index hears of it.
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
];
