/** API keys, for people. The key itself is printed here only, when it is made. */
import type { KeyRow, NewKeyRow } from "#app/admin/shapes.ts";
import { formatFacts, timeWords } from "#cli/print/print-accounts.ts";
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import { keyState } from "#core/keys/issue.ts";

const COLUMNS: readonly Column[] = [
  { title: "id" },
  { title: "key", spare: 2 },
  { title: "name", elastic: true },
  { title: "account", elastic: true, spare: 4 },
  { title: "plan", spare: 3 },
  { title: "scopes", elastic: true, spare: 1 },
  { title: "state" },
  { title: "expires" },
  { title: "last used" },
];

export function formatKeys(rows: readonly KeyRow[], on: On): string {
  if (rows.length === 0) return "no keys\n";
  const { paint, now_ms } = on;
  const lines = rows.map(({ key, account }) => {
    const state = keyState(key, now_ms);
    const who = account ? oneLine(account.name) : key.account_id;
    return [
      ...[key.id, `${key.hint}…`, oneLine(key.name ?? UNKNOWN), who, account?.plan ?? UNKNOWN],
      ...[key.scopes.join(",") || UNKNOWN, state === "active" ? state : paint.dim(state)],
      ...[key.expires_at_ms === null ? "never" : timeWords(key.expires_at_ms)],
      ...[timeWords(key.last_used_at_ms)],
    ];
  });
  return renderTable(COLUMNS, lines, on);
}

export function formatNewKey({ made, account, before }: NewKeyRow): string {
  const { id, name, scopes, expires_at_ms } = made.record;
  const ends = before
    ? [["before", `${before.id}, until ${utc(before.expires_at_ms)}`] as const]
    : [];
  const facts = formatFacts([
    ["key", made.key],
    ["id", id],
    ...(name === null ? [] : [["name", oneLine(name)] as const]),
    ["account", `${account.id} (${oneLine(account.name)})`],
    ["plan", account.plan],
    ["scopes", scopes.join(", ")],
    ["expires", expires_at_ms === null ? "never" : utc(expires_at_ms)],
    ...ends,
  ]);
  return `${facts}\nKeep it now: the key is shown this once.\n`;
}

function utc(at_ms: number | null): string {
  return `${timeWords(at_ms)} UTC`;
}
