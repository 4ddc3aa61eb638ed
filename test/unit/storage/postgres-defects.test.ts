/** What code of ours throws in a store of a fleet is reported with its stack; what the store does is not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptQuery } from "#storage/postgres/attempt.ts";
import { createPostgresClaims } from "#storage/postgres/postgres-claims.ts";
import { createDatasetReader } from "#storage/postgres/datasets-reader.ts";
import { createPostgresReservations } from "#storage/postgres/reservations.ts";

/** A pool whose statements end with this error. */
function openFailing(error: Error) {
  const defects: unknown[] = [];
  const pool = {
    query: async (): Promise<never> => {
      throw error;
    },
    noteDefect: (each: unknown) => void defects.push(each),
  };
  return { pool, defects };
}

const refused = Object.assign(new Error("duplicate key"), { code: "23505", severity: "ERROR" });
const CASES: readonly [name: string, error: Error, isOurs: boolean][] = [
  ["a member of undefined", new TypeError("Cannot read properties of undefined"), true],
  ["an array that is too long", new RangeError("Invalid array length"), true],
  ["a name that is not there", new ReferenceError("x is not defined"), true],
  ["a text that is no JSON", new SyntaxError("Unexpected token"), true],
  ["a subclass of a defect", new (class extends TypeError {})("mine"), true],
  ["a refusal of the server", refused, false],
  ["a server that is away", Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), false],
  ["a statement that took too long", new Error("Query read timeout"), false],
  ["a connection that ended", new Error("Connection terminated unexpectedly"), false],
  ["what the system refuses", Object.assign(new TypeError("x"), { code: "ERR_SOCKET" }), false],
];

for (const [name, error, isOurs] of CASES)
  test(`${name} is ${isOurs ? "reported with its stack" : "a store that failed"}`, async () => {
    const expected = isOurs ? [error] : [];
    const { pool, defects } = openFailing(error);
    assert.equal(await attemptQuery(pool, () => Promise.reject(error)), null);
    assert.deepEqual(defects, expected);
    if (isOurs) assert.match((defects[0] as Error).stack!, /postgres-defects/);
    for (const use of [
      () => createPostgresClaims(pool).claim(new Uint8Array(4), 1_000),
      () => createDatasetReader(pool).count("a", 0),
      () => createDatasetReader(pool).findRepeat(new Uint8Array(4), 0),
    ]) {
      defects.length = 0;
      await use();
      assert.deepEqual(defects, expected, use.toString());
    }
    defects.length = 0;
    await createPostgresReservations(pool, { newEventId: () => "e" }).reserve({
      account_id: "a",
      period: "2026-11",
      units: 1,
      most: 2,
    });
    assert.equal(new Set(defects).size, expected.length);
  });
