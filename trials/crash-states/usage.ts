/**
 * Usage after a crash: what was acknowledged is in the spool or in the ledger, nothing that nobody
 * recorded is, the ledger's totals are the sums of its events; and when the spool is handed over and
 * all is recorded again, everything counts once.
 */
import type { UsageEvent } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createBook } from "#storage/embedded/ledger-statements.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { openSpool, SPOOL_FILES } from "#storage/embedded/spool.ts";
import { readEvents, writeEvents } from "#storage/events.ts";
import { createDice } from "../dice.ts";
import type { Scenario } from "./scenario.ts";

/** The same events for the writer and for the checks. */
export function sampleEvents(seed: number, count: number): UsageEvent[] {
  const dice = createDice(seed);
  return Array.from({ length: count }, (_, i) => {
    const account = dice.integer(0, 5);
    return {
      // Ids in no order: the index of ids is written all over.
      event_id: `${dice.integer(0, 2 ** 32).toString(16)} ${i}`,
      account_id: account === 0 ? null : `acc_${account}`,
      key_id: account === 0 ? null : `key_${account}${dice.integer(0, 2)}`,
      operation: dice.pick(["getNearby", "geocode", "getServicesNearby"]),
      units: dice.integer(0, 10),
      at_ms: Date.UTC(2026, 10, 1) + dice.integer(0, 40) * 86_400_000,
    };
  });
}

export function usageScenario(seed: number, work: number): Scenario {
  const events = sampleEvents(seed, work);
  const all = new Set(events.map(({ event_id }) => event_id));
  return {
    ...{ name: "usage", work, stores: [LEDGER], files: SPOOL_FILES },
    writer: new URL("./usage-writer.ts", import.meta.url),
    check(at, acked, folder) {
      const ledger = at(LEDGER.file);
      const spool = openSpool(folder);
      const left = [...spool.left()];
      spool.close();
      const spooled = left.flatMap((batch) => readEvents(batch.events));
      const stored = new Set([...listIds(ledger), ...spooled.map(({ event_id }) => event_id)]);
      const lost = acked.filter((id) => !stored.has(id)).length;
      const invented = [...stored].filter((id) => !all.has(id)).length;
      const before = disagreements(ledger);
      const book = createBook(ledger);
      book.apply(left.map((batch) => batch.events));
      const handed = listIds(ledger).length;
      book.apply([writeEvents(events)]);
      const after = listIds(ledger).length;
      return [
        ...(lost > 0 ? [`${lost} acknowledged events are lost`] : []),
        ...(invented > 0 ? [`${invented} events that nobody recorded`] : []),
        ...before.map((text) => `found: ${text}`),
        ...(handed === stored.size ? [] : [`${handed} of ${stored.size} events handed over`]),
        ...(after === all.size ? [] : [`${after} of ${all.size} events after a replay`]),
        ...disagreements(ledger).map((text) => `after a replay: ${text}`),
      ];
    },
  };
}

const LEDGER = { file: "vicinity.db", migrations: MIGRATIONS };

function listIds(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT event_id FROM usage_event").all();
  return rows.map((row) => String(row["event_id"]));
}

/** Totals against sums that SQLite makes of the events by itself. */
const TOLD = "FROM usage_event LEFT JOIN usage_meter USING (meter)";
const DAYS = `SELECT date(at_ms / 1000, 'unixepoch'), account_id, key_id, operation,
  sum(units), sum(requests) ${TOLD} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
const MONTHS = `SELECT account_id, strftime('%Y-%m', at_ms / 1000, 'unixepoch'),
  sum(units), sum(requests) ${TOLD} GROUP BY 1, 2 ORDER BY 1, 2`;

function disagreements(database: DatabaseSync): string[] {
  const pairs = [
    ["usage_day", "SELECT * FROM usage_day ORDER BY 1, 2, 3, 4", DAYS],
    ["usage_month", "SELECT * FROM usage_month ORDER BY 1, 2", MONTHS],
  ] as const;
  const read = (sql: string): string =>
    JSON.stringify(
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
    );
  return pairs
    .filter(([, totals, sums]) => read(totals) !== read(sums))
    .map(([table]) => `${table} is not the sum of the events`);
}
