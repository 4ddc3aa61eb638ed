/**
 * Usage after a crash: acknowledged events are in the journal or in the ledger (all of them where the
 * process was killed, those that were synced where the power failed), none that was not attempted is,
 * the ledger's totals are the sums of its events; and when the journal is handed over and all is
 * recorded again, everything counts once.
 */
import type { UsageEvent } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createLedgerWriter } from "#storage/embedded/ledger-statements.ts";
import { MIGRATIONS } from "#storage/embedded/migrations.ts";
import { timeOf } from "#storage/store-time.ts";
import { JOURNAL_FILES, openJournal } from "#storage/usage/journal.ts";
import { joinEvents, readEvents, writeEvents } from "#storage/usage/usage-ledger.ts";
import { createDice } from "../dice.ts";
import type { Scenario } from "./scenario.ts";
import { noFault } from "../../test/support/faults.ts";

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

/** Acknowledgement of what was recorded at once. */
export function toAck(events: readonly UsageEvent[]): string {
  return events.map(({ event_id }) => event_id).join(",");
}

function readAcks(acks: readonly string[]): string[] {
  return acks.flatMap((ack) => ack.split(","));
}

export function usageScenario(seed: number, work: number): Scenario {
  const events = sampleEvents(seed, work);
  const all = new Set(events.map(({ event_id }) => event_id));
  return {
    name: "usage",
    work,
    stores: [LEDGER],
    synced_behind: JOURNAL_FILES,
    writer: new URL("./usage-writer.ts", import.meta.url),
    check(at, { acked, attempted, folder }) {
      const ledger = at(LEDGER.file);
      const journal = openJournal(folder, {
        time: timeOf(noFault),
        onFault: () => undefined,
        onDefect: noFault,
      });
      const left = [...journal.entries()].map((entry) => entry.events);
      journal.close();
      const journalled = left.flatMap(readEvents).map(({ event_id }) => event_id);
      const stored = new Set([...listIds(ledger), ...journalled]);
      const lost = readAcks(acked).filter((id) => !stored.has(id)).length;
      const invented = stored.difference(new Set(readAcks(attempted))).size;
      const before = disagreements(ledger);
      const writer = createLedgerWriter(ledger);
      if (left.length > 0) writer.apply(joinEvents(left));
      const handed = listIds(ledger).length;
      writer.apply(writeEvents(events));
      const after = listIds(ledger).length;
      return [
        ...(lost > 0 ? [`${lost} acknowledged events are lost`] : []),
        ...(invented > 0 ? [`${invented} events that were not attempted`] : []),
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

/** Totals are compared with sums that SQLite computes from the events. */
const FROM_EVENTS = "FROM usage_event LEFT JOIN usage_meter USING (meter)";
const DAYS = `SELECT date(at_ms / 1000, 'unixepoch'), account_id, key_id, operation,
  sum(units), sum(requests) ${FROM_EVENTS} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
const MONTHS = `SELECT account_id, strftime('%Y-%m', at_ms / 1000, 'unixepoch'),
  sum(units), sum(requests) ${FROM_EVENTS} GROUP BY 1, 2 ORDER BY 1, 2`;

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
