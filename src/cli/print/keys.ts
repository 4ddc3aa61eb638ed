/** API keys, for people and for machines. The key itself is printed here only, when it is made. */
import { formatFacts, timeWords } from "#cli/print/accounts.ts";
import type { On } from "#cli/print/answer.ts";
import { renderTable } from "#cli/print/table.ts";
import type { Column } from "#cli/print/table.ts";
import { clean, UNKNOWN } from "#cli/print/words.ts";
import type { Account, KeyRecord } from "#cli/store.ts";
import { keyState } from "#core/keys/issue.ts";
import { toRfc3339 } from "#core/time.ts";

export type KeyRow = { key: KeyRecord; account: Account | null };

/** `before`: the key that a rotation has ended. */
export type NewKeyRow = {
  made: { key: string; record: KeyRecord };
  account: Account;
  before?: KeyRecord;
};

const COLUMNS: readonly Column[] = [
  { title: "id" },
  { title: "key" },
  { title: "name", elastic: true },
  { title: "account", elastic: true },
  { title: "plan" },
  { title: "scopes", elastic: true },
  { title: "state" },
  { title: "expires" },
  { title: "last used" },
];

export function formatKeys(rows: readonly KeyRow[], on: On): string {
  if (rows.length === 0) return "no keys\n";
  const { paint, now_ms } = on;
  const lines = rows.map(({ key, account }) => {
    const state = keyState(key, now_ms);
    const who = account ? clean(account.name) : key.account_id;
    return [
      ...[key.id, `${key.hint}…`, clean(key.name ?? UNKNOWN), who, account?.plan ?? UNKNOWN],
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
    ...(name === null ? [] : [["name", clean(name)] as const]),
    ["account", `${account.id} (${clean(account.name)})`],
    ["plan", account.plan],
    ["scopes", scopes.join(", ")],
    ["expires", expires_at_ms === null ? "never" : utc(expires_at_ms)],
    ...ends,
  ]);
  return `${facts}\nKeep it now: the key is shown this once.\n`;
}

/** What --json prints of a key: never the key itself. */
export function toKeyJson({ key, account }: KeyRow, now_ms: number): object {
  return {
    ...{ id: key.id, account_id: key.account_id, plan: account?.plan ?? null, name: key.name },
    ...{ scopes: key.scopes, hint: key.hint, state: keyState(key, now_ms) },
    created_at: toTime(key.created_at_ms),
    expires_at: toTime(key.expires_at_ms),
    revoked_at: toTime(key.revoked_at_ms),
    rotated_from: key.rotated_from,
    last_used_at: toTime(key.last_used_at_ms),
  };
}

/** The same with the key, and with the end of the one before. */
export function toNewKeyJson({ made, account, before }: NewKeyRow, now_ms: number): object {
  const { id, ...rest } = toKeyJson({ key: made.record, account }, now_ms) as { id: string };
  const told = { id, key: made.key, ...rest };
  if (!before) return told;
  return { ...told, before: { id: before.id, expires_at: toTime(before.expires_at_ms) } };
}

function utc(at_ms: number | null): string {
  return `${timeWords(at_ms)} UTC`;
}

function toTime(at_ms: number | null): string | null {
  return at_ms === null ? null : toRfc3339(at_ms / 1000);
}
