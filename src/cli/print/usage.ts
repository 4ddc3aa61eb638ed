/** What was metered, for people and for machines. */
import type { On } from "#cli/print/answer.ts";
import { renderTable } from "#cli/print/table.ts";
import type { Column } from "#cli/print/table.ts";
import { clean, count, UNKNOWN } from "#cli/print/words.ts";
import type { StorageBeside } from "#storage/open.ts";

type UsageRow = ReturnType<StorageBeside["usage"]["listUsage"]>[number];

type Metered = {
  month: string;
  rows: readonly UsageRow[];
  /** By id; null: it bears none. */
  names: {
    keys: ReadonlyMap<string, string | null>;
    accounts: ReadonlyMap<string, string>;
  };
};

const COLUMNS: readonly Column[] = [
  { title: "key" },
  { title: "name", elastic: true },
  { title: "account", elastic: true },
  { title: "operation" },
  { title: "day" },
  { title: "units", align: "right" },
  { title: "requests", align: "right" },
];

/** By key, then operation, then day; the sums before them. */
export function formatUsage({ month, rows, names }: Metered, on: On): string {
  if (rows.length === 0) return `nothing metered in ${month}\n`;
  const { units, requests } = sums(rows);
  const head = `${count(units)} units in ${count(requests)} requests in ${month}\n`;
  const lines = byKey(rows).map(({ key_id, account_id, operation, day, ...sum }) => [
    key_id ?? "anonymous",
    clean((key_id !== null && names.keys.get(key_id)) || UNKNOWN),
    account_id === null ? UNKNOWN : clean(names.accounts.get(account_id) ?? account_id),
    ...[operation, day, count(sum.units), count(sum.requests)],
  ]);
  return `${head}\n${renderTable(COLUMNS, lines, on)}`;
}

export function toUsageJson(month: string, rows: readonly UsageRow[]): object {
  return { month, ...sums(rows), rows: byKey(rows) };
}

function sums(rows: readonly UsageRow[]): { units: number; requests: number } {
  const sum = (pick: (row: UsageRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  return { units: sum(({ units }) => units), requests: sum(({ requests }) => requests) };
}

/** Anonymous use comes last. */
function byKey(rows: readonly UsageRow[]): UsageRow[] {
  const order = ({ key_id, operation, day }: UsageRow): string =>
    [key_id ?? "\uffff", operation, day].join("\u0000");
  return rows.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}
