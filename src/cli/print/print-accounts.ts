/** Accounts, for people. */
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { CliAccount } from "#cli/store.ts";
import { toRfc3339 } from "#kit/time.ts";

const COLUMNS: readonly Column[] = [
  { title: "id" },
  { title: "name", elastic: true },
  { title: "plan" },
  { title: "standing" },
  { title: "created" },
];

export function formatAccounts(accounts: readonly CliAccount[], on: On): string {
  if (accounts.length === 0) return "no accounts\n";
  const rows = accounts.map(({ id, name, plan, standing, created_at_ms }) => [
    ...[id, oneLine(name), plan, paintStanding(standing, on), timeWords(created_at_ms)],
  ]);
  return renderTable(COLUMNS, rows, on);
}

export function formatAccount({ id, name, plan, standing }: CliAccount): string {
  return formatFacts([
    ["account", id],
    ["name", oneLine(name)],
    ["plan", plan],
    ["standing", standingWords(standing)],
  ]);
}

/** One fact a line, its values below one another. */
export function formatFacts(facts: readonly (readonly [string, string])[]): string {
  const width = Math.max(...facts.map(([title]) => title.length));
  return facts.map(([title, value]) => `${title.padEnd(width)}  ${value}\n`).join("");
}

/** `2026-11-21 12:00:00`, in UTC. */
export function timeWords(at_ms: number | null): string {
  return at_ms === null
    ? UNKNOWN
    : toRfc3339(at_ms / 1000)
        .slice(0, -1)
        .replace("T", " ");
}

function paintStanding(standing: CliAccount["standing"], { paint }: On): string {
  const words = standingWords(standing);
  return standing === "active" ? words : paint.yellow(words);
}

function standingWords(standing: CliAccount["standing"]): string {
  return standing.replaceAll("_", " ");
}
