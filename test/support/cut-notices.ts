import { runSql } from "./engines.ts";

/**
 * From now on no replica is notified of writes to accounts and keys, while every statement works:
 * the triggers call another function of the same name.
 */
export async function cutNotices(url: string, schema: string): Promise<void> {
  await runSql(
    url,
    `CREATE FUNCTION ${schema}.pg_notify(text, text) RETURNS void LANGUAGE sql AS '';
     ALTER FUNCTION ${schema}.raise_account_version() SET search_path = ${schema}, pg_catalog`,
  );
}
