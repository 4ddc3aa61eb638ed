/** Usage that lasts as long as the test; durable at once. */
import { dayOf, monthOf } from "#core/metering/periods.ts";
import type { Usage, UsageEvent, UsageRow } from "#ports.ts";

/** `max_pending`: how many may be on their way, when `hold` keeps them there. */
export function createMemoryUsage(
  options: { max_pending?: number; hold?: Promise<void> } = {},
): Usage {
  const { max_pending = 10_000, hold } = options;
  const events = new Map<string, UsageEvent>();
  let pending = 0;
  return {
    async record(event) {
      if (pending >= max_pending) return "full";
      pending += 1;
      if (!events.has(event.event_id)) events.set(event.event_id, { ...event });
      await hold;
      pending -= 1;
      return "durable";
    },
    unitsOf: (account_id, month) =>
      [...events.values()]
        .filter((event) => event.account_id === account_id && monthOf(event.at_ms) === month)
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
