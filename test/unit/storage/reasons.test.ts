/** Why a store failed: what the file system, SQLite, PostgreSQL and Valkey state, as one of six words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { folderFailure, postgresFailure, refusalOf } from "#storage/store-reasons.ts";

const withCode = (code: string, message = code): Error =>
  Object.assign(new Error(message), { code });

test("the file system and SQLite say that a disk is full, read-only or damaged", () => {
  const sqlite = (errcode: number): Error =>
    Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode });
  const cases: [error: unknown, reason: string | undefined][] = [
    [withCode("ENOSPC"), "full"],
    [withCode("EDQUOT"), "full"],
    [withCode("EROFS"), "read_only"],
    [withCode("EACCES"), "read_only"],
    [withCode("EIO"), "broken"],
    [sqlite(13), "full"],
    // SQLITE_READONLY_DBMOVED, SQLITE_IOERR_WRITE: extended codes of 8 and 10.
    [sqlite(1032), "read_only"],
    [sqlite(778), "broken"],
    [sqlite(11), "broken"],
    [sqlite(5), "late"],
    // A constraint, and a defect of ours.
    [sqlite(19), undefined],
    [new TypeError("x"), undefined],
    [withCode("ENOENT"), undefined],
  ];
  for (const [error, reason] of cases)
    assert.equal(folderFailure(error)?.reason, reason, JSON.stringify(error));
});

test("PostgreSQL says that it is read-only, full, busy, or refuses; a constraint says nothing", () => {
  const cases: [code: string, reason: string | undefined][] = [
    ["25006", "read_only"],
    ["53100", "full"],
    ["57014", "late"],
    ["53300", "refused"],
    ["57P01", "refused"],
    ["57P03", "refused"],
    ["28P01", "refused"],
    ["3D000", "refused"],
    ["42501", "refused"],
    ["58030", "broken"],
    ["XX001", "broken"],
    ["23505", undefined],
    ["42P01", undefined],
  ];
  for (const [code, reason] of cases)
    assert.equal(postgresFailure(withCode(code))?.reason, reason, code);
  assert.equal(postgresFailure(withCode("ECONNREFUSED"))?.reason, "unreachable");
  assert.equal(postgresFailure(withCode("ENOTFOUND"))?.reason, "unreachable");
  assert.equal(postgresFailure(new Error("Query read timeout"))?.reason, "late");
  const several = new AggregateError([withCode("ECONNREFUSED", "connect ECONNREFUSED ::1:1")]);
  assert.deepEqual(postgresFailure(several), {
    reason: "unreachable",
    detail: "connect ECONNREFUSED ::1:1",
  });
});

test("Valkey says that it is full, a copy, or refuses us; what concerns one command says nothing", () => {
  const cases: [message: string, reason: string | undefined][] = [
    ["OOM command not allowed when used memory > 'maxmemory'.", "full"],
    ["READONLY You can't write against a read only replica.", "read_only"],
    ["MISCONF Redis is configured to save RDB snapshots, but it's unable to persist", "broken"],
    ["WRONGPASS invalid username-password pair or user is disabled.", "refused"],
    ["NOAUTH Authentication required.", "refused"],
    ["NOSCRIPT No matching script.", undefined],
    ["ERR value is not an integer or out of range", undefined],
    ["NOPERM this user has no permissions to run the 'script' command", undefined],
  ];
  for (const [message, reason] of cases) assert.equal(refusalOf(message)?.reason, reason, message);
});
