/** The statements of metering. */
/**
 * Writes events and their totals by one statement, so that they never disagree. It takes its locks
 * in one order, so that no two wait for each other: events by their ids, then months, then days of
 * accounts, these as they are sorted here, then the rest. Of two events with one id the first counts. The
 * statement reads the totals itself: parts that are not read run last. `all_fresh`: none had been counted before.
 * Events come as rows (storage/events.ts).
 */
export const APPLY = `
  WITH given AS (
    SELECT event->>0 AS event_id, event->>1 AS account_id, event->>2 AS key_id,
           event->>3 AS operation, (event->>4)::bigint AS units, (event->>5)::bigint AS requests,
           (event->>6)::bigint AS at_ms, ordinality
      FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS given (event, ordinality)
  ), fresh AS (
    INSERT INTO usage_event (event_id, account_id, key_id, operation, units, requests, at_ms)
      SELECT DISTINCT ON (event_id)
             event_id, account_id, key_id, operation, units, requests, at_ms
        FROM given ORDER BY event_id, ordinality
      ON CONFLICT (event_id) DO NOTHING
      RETURNING coalesce(account_id, '') AS account_id, coalesce(key_id, '') AS key_id, operation,
                units, requests,
                to_char(date '1970-01-01' + (at_ms / 86400000)::int, 'YYYY-MM-DD') AS day
  ), months AS (
    INSERT INTO usage_month AS total (account_id, month, units, requests)
      SELECT account_id, left(day, 7), sum(units)::bigint, sum(requests)::bigint
        FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (account_id, month) DO UPDATE SET
        units = total.units + excluded.units, requests = total.requests + excluded.requests,
        changed = pg_current_xact_id()
      RETURNING account_id, month AS period, units
  ), account_days AS (
    INSERT INTO usage_account_day AS total (account_id, day, units)
      SELECT account_id, day, sum(units)::bigint FROM fresh GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (account_id, day) DO UPDATE SET
        units = total.units + excluded.units, changed = pg_current_xact_id()
      RETURNING account_id, day AS period, units
  ), ended AS (
    -- From now on the ledger counts what they held.
    DELETE FROM usage_reservation WHERE event_id IN (SELECT event_id FROM given)
  ), days AS (
    INSERT INTO usage_day AS total (day, account_id, key_id, operation, units, requests)
      SELECT day, account_id, key_id, operation, sum(units)::bigint, sum(requests)::bigint
        FROM fresh GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (day, account_id, key_id, operation) DO UPDATE SET
        units = total.units + excluded.units, requests = total.requests + excluded.requests
  )
  SELECT account_id, period, units, (SELECT count(*) FROM fresh) = (SELECT count(*) FROM given) AS all_fresh
    FROM (TABLE months UNION ALL TABLE account_days) AS totals`;

/** From a day on, and from its month on. */
export const TOTALS = `
  SELECT account_id, month AS period, units FROM usage_month
    WHERE account_id = ANY($1) AND month >= left($2, 7)
  UNION ALL
  SELECT account_id, day AS period, units FROM usage_account_day
    WHERE account_id = ANY($1) AND day >= $2`;

export const LIST = `
  SELECT nullif(account_id, '') AS account_id, nullif(key_id, '') AS key_id, operation, day, units,
         requests
    FROM usage_day
    WHERE day >= $1::text || '-01' AND day <= $1::text || '-31'
      AND ($2::text IS NULL OR key_id = $2)
    ORDER BY day, usage_day.account_id, usage_day.key_id, operation`;

/** Deleted by one statement at most, so that it holds its locks for a moment only. */
export const FORGET_BATCH = 500;

/** Another replica forgets others at the same time. */
export const FORGET = `
  WITH gone AS (
    DELETE FROM usage_event WHERE event_id IN (
      SELECT event_id FROM usage_event WHERE at_ms < $1 ORDER BY at_ms
        LIMIT ${FORGET_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ) SELECT count(*) AS count FROM gone`;

/** Those that no event has ended: of replicas that were killed. */
export const FORGET_RESERVATIONS = `
  DELETE FROM usage_reservation WHERE event_id IN (
    SELECT event_id FROM usage_reservation WHERE expires_at < clock_timestamp()
      FOR UPDATE SKIP LOCKED)`;
