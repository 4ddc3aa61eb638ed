/** Usage as it is kept in the end, by PostgreSQL or by the embedded stores, every row of it. */
import { join } from "node:path";
import { openDatabase } from "#storage/embedded/database.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { schemaOf } from "#storage/postgres/driver.ts";
import { runSql } from "../../test/support/engines.ts";
import type { Stored } from "./check/usage.ts";
import type { Stage } from "./fleet/stage.ts";

type Row = Record<string, unknown>;
type Read = (columns: string, table: string) => Promise<Row[]> | Row[];

/** Replicas have ended: whatever they had to hand over has been. */
export async function readStored({ store, replicas }: Stage): Promise<Stored> {
  if (store) {
    const schema = schemaOf("live");
    return await readAll((columns, table) =>
      runSql(store.database_url, `SELECT ${columns} FROM ${schema}.${table}`),
    );
  }
  const remaining: Stored[] = [];
  for (const { data_dir } of replicas) {
    const database = openDatabase(join(data_dir, "live", "vicinity.db"), MIGRATIONS);
    const from = (table: string): string =>
      table === "usage_event" ? `${table} JOIN usage_meter USING (meter)` : table;
    remaining.push(
      await readAll((columns, table) =>
        database.prepare(`SELECT ${columns} FROM ${from(table)}`).all(),
      ),
    );
    database.close();
  }
  return {
    events: remaining.flatMap(({ events }) => events),
    days: remaining.flatMap(({ days }) => days),
    months: remaining.flatMap(({ months }) => months),
  };
}

async function readAll(read: Read): Promise<Stored> {
  const events = await read("event_id, account_id, key_id, units, requests, at_ms", "usage_event");
  const days = await read("day, account_id, key_id, units, requests", "usage_day");
  const months = await read("month, account_id, units, requests", "usage_month");
  return {
    events: events.map((row) => ({
      event_id: text(row["event_id"]),
      ...whoOf(row),
      ...totalOf(row),
      at_ms: Number(row["at_ms"]),
    })),
    days: days.map((row) => ({ day: text(row["day"]), ...whoOf(row), ...totalOf(row) })),
    months: months.map((row) => ({
      month: text(row["month"]),
      account_id: text(row["account_id"]),
      ...totalOf(row),
    })),
  };
}

/** A bigint of PostgreSQL comes as text. */
const totalOf = ({ units, requests }: Row): { units: number; requests: number } => ({
  units: Number(units),
  requests: Number(requests),
});

const whoOf = (row: Row): { account_id: string; key_id: string } => ({
  account_id: text(row["account_id"]),
  key_id: text(row["key_id"]),
});

const text = (value: unknown): string => (typeof value === "string" ? value : "");
