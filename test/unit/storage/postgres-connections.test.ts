/**
 * Connections to PostgreSQL over a driver that a test plays: what is sent, which connection is used again,
 * what health receives, and when a lost line of notices is tried again. The suite `long` has the real one.
 */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import type { Driver } from "#storage/postgres/driver.ts";
import { StoreNotices } from "#storage/postgres/postgres-notices.ts";
import { createPool } from "#storage/postgres/pool.ts";
import { WriteProbe } from "#storage/postgres/write-probe.ts";
import { dump } from "#storage/postgres/dump.ts";
import { noFault } from "../../support/faults.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const ADDRESS = { url: "postgres://db.example/vicinity", mode: "live" } as const;
const real = { types: pg.types, DatabaseError: pg.DatabaseError };

type Sent = { text: string; name?: string; query_timeout: number };

/** `answer` is asked for each statement; what it throws is how the server answers. */
function openPool(answer: (text: string) => object[]) {
  const sent: Sent[] = [];
  const events: string[] = [];
  const client = Object.assign(new EventEmitter(), {
    async query(request: Sent) {
      sent.push(request);
      return { rows: answer(request.text) };
    },
    release: (isUnfit: boolean) => events.push(isUnfit ? "closed" : "used again"),
  });
  class Pool extends EventEmitter {
    connect = async () => client;
    end = async () => void events.push("ended");
  }
  const driver = { ...real, Pool, Client: EventEmitter } as unknown as Driver;
  const pool = createPool(driver, ADDRESS, {
    onFault: noFault.bind(null, "pool"),
    onDefect: () => events.push("defect"),
    health: {
      succeed: (part) => events.push(`${part} well`),
      fail: (part, { reason }) => events.push(`${part} ${reason}`),
    },
  });
  return { pool, sent, events };
}

function refusal(code: string, severity = "ERROR"): Error {
  return Object.assign(new pg.DatabaseError("refused", 7, "error"), { code, severity });
}

const READ = "SELECT 1";
const WRITE = "INSERT INTO a VALUES (1)";
const AWAY = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
const STATEMENTS: readonly [text: string, error: Error | null, events: readonly string[]][] = [
  [READ, null, ["used again", "statements well"]],
  [WRITE, null, ["used again", "statements well", "writes well"]],
  ["SELECT reserve_units(1)", null, ["used again", "statements well", "writes well"]],
  // The server judged it: the connection is well, and so is the store.
  [WRITE, refusal("23505"), ["used again", "statements well"]],
  [READ, AWAY, ["closed", "statements unreachable"]],
  [WRITE, refusal("25006"), ["used again", "writes read_only"]],
  [WRITE, refusal("53100"), ["used again", "writes full"]],
  [READ, refusal("57P01", "FATAL"), ["closed", "statements refused"]],
  // A defect of ours says nothing of the server.
  [READ, new TypeError("x of undefined"), ["closed", "statements well"]],
];

for (const [text, error, expected] of STATEMENTS)
  test(`${text}: ${error === null ? "well" : error.message} ${(error as { code?: string })?.code ?? ""}`, async () => {
    const { pool, events } = openPool(() => {
      if (error !== null) throw error;
      return [{ n: 1 }];
    });
    const outcome = await pool.query(text, []).then(
      (rows) => rows,
      (thrown: unknown) => thrown,
    );
    assert.deepEqual(outcome, error ?? [{ n: 1 }]);
    assert.deepEqual(events, expected);
    assert.equal(
      pool.isRefusal(error),
      error instanceof pg.DatabaseError && expected[0] === "used again",
    );
  });

test("a statement with values has a name and two seconds in all; a text alone has no name", async () => {
  const { pool, sent } = openPool(() => []);
  await pool.query(READ, []);
  await pool.query(READ, [1]);
  await pool.query(WRITE, []);
  await pool.query("BEGIN; COMMIT");
  assert.equal(sent[0]!.name, sent[1]!.name);
  assert.notEqual(sent[0]!.name, sent[2]!.name);
  assert.match(sent[0]!.name!, /^[\w-]{20}$/);
  assert.equal(sent[3]!.name, undefined);
  for (const { query_timeout } of sent) assert.ok(query_timeout >= 1 && query_timeout <= 2_000);
});

test("a transaction is committed, rolled back where it was refused, or its connection is closed", async () => {
  const CASES: readonly [error: Error | null, last: string, events: readonly string[]][] = [
    [null, "COMMIT", ["used again", "statements well", "writes well"]],
    [refusal("23505"), "ROLLBACK", ["used again", "statements well"]],
    [AWAY, READ, ["closed", "statements unreachable"]],
  ];
  for (const [error, last, expected] of CASES) {
    const { pool, sent, events } = openPool((text) => {
      if (error !== null && text === READ) throw error;
      return [];
    });
    const done = pool.transact((query) => query(READ, []), { timeout_ms: 700 });
    if (error === null) await done;
    else await assert.rejects(done, error);
    assert.equal(sent[0]!.text, "BEGIN; SET LOCAL statement_timeout = 700");
    assert.equal(sent.at(-1)!.text, last);
    assert.deepEqual(events, expected);
  }
});

