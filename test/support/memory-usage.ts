/** Usage that lasts as long as the test. */
import { dayOf, monthOf } from "#core/metering/metering-periods.ts";
import type { Usage, UsageEvent, UsageRow } from "#ports.ts";

export function createMemoryUsage(): Usage & { depth(): number } {
  const events = new Map<string, UsageEvent>();
  return {
    record(recorded) {
      for (const event of recorded)
        if (!events.has(event.event_id)) events.set(event.event_id, { ...event });
      return true;
    },
    depth: () => 0,
    unitsOf: (account_id, period) =>
      [...events.values()]
        .filter((event) => event.account_id === account_id && dayOf(event.at_ms).startsWith(period))
        .reduce((sum, { units }) => sum + units, 0),
    listUsage({ month, key_id }) {
      const rows = new Map<string, UsageRow>();
      for (const event of events.values()) {
        if (monthOf(event.at_ms) !== month) continue;
        if (key_id !== undefined && event.key_id !== key_id) continue;
        const { account_id, operation } = event;
        const place = { account_id, key_id: event.key_id, operation, day: dayOf(event.at_ms) };
        const row = rows.get(orderOf(place)) ?? { ...place, units: 0, requests: 0 };
        rows.set(orderOf(place), row);
        row.units += event.units;
        row.requests += event.requests ?? 1;
      }
      return [...rows.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    },
    close: () => Promise.resolve(),
  };
}

function orderOf({ day, account_id, key_id, operation }: Omit<UsageRow, "units" | "requests">) {
  return [day, account_id ?? "", key_id ?? "", operation].join("\u0000");
}
