/** Why a store failed, by what the file system, SQLite, PostgreSQL or Valkey state of it. */
import { toLine } from "#storage/error-line.ts";
import type { Failing, Reason } from "#storage/store-health.ts";

/** Errors of the file system (errno). */
const BY_ERRNO: Readonly<Record<string, Reason>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "read_only",
  EACCES: "read_only",
  EPERM: "read_only",
  EIO: "broken",
};

/** Primary codes of SQLite (sqlite3.h): the lower eight bits of what it states. */
const BY_SQLITE: Readonly<Record<number, Reason>> = {
  3: "read_only",
  5: "late",
  6: "late",
  8: "read_only",
  10: "broken",
  11: "broken",
  13: "full",
  14: "broken",
  26: "broken",
};

/** SQLSTATE, whole or its class: what is not listed says nothing about the store. */
const BY_SQLSTATE: readonly [pattern: RegExp, reason: Reason][] = [
  [/^25006$/, "read_only"],
  [/^53100$/, "full"],
  [/^57014$|^55P03$/, "late"],
  [/^(53|57P|28|3D|42501|3F)/, "refused"],
  [/^(58|XX)/, "broken"],
];

/** First words of what Valkey and Redis refuse. */
const BY_REFUSAL: readonly [pattern: RegExp, reason: Reason][] = [
  [/^READONLY/, "read_only"],
  [/^OOM/, "full"],
  [/^MISCONF/, "broken"],
  [/^(WRONGPASS|NOAUTH|ERR max number of clients|LOADING|MASTERDOWN)/, "refused"],
  [/^CLUSTERDOWN/, "unreachable"],
];

/** Why a write to the data folder failed; null: it says nothing about the disk. */
export function folderFailure(error: unknown): Failing | null {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  const reason =
    typeof errcode === "number"
      ? BY_SQLITE[errcode & 0xff]
      : BY_ERRNO[typeof code === "string" ? code : ""];
  return reason === undefined ? null : { reason, detail: toLine(error) };
}

/**
 * Why a statement failed; null: the server has judged the statement and nothing else, as by a
 * constraint.
 */
export function postgresFailure(error: unknown): Failing | null {
  const detail = toLine(error);
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const { code } = (first ?? {}) as { code?: unknown };
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E")) {
    const match = BY_SQLSTATE.find(([pattern]) => pattern.test(code));
    return match ? { reason: match[1], detail } : null;
  }
  return { reason: /timeout|timed out/i.test(detail) ? "late" : "unreachable", detail };
}

/** Why Valkey refused a command; null: of that command alone, such as an unknown script. */
export function refusalOf(message: string): Failing | null {
  const match = BY_REFUSAL.find(([pattern]) => pattern.test(message));
  return match ? { reason: match[1], detail: message } : null;
}