test("a dump reads the rows of each table in batches, and closes each cursor", async () => {
  const counts = [2_500, 0, 1_000];
  let left = 0;
  const seen: string[] = [];
  const answer = async (text: string): Promise<object[]> => {
    if (text.includes("pg_attribute")) return [{ name: "id" }];
    if (text.startsWith("DECLARE")) left = counts.shift() ?? 0;
    if (text === "CLOSE lines") seen.push("closed");
    const [, batch] = /^FETCH (\d+)/.exec(text) ?? [];
    if (batch === undefined) return [];
    const rows = Math.min(left, Number(batch));
    left -= rows;
    return Array.from({ length: rows }, () => ({ line: "{}" }));
  };
  const pool = { transact: (task: (query: unknown) => Promise<unknown>) => task(answer) };
  const rows: number[] = [];
  await dump(
    pool as never,
    new Map([
      ["accounts", 99],
      ["usage", 99],
    ]),
    async (table) => {
      let own = 0;
      for await (const lines of table.rows) own += lines.length;
      rows.push(own);
    },
  );
  assert.deepEqual(rows.slice(0, 3), [2_500, 0, 1_000]);
  assert.equal(seen.length, rows.length);
});

/** A line of notices whose connections come up or not as `isUp` says at that time. */
function openNotices() {
  const clock = createManualClock(0);
  const state = { isUp: true, faults: 0, tries: [] as number[], reported: [] as string[] };
  const clients: EventEmitter[] = [];
  class Client extends EventEmitter {
    async connect() {
      clients.push(this);
      state.tries.push(clock.now());
      if (!state.isUp) throw AWAY;
    }
    async query({ text }: { text: string }) {
      state.reported.push(text);
      if (!state.isUp) throw AWAY;
    }
    unref() {}
    async end() {}
  }
  const driver = { ...real, Client, Pool: EventEmitter } as unknown as Driver;
  const notices = new StoreNotices(driver, ADDRESS, { time: clock, onFault: () => state.faults++ });
  return { clock, state, notices, client: () => clients.at(-1)! };
}

test("a line that is lost is tried again, later each time up to two seconds, and at once after it was well", async () => {
  const { clock, state, notices } = openNotices();
  state.isUp = false;
  notices.start();
  await nextTurn();
  for (let step = 0; step < 100; step++) await clock.advance(100);
  const waits = state.tries.slice(1).map((at_ms, i) => at_ms - state.tries[i]!);
  assert.deepEqual(waits.slice(0, 7), [100, 200, 400, 800, 1_600, 2_000, 2_000]);
  assert.equal(state.faults, state.tries.length);
  state.isUp = true;
  await clock.advance(2_000);
  const before = state.tries.length;
  // Each five seconds it is asked whether it is still there; it is not.
  state.isUp = false;
  await clock.advance(5_000);
  state.isUp = true;
  await clock.advance(100);
  assert.equal(state.tries.length, before + 1);
  notices.close();
  await clock.advance(60_000);
  assert.equal(state.tries.length, before + 1);
});

test("listeners learn that the line is new, and then what is said on their channel", async () => {
  const { state, notices, client } = openNotices();
  const received: (string | null)[] = [];
  notices.listen("accounts", () => {
    throw new Error("a listener that fails");
  });
  notices.listen("accounts", (payload) => received.push(payload));
  notices.listen("usage", (payload) => received.push(`usage ${payload}`));
  notices.start();
  for (let i = 0; i < 5; i++) await nextTurn();
  assert.deepEqual(state.reported, ["LISTEN vicinity_live_accounts", "LISTEN vicinity_live_usage"]);
  client().emit("notification", { channel: "vicinity_live_accounts", payload: "7 k00" });
  client().emit("notification", { channel: "vicinity_live_other", payload: "x" });
  assert.deepEqual(received, [null, "usage null", "7 k00"]);
  assert.equal(state.faults, 2);
  notices.close();
});

test("a row is written each fifteen seconds, and each two while the store is away", async () => {
  const clock = createManualClock(0);
  const writes: number[] = [];
  let isUp = true;
  const probe = new WriteProbe({
    pool: {
      query: async () => {
        writes.push(clock.now());
        if (!isUp) throw AWAY;
        return [];
      },
      noteDefect: assert.ifError,
    },
    health: { isUp: () => isUp },
    time: clock,
  });
  probe.start();
  await clock.advance(14_999);
  assert.deepEqual(writes, []);
  isUp = false;
  await clock.advance(1);
  await clock.advance(2_000);
  await clock.advance(2_000);
  assert.deepEqual(writes, [15_000, 17_000, 19_000]);
  probe.close();
  await clock.advance(60_000);
  assert.equal(writes.length, 3);
});
