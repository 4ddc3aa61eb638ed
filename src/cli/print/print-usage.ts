/** What was metered, for people. */
import { orderUsage, sumUsage } from "#app/admin/shapes.ts";
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { count, UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { AdminStorage } from "#storage/open-storage.ts";

type UsageRow = Awaited<ReturnType<AdminStorage["usage"]["listUsage"]>>[number];

type Metered = {
  month: string;
  rows: readonly UsageRow[];
  /** Names by id; null: it has none. */
  names: {
    keys: ReadonlyMap<string, string | null>;
    accounts: ReadonlyMap<string, string>;
  };
};

const COLUMNS: readonly Column[] = [
  { title: "key" },
  { title: "name", elastic: true, spare: 1 },
  { title: "account", elastic: true, spare: 2 },
  { title: "operation" },
  { title: "day" },
  { title: "units", align: "right" },
  { title: "requests", align: "right" },
];

/** The sums, and the rows below them. */
export function formatUsage({ month, rows, names }: Metered, on: On): string {
  if (rows.length === 0) return `nothing metered in ${month}\n`;
  const { units, requests } = sumUsage(rows);
  const head = `${count(units)} units in ${count(requests)} requests in ${month}\n`;
  const lines = orderUsage(rows).map(({ key_id, account_id, operation, day, ...sum }) => [
    key_id ?? "anonymous",
    oneLine((key_id !== null && names.keys.get(key_id)) || UNKNOWN),
    account_id === null ? UNKNOWN : oneLine(names.accounts.get(account_id) ?? account_id),
    ...[operation, day, count(sum.units), count(sum.requests)],
  ]);
  return `${head}\n${renderTable(COLUMNS, lines, on)}`;
}
