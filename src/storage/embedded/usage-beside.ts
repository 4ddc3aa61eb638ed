/** Usage as a command sees it beside a running service, or after one that was killed. */
import { dayOf, monthOf } from "#core/metering/periods.ts";
import type { UsageEvent, UsageRow } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createLedgerReader, type LedgerReader } from "#storage/embedded/ledger-statements.ts";
import type { Taken } from "#storage/embedded/spool.ts";
import { readEvents } from "#storage/events.ts";

/** What is in the spool counts, unless the ledger has it already: an event may be in both for a moment. */
export function createListBeside(
  database: DatabaseSync,
  left: () => readonly Taken[],
): LedgerReader["listUsage"] {
  const { listUsage } = createLedgerReader(database);
  const find = database.prepare("SELECT 1 FROM usage_event WHERE event_id = ?");
  return (filter) => {
    // The spool first: what leaves it meanwhile is found in the ledger.
    const waiting = new Map(
      left().flatMap(({ events }) => readEvents(events).map((event) => [event.event_id, event])),
    );
    const isWanted = ({ at_ms, key_id }: UsageEvent): boolean =>
      monthOf(at_ms) === filter.month && [undefined, key_id].includes(filter.key_id);
    // Both as of one moment, and without the lock of those who write.
    database.exec("BEGIN");
    try {
      const fresh = [...waiting.values()].filter(
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
    const place = { account_id, key_id, operation, day: dayOf(at_ms) };
    const row = rows.get(nameOf(place)) ?? { ...place, units: 0, requests: 0 };
    row.units += units;
    row.requests += requests;
    rows.set(nameOf(place), row);
  }
  return [...rows].sort(([a], [b]) => Number(a > b) - Number(a < b)).map(([, row]) => row);
}

/** In the order in which usage is listed. */
function nameOf({ day, account_id, key_id, operation }: Omit<UsageRow, "units" | "requests">) {
  return [day, account_id ?? "", key_id ?? "", operation].join("\u0000");
}
