/** Accounts in PostgreSQL: the suite of the port, and what a server elsewhere adds: silence, notices. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createClock } from "#process/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";
import type { Accounts } from "#ports.ts";
import { openPostgres } from "#storage/postgres/open-postgres.ts";
import { cutNotices } from "../support/cut-notices.ts";
import { NO_POSTGRES, runSql, startPostgres } from "../support/engines.ts";
import { accountsSuite } from "./accounts.ts";
import { within } from "../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());

const skip = NO_POSTGRES;
const NOTICE_MS = within(5_000);

type Replica = { accounts: Accounts; faults: unknown[]; close(): Promise<void> };

async function open(t: TestContext, url: string): Promise<Replica> {
  const faults: unknown[] = [];
  const store = await openPostgres({
    url,
    mode: "live",
    clock: createClock(),
    onFault: (error) => faults.push(error),
    onDefect: assert.ifError,
  });
  assert.ok(!("problem" in store), "problem" in store ? store.problem : "");
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= store.close());
  t.after(close);
  return { accounts: store.accounts, faults, close };
}

if (skip === false)
  accountsSuite("postgres", {
    durable: true,
    notice_ms: NOTICE_MS,
    async open(t) {
      const url = await engine.createDatabase();
      const first = await open(t, url);
      return {
        accounts: first.accounts,
        openOther: async () => (await open(t, url)).accounts,
        async reopen() {
          await first.close();
          return (await open(t, url)).accounts;
        },
      };
    },
  });

test(
  "a notice names what was written; after a lost one any change is possible",
  { skip },
  async (t) => {
    const url = await engine.createDatabase();
    const [writer, reader] = [await open(t, url), await open(t, url)];
    const { accounts } = writer;
    const changesOf = async (write: () => unknown): Promise<unknown> => {
      const before = reader.accounts.version();
      await write();
      await until(() => {
        const now = reader.accounts.version();
        return now !== before && now === accounts.version();
      });
      const changes = reader.accounts.changesSince(before);
      return changes && changes.map((each) => (each.what === "key" ? [...each.hash] : each.id));
    };
    const bytes = (of: number): number[] => Array.from({ length: 32 }, (_, i) => (i * of) & 255);
    const key = (id: string, of: number) => ({
      id,
      account_id: ADA.id,
      name: null,
      scopes: [],
      hash: Uint8Array.from(bytes(of)),
      hint: "",
      created_at_ms: 1,
      expires_at_ms: null,
      revoked_at_ms: null,
      rotated_from: null,
      last_used_at_ms: null,
    });
    // A read at the very moment of a write sees the version before the name of what changed: that is rare.
    const attempt = async (write: () => unknown, expected: unknown): Promise<boolean> => {
      const changes = await changesOf(write);
      if (changes !== null) assert.deepEqual(changes, expected);
      return changes !== null;
    };
    const names = [
      await attempt(() => accounts.createAccount(ADA), [ADA.id]),
      await attempt(() => accounts.createKey(key("key_1", 3)), [bytes(3)]),
      await attempt(() => accounts.setAccount(ADA.id, { plan: "business" }), [ADA.id]),
      await attempt(() => accounts.rotateKey("key_1", key("key_2", 5), 9), [bytes(3), bytes(5)]),
      await attempt(() => accounts.revokeKey("key_2", 7), [bytes(5)]),
      await attempt(
        () => runSql(url, "DELETE FROM vicinity_live.api_key WHERE id = 'key_1'"),
        [bytes(3)],
      ),
    ];
    assert.ok(names.filter(Boolean).length >= 3, names.join());
    const all = "TRUNCATE vicinity_live.api_key";
    assert.equal(await changesOf(() => runSql(url, all)), null, "all of them at once");
    const other = `UPDATE vicinity_live.account SET id = 'acc_lovelace' WHERE id = '${ADA.id}'`;
    assert.equal(await changesOf(() => runSql(url, other)), null, "known by another id");
    const far = "x".repeat(9_000);
    const long = `INSERT INTO vicinity_live.account VALUES ('${far}', 'Far', 'free', 'active', 1)`;
    assert.equal(await changesOf(() => runSql(url, long)), null, "longer than a notice may be");
  },
);

/** Connections of replicas that listen for notices. */
const LISTENING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE 'LISTEN%'`;

const ADA = {
  id: "acc_ada",
  name: "Ada",
  plan: "developer",
  standing: "active" as const,
  created_at_ms: 1_795_262_400_123,
};

test(
  "a write reaches the other replicas by notice, and without notices by asking",
  { skip },
  async (t) => {
    const url = await engine.createDatabase();
    const [writer, reader] = [await open(t, url), await open(t, url)];
    await writer.accounts.createAccount(ADA);
    await until(() => reader.accounts.version() === writer.accounts.version());
    const noticed_ms = await delayOf(writer, reader, "business");
    assert.ok(noticed_ms < 900, `${noticed_ms} ms: earlier than by asking`);
    await cutNotices(url, "vicinity_live");
    const asked_ms = await delayOf(writer, reader, "unlimited");
    assert.ok(asked_ms < 5_000, `${asked_ms} ms`);
  },
);

test("a lost connection for notices is reopened", { skip }, async (t) => {
  const url = await engine.createDatabase();
  const [writer, reader] = [await open(t, url), await open(t, url)];
  await writer.accounts.createAccount(ADA);
  await until(async () => (await runSql(url, LISTENING)).length === 2);
  const ended = await runSql(url, `SELECT pg_terminate_backend(pid) FROM (${LISTENING}) AS _`);
  assert.equal(ended.length, 2);
  await until(async () => (await runSql(url, LISTENING)).length === 2);
  assert.ok((await delayOf(writer, reader, "business")) < 900);
  assert.ok(reader.faults.length > 0, "the loss is reported");
});

test(
  "writes made while no connection listened are looked up on reconnection",
  { skip },
  async (t) => {
    const url = await engine.createDatabase();
    const writer = await open(t, url);
    await writer.accounts.createAccount(ADA);
    // Its clock moves only by hand: no poll falls due and no connection is made again before that.
    const time = createManualClock(0);
    const faults: unknown[] = [];
    const onFault = (error: unknown): void => void faults.push(error);
    const store = await openPostgres({
      url,
      mode: "live",
      clock: createClock(),
      time,
      onFault,
      onDefect: assert.ifError,
    });
    assert.ok(!("problem" in store));
    t.after(store.close);
    const reader = { accounts: store.accounts };
    await until(async () => (await runSql(url, LISTENING)).length === 2);
    assert.ok((await delayOf(writer, reader, "business")) < 900);
    await runSql(url, `SELECT pg_terminate_backend(pid) FROM (${LISTENING}) AS _`);
    await until(() => faults.length > 0);
    const before = reader.accounts.version();
    await writer.accounts.setAccount(ADA.id, { plan: "unlimited" });
    assert.equal(reader.accounts.version(), before);
    await time.advance(100);
    await until(() => reader.accounts.version() !== before);
  },
);

test(
  "a frozen store is distinguished from an unknown key, and no caller hangs",
  { skip },
  async (t) => {
    const { accounts, faults } = await open(t, await engine.createDatabase());
    await accounts.createAccount(ADA);
    engine.freeze();
    t.after(() => engine.thaw());
    const begun = performance.now();
    const look = (): Promise<unknown> =>
      Promise.resolve(accounts.findKeyByHash(new Uint8Array(32)));
    await assert.rejects(look(), { code: "store_unavailable" });
    assert.ok(performance.now() - begun < within(2_500));
    await until(() => isSilent(accounts));
    assert.ok(performance.now() - begun < within(4_000), "silent for two seconds is lost");
    const lost = performance.now();
    await assert.rejects(look(), { code: "store_unavailable" });
    assert.ok(performance.now() - lost < within(100), "at once, once it is known");
    await until(() => faults.length > 0);
    engine.thaw();
    await until(() => !isSilent(accounts));
    assert.equal(await look(), null);
    assert.ok(faults.length < 5, `${faults.length} faults: of a silence, once`);
  },
);

test("a killed store restarts with everything that was written", { skip }, async (t) => {
  const url = await engine.createDatabase();
  const { accounts } = await open(t, url);
  await accounts.createAccount(ADA);
  await engine.kill();
  await assert.rejects(async () => accounts.findAccount(ADA.id), { code: "store_unavailable" });
  await until(() => isSilent(accounts));
  await engine.restart();
  await until(() => !isSilent(accounts));
  assert.deepEqual(await accounts.findAccount(ADA.id), ADA);
  const other = await open(t, url);
  assert.ok((await delayOf(other, { accounts }, "business")) < 5_000);
});

test("an unusable store is reported in one line without the password", { skip }, async () => {
  const onFault = (): void => undefined;
  const free = engine.url.replace(/:\d+\//, ":1/");
  const wrong: [url: string, line: RegExp][] = [
    [free.replace("vicinity@", "vicinity:secret@"), /: connect ECONNREFUSED 127\.0\.0\.1:1$/],
    [engine.url.replace("/postgres", "/nowhere"), /: database "nowhere" does not exist$/],
  ];
  for (const [url, line] of wrong) {
    const refused = await openPostgres({
      url,
      mode: "live",
      clock: createClock(),
      onFault,
      onDefect: assert.ifError,
    });
    assert.ok("problem" in refused);
    assert.match(refused.problem, /^the store of VICINITY_STORE_URL cannot be used: /);
    assert.match(refused.problem, line);
    assert.doesNotMatch(refused.problem, /secret|\n/);
  }
});

/** From the end of a write here until the other replica's version has changed, in ms. */
async function delayOf(
  writer: Pick<Replica, "accounts">,
  reader: Pick<Replica, "accounts">,
  plan: string,
): Promise<number> {
  const before = reader.accounts.version();
  await writer.accounts.setAccount(ADA.id, { plan });
  const begun = performance.now();
  await until(() => reader.accounts.version() !== before);
  return performance.now() - begun;
}

function isSilent(accounts: Accounts): boolean {
  try {
    accounts.version();
    return false;
  } catch {
    return true;
  }
}

/** For real servers: their time is the machine's. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(2);
}
