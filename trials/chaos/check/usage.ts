/**
 * The set of usage (reliability 3.6): acknowledged ⊆ stored ⊆ attempted, nothing twice; and the bank:
 * totals by day and by month are the sums of the events. Callers do not know the ids of their events,
 * so that sets are compared as units a key.
 */
import { toVerdict, type Verdict } from "./verdict.ts";

/**
 * One question. `acked`: its reply came, whole; `unknown`: it was sent and no reply came; `refused`:
 * it was answered with a status that costs nothing.
 */
export type Attempt = { key_id: string; units: number; outcome: "acked" | "unknown" | "refused" };

/** As the ledger keeps it; '' for no key or account. */
type StoredEvent = {
  event_id: string;
  account_id: string;
  key_id: string;
  units: number;
  requests: number;
  at_ms: number;
};
type StoredDay = { day: string; account_id: string; key_id: string } & Total;
type StoredMonth = { month: string; account_id: string } & Total;
type Total = { units: number; requests: number };

export type Stored = {
  events: readonly StoredEvent[];
  days: readonly StoredDay[];
  months: readonly StoredMonth[];
};

export function checkUsage(attempts: readonly Attempt[], stored: Stored): Verdict {
  const { events } = stored;
  const keys = new Set(attempts.map(({ key_id }) => key_id));
  const counted = (outcomes: readonly Attempt["outcome"][]): Map<string, number> =>
    sumBy(
      attempts.filter(({ outcome }) => outcomes.includes(outcome)),
      toKey,
    );
  const [acked, attempted] = [counted(["acked"]), counted(["acked", "unknown"])];
  const own_events = events.filter(({ key_id }) => keys.has(key_id));
  const match = sumBy(own_events, toKey);
  const findings = [...keys].flatMap((key) =>
    compareUnits(key, {
      acked: acked.get(key) ?? 0,
      stored: match.get(key) ?? 0,
      attempted: attempted.get(key) ?? 0,
    }),
  );
  const all = [...findings, ...findRepeats(events), ...compareTotals(stored)];
  const total = (of: Map<string, number>): number => [...of.values()].reduce((a, b) => a + b, 0);
  const figures = {
    acknowledged: total(acked),
    stored: total(match),
    attempted: total(attempted),
    unknown: attempts.filter(({ outcome }) => outcome === "unknown").length,
  };
  return toVerdict({ rule: "usage", findings: all, scanned: figures.acknowledged, figures });
}

const toKey = ({ key_id }: { key_id: string }): string => key_id;

function compareUnits(
  key: string,
  { acked, stored, attempted }: Record<"acked" | "stored" | "attempted", number>,
): string[] {
  return [
    ...(stored < acked ? [`${key}: ${acked - stored} acknowledged units are lost`] : []),
    ...(stored > attempted
      ? [`${key}: ${stored - attempted} units that no request asked for`]
      : []),
  ];
}

function findRepeats(events: readonly StoredEvent[]): string[] {
  const seen = new Set<string>();
  return events.flatMap(({ event_id }) => {
    if (seen.has(event_id)) return [`event ${event_id} is stored twice`];
    seen.add(event_id);
    return [];
  });
}

/** Requests are counted as well: units alone would hide an event of none. */
function compareTotals({ events, days, months }: Stored): string[] {
  const day = ({ at_ms }: StoredEvent): string => new Date(at_ms).toISOString().slice(0, 10);
  const of_days = sumsOf(events, (event) => name(day(event), event.account_id, event.key_id));
  const of_months = sumsOf(
    events.filter(({ account_id }) => account_id !== ""),
    (event) => name(day(event).slice(0, 7), event.account_id),
  );
  const kept_months = months.filter(({ account_id }) => account_id !== "");
  return [
    ...compare(
      "day",
      of_days,
      totalsOf(days, (row) => name(row.day, row.account_id, row.key_id)),
    ),
    ...compare(
      "month",
      of_months,
      totalsOf(kept_months, (row) => name(row.month, row.account_id)),
    ),
  ];
}

const name = (...parts: string[]): string => parts.join(" ");

function sumsOf(events: readonly StoredEvent[], by: (event: StoredEvent) => string) {
  return totalsOf(events, by, ({ units, requests }) => ({ units, requests }));
}

function totalsOf<R extends { units: number }>(
  rows: readonly R[],
  by: (row: R) => string,
  of: (row: R) => Total = (row) => row as unknown as Total,
): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const row of rows) {
    const key = by(row);
    const { units, requests } = of(row);
    const before = totals.get(key) ?? { units: 0, requests: 0 };
    totals.set(key, { units: before.units + units, requests: before.requests + requests });
  }
  return totals;
}

function compare(what: string, sums: Map<string, Total>, totals: Map<string, Total>): string[] {
  const describe = (total: Total | undefined): string =>
    total === undefined ? "nothing" : `${total.units} units, ${total.requests} requests`;
  return [...new Set([...sums.keys(), ...totals.keys()])].flatMap((key) => {
    const [sum, total] = [describe(sums.get(key)), describe(totals.get(key))];
    return sum === total ? [] : [`total of the ${what} ${key}: ${total}, but events of ${sum}`];
  });
}

function sumBy<R extends { units: number }>(rows: readonly R[], by: (row: R) => string) {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(by(row), (sums.get(by(row)) ?? 0) + row.units);
  return sums;
}
