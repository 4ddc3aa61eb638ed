/** Accounts, keys and usage as operators get them in JSON, of the command line and of the admin API. */
import { keyState } from "#core/keys/issue.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { Account, KeyRecord, UsageRow } from "#ports.ts";

type AccountJson = ReturnType<typeof toAccountJson>;
type KeyJson = ReturnType<typeof toKeyJson>;

/** Whatever a route of the admin API answers. */
export type AdminBody =
  | AccountJson
  | { accounts: AccountJson[] }
  | KeyJson
  | { keys: KeyJson[] }
  | ReturnType<typeof toNewKeyJson>
  | ReturnType<typeof toUsageJson>;

export type KeyRow = { key: KeyRecord; account: Account | null };

/** A new key; `before`: the key that a rotation has ended. */
export type NewKeyRow = {
  made: { key: string; record: KeyRecord };
  account: Account;
  before?: KeyRecord;
};

export function toAccountJson({ id, name, plan, standing, created_at_ms }: Account) {
  return { id, name, plan, standing, created_at: toRfc3339(created_at_ms / 1000) };
}

/** Returns a key's row as JSON, never the key itself. */
export function toKeyJson({ key, account }: KeyRow, now_ms: number) {
  return {
    id: key.id,
    account_id: key.account_id,
    plan: account?.plan ?? null,
    name: key.name,
    scopes: key.scopes,
    hint: key.hint,
    state: keyState(key, now_ms),
    created_at: toTime(key.created_at_ms),
    expires_at: toTime(key.expires_at_ms),
    revoked_at: toTime(key.revoked_at_ms),
    rotated_from: key.rotated_from,
    last_used_at: toTime(key.last_used_at_ms),
  };
}

/** Returns the row with the key, and with the end of the one before. */
export function toNewKeyJson({ made, account, before }: NewKeyRow, now_ms: number) {
  const { id, ...rest } = toKeyJson({ key: made.record, account }, now_ms);
  const ended = before && { id: before.id, expires_at: toTime(before.expires_at_ms) };
  return { id, key: made.key, ...rest, ...(ended && { before: ended }) };
}

export function toUsageJson(month: string, rows: readonly UsageRow[]) {
  return { month, ...sumUsage(rows), rows: orderUsage(rows) };
}

export function sumUsage(rows: readonly UsageRow[]): { units: number; requests: number } {
  const sum = (pick: (row: UsageRow) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  return { units: sum(({ units }) => units), requests: sum(({ requests }) => requests) };
}

/** Orders by key, then operation, then day. Anonymous use comes last. */
export function orderUsage(rows: readonly UsageRow[]): UsageRow[] {
  const order = ({ key_id, operation, day }: UsageRow): string =>
    [key_id ?? "\uffff", operation, day].join("\u0000");
  return rows.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

function toTime(at_ms: number | null): string | null {
  return at_ms === null ? null : toRfc3339(at_ms / 1000);
}
