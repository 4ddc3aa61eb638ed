/** Usage as a command sees it alongside a running service, or after one that was killed. */
import { dayOf, monthOf } from "#core/metering/metering-periods.ts";
import type { UsageEvent, UsageRow } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createLedgerReader, type LedgerReader } from "#storage/embedded/ledger-statements.ts";
import type { JournalEntry } from "./journal.ts";
import { readEvents } from "./usage-ledger.ts";

/**
 * Lists what is in the ledger and what is only in the journal: an event may be in both for a moment,
 * and counts once.
 */
export function createUsageListing(
  database: DatabaseSync,
  readEntries: () => readonly JournalEntry[],
): LedgerReader["listUsage"] {
  const { listUsage } = createLedgerReader(database);
  const find = database.prepare("SELECT 1 FROM usage_event WHERE event_id = ?");
  return (filter) => {
    // The journal first: what leaves it meanwhile is found in the ledger.
    const journalled = new Map(
      readEntries().flatMap(({ events }) =>
        readEvents(events).map((event) => [event.event_id, event]),
      ),
    );
    const isWanted = ({ at_ms, key_id }: UsageEvent): boolean =>
      monthOf(at_ms) === filter.month && [undefined, key_id].includes(filter.key_id);
    // Both as of one moment, and without the writers' lock.
    database.exec("BEGIN");
    try {
      const fresh = [...journalled.values()].filter(
        (event) => isWanted(event) && !find.get(event.event_id),
      );
      return merge(listUsage(filter), fresh);
    } finally {
      database.exec("COMMIT");
    }
  };
}

function merge(counted: readonly UsageRow[], events: readonly UsageEvent[]): UsageRow[] {
  const rows = new Map(counted.map((row) => [nameOf(row), row]));
  for (const { account_id, key_id, operation, at_ms, units, requests = 1 } of events) {
    const series = { account_id, key_id, operation, day: dayOf(at_ms) };
    const row = rows.get(nameOf(series)) ?? { ...series, units: 0, requests: 0 };
    row.units += units;
    row.requests += requests;
    rows.set(nameOf(series), row);
  }
  return [...rows].sort(([a], [b]) => Number(a > b) - Number(a < b)).map(([, row]) => row);
}

/** In the order in which usage is listed. */
function nameOf({ day, account_id, key_id, operation }: Omit<UsageRow, "units" | "requests">) {
  return [day, account_id ?? "", key_id ?? "", operation].join("\u0000");
}
