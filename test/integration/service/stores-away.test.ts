/**
 * Stores of a fleet that are away, read-only or full, at the start and while a service runs: who is
 * answered, what metrics and the log say, and that all of it is right again when the store is back.
 */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Engine,
  NO_POSTGRES,
  NO_VALKEY,
  type PostgresEngine,
  runSql,
  startPostgres,
  startValkey,
} from "../../support/engines.ts";
import { post, toSearch } from "./capabilities.ts";
import { type Client, type LogLine, serve, type Started } from "./support.ts";

const NEAR = "/v1/nearby?lat=48.8566&lon=2.3522";
const ADMIN_TOKEN = "a-token-of-sixteen";
const GIVE_UP_MS = 120_000;

type Line = LogLine & {
  store?: string;
  reason?: string;
  part?: string;
  by?: string;
  detail?: string;
  since?: string;
  waited_s?: number;
};
type Running = {
  client: Client;
  service: Started["service"];
  lines: Line[];
  /** Lines about stores, as `msg store reason`. */
  reported(): string[];
  metric(name: string): Promise<number | null>;
  /** The series of the build. */
  build(): Promise<string>;
  ask(path: string, key?: string): Promise<string>;
  admin(path: string, body: object): Promise<string>;
};

async function run(t: TestContext, variables: Record<string, string>): Promise<Running> {
  const lines: Line[] = [];
  const { client, service } = await serve(t, {
    timetables: false,
    variables: { ADMIN_TOKEN, LOG_LEVEL: "info", ...variables },
    onLine: (line) => void lines.push(line),
  });
  const toText = ({ status, text }: { status: number; text: string }): string => {
    const { error } = JSON.parse(text) as { error?: { code: string; message: string } };
    return error ? `${status} ${error.code} ${error.message}` : String(status);
  };
  return {
    client,
    service,
    lines,
    reported: () =>
      lines
        .filter(({ msg = "" }) => msg.startsWith("store "))
        .map(({ msg, store, reason = "" }) => `${msg} ${store} ${reason}`.trim()),
    async metric(name) {
      const { text } = await client.call(`${service.admin_url}/metrics`);
      const line = text.split("\n").find((each) => each.startsWith(`${name} `));
      return line === undefined ? null : Number(line.slice(name.length + 1));
    },
    async build() {
      const { text } = await client.call(`${service.admin_url}/metrics`);
      return text.split("\n").find((each) => each.startsWith("svc_build_info")) ?? "absent";
    },
    async ask(path, key) {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      return toText(await client.call(service.url + path, { headers }));
    },
    async admin(path, body) {
      const headers = {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        "content-type": "application/json",
      };
      const options = { method: "POST", headers, body };
      return toText(await client.call(`${service.admin_url}/admin${path}`, options));
    },
  };
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const until_ms = performance.now() + GIVE_UP_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < until_ms, what);
    await pause(50);
  }
}

const LOST = "503 store_unavailable the key store cannot be reached; try again";
const FAILING = (store: string, reason: string): string =>
  `svc_store_failing{store="${store}",reason="${reason}"}`;

if (NO_POSTGRES) test("PostgreSQL away", { skip: NO_POSTGRES }, () => undefined);
else await testPostgres((await startPostgres())!);
if (NO_VALKEY) test("Valkey away", { skip: NO_VALKEY }, () => undefined);
else await testValkey((await startValkey())!);

async function testPostgres(engine: PostgresEngine): Promise<void> {
  after(() => engine.stop());

  test("a service starts without PostgreSQL, serves callers without a key, and joins when it comes", async (t) => {
    const url = await engine.createDatabase();
    await engine.kill();
    const running = await run(t, { VICINITY_STORE_URL: url });
    const { ask, metric, service } = running;
    const { key } = service.keys.find(({ plan }) => plan === "developer")!;
    assert.equal(await ask(NEAR), "200");
    assert.equal(await ask(NEAR, key), LOST, "never 429, and never 401");
    assert.equal(await ask("/v1/me", key), LOST);
    assert.equal(await metric("svc_store_up"), 0);
    assert.equal(await metric(FAILING("postgresql", "unreachable")), 1);
    assert.equal(await metric('svc_store_refused_total{store="keys"}'), 2);
    // Of what has not been seen nothing is stated.
    assert.doesNotMatch(await running.build(), /postgres/);
    assert.equal(await metric("svc_unknown_plans"), null);
    const waits = running.lines.filter(({ msg = "" }) =>
      msg.startsWith("the store is away at the start"),
    );
    assert.equal(waits.length, 1);
    const { store, reason, detail, since } = waits[0]!;
    assert.deepEqual([waits[0]!.level, store, reason], [40, "postgresql", "unreachable"]);
    // A server that was killed may accept a moment longer, and end what it has accepted.
    assert.match(detail ?? "", /ECONNREFUSED|terminated unexpectedly/);
    assert.ok(Date.parse(since ?? "") > 0, "since when");
    assert.deepEqual(running.reported(), ["store away postgresql unreachable"]);
    // What is used meanwhile is in the journal.
    await until(async () => ((await metric("svc_usage_spool_depth")) ?? 0) > 0, "usage is kept");
    assert.match(await running.admin("/keys", { plan: "developer" }), /^503 store_unavailable/);

    const named = (): string[] => running.lines.flatMap(({ by }) => by ?? []);
    assert.deepEqual(named(), [], "names of addresses are made with the secret of the fleet");
    await engine.restart();
    await until(async () => (await ask(NEAR, key)) === "200", "keys are known once it is there");
    await until(async () => (await ask(NEAR)) === "200" && named().length > 0, "and so are names");
    assert.equal(await running.admin("/keys", { plan: "developer" }), "201");
    await until(async () => (await metric("svc_usage_spool_depth")) === 0, "usage is handed over");
    const rows = await runSql(
      url,
      "SELECT sum(units)::int AS units FROM vicinity_sandbox.usage_day WHERE coalesce(account_id, '') = ''",
    );
    assert.ok(Number(rows[0]!["units"]) >= 1, "the units of callers without a key");
    await until(async () => (await metric("svc_store_up")) === 1, "up again");
    await until(async () => (await metric("svc_unknown_plans")) === 0, "accounts are counted");
    assert.match(await running.build(), /vicinity\.db \d+, datasets\.db \d+, postgres\.accounts 2/);
    const texts = running.lines.map(({ msg = "" }) => msg);
    assert.equal(texts.filter((msg) => msg === "the tables of the store were made").length, 1);
    const available = running.lines.filter(
      ({ msg }) => msg === "the store that was waited for is there",
    );
    assert.equal(available.length, 1);
    assert.ok(available[0]!.waited_s! >= 0);
    // A server on its way may refuse once before it accepts (57P03), which is another reason.
    const starting = "store away postgresql refused";
    assert.deepEqual(
      running.reported().filter((line) => line !== starting),
      ["store away postgresql unreachable", "store back postgresql"],
    );
    const errors = running.lines.filter(
      (line) => line.level >= 50 && !(line.msg === "store away" && line.reason === "refused"),
    );
    assert.equal(errors.length, 1, JSON.stringify(errors));
  });

  test("a PostgreSQL that takes no writes is away, with the reason; known keys go on, changes are 503", async (t) => {
    const url = await engine.createDatabase();
    const { pathname } = new URL(url);
    const running = await run(t, { VICINITY_STORE_URL: url });
    const { ask, metric, service } = running;
    const { key } = service.keys.find(({ plan }) => plan === "developer")!;
    assert.equal(await ask(NEAR, key), "200");
    assert.deepEqual([await metric("svc_store_up"), running.reported()], [1, []]);
    const name = pathname.slice(1);
    const alter = async (change: string): Promise<void> => {
      await runSql(engine.url, `ALTER DATABASE ${name} ${change}`);
      // New sessions have it.
      const all = `SELECT pid FROM pg_stat_activity WHERE datname = '${name}'`;
      await runSql(engine.url, `SELECT pg_terminate_backend(pid) FROM (${all}) AS _`);
    };
    await alter("SET default_transaction_read_only = on");
    await until(async () => (await metric(FAILING("postgresql", "read_only"))) === 1, "found");
    assert.equal(await metric("svc_store_up"), 0);
    assert.equal(await ask(NEAR, key), "200");
    assert.equal(
      await running.admin("/keys", { plan: "developer" }),
      "503 store_unavailable the store is read-only: nothing was changed",
    );
    await alter("RESET default_transaction_read_only");
    await until(async () => (await metric("svc_store_up")) === 1, "up again");
    assert.equal(await running.admin("/keys", { plan: "developer" }), "201");
    const reported = running.reported();
    assert.ok(reported.includes("store away postgresql read_only"), reported.join());
    assert.equal(reported.at(-1), "store back postgresql");
    assert.ok(reported.length <= 4, reported.join());
  });

  test("a PostgreSQL that becomes a copy while the service runs: who is answered, what is counted, nothing is lost", async (t) => {
    const url = await engine.createDatabase();
    const running = await run(t, { VICINITY_STORE_URL: url });
    const { ask, metric, service, client } = running;
    const made = await client.json<{ key: string }>(`${service.admin_url}/admin/keys`, {
      method: "POST",
      body: { plan: "developer", name: "not asked with yet" },
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    });
    const { key } = service.keys.find(({ plan }) => plan === "developer")!;
    let units = 0;
    const counted = async (with_key: string): Promise<void> => {
      assert.equal(await ask(NEAR, with_key), "200");
      units += 1;
    };
    const search = async (): Promise<string> => {
      const body = toSearch({ lat: 48.8566, lon: 2.3522, limit: 5 }, null);
      const { status, text } = await post(client, service, body, { key });
      const { error } = JSON.parse(text) as { error?: { code: string } };
      return error ? `${status} ${error.code}` : String(status);
    };
    await counted(key);
    t.after(() => turnReadOnly(engine.url, false));
    await turnReadOnly(engine.url, true);
    await until(async () => (await metric(FAILING("postgresql", "read_only"))) === 1, "found");
    assert.equal(await metric("svc_store_up"), 0);
    for (let i = 0; i < 5; i++) await counted(key);
    // Keys are read, and a copy answers that.
    await counted(made.key);
    assert.equal(await ask(NEAR), "200");
    assert.match(await ask("/v1/me", key), /^200/);
    assert.match(
      await search(),
      /^503 store_unavailable$/,
      "what cannot be stored is refused, and reported",
    );
    assert.match(
      await running.admin("/keys", { plan: "developer" }),
      /^503 store_unavailable the store is read-only/,
    );
    assert.equal((await client.call(`${service.url}/health`)).status, 200);
    assert.equal(
      (await client.call(`${service.admin_url}/readyz`)).status,
      200,
      "others are no better",
    );
    assert.ok(((await metric("svc_usage_spool_depth")) ?? 0) >= 6, "usage waits in the journal");
    await turnReadOnly(engine.url, false);
    await until(async () => (await metric("svc_store_up")) === 1, "up again");
    await until(async () => (await metric("svc_usage_spool_depth")) === 0, "usage is handed over");
    assert.equal(await search(), "200");
    assert.equal(await running.admin("/keys", { plan: "developer" }), "201");
    const [row] = await runSql(
      url,
      "SELECT sum(units)::int AS units FROM vicinity_sandbox.usage_day WHERE account_id <> '' AND operation NOT ILIKE '%capabilit%'",
    );
    assert.equal(row!["units"], units, "to the unit");
    const reported = running.reported();
    assert.deepEqual(reported, ["store away postgresql read_only", "store back postgresql"]);
    const errors = running.lines.filter(({ level }) => level >= 50);
    assert.equal(errors.length, 1, JSON.stringify(errors));
  });
}

/** A failover that leaves connections open: from one statement to the next the server takes no writes. */
async function turnReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  const setting = `default_transaction_read_only = ${isReadOnly ? "on" : "off"}`;
  // By a transaction of its own, which the setting does not keep from writing.
  await runSql(url, `ALTER SYSTEM SET ${setting}`);
  await runSql(url, "SELECT pg_reload_conf()");
}

async function testValkey(engine: Engine): Promise<void> {
  after(() => engine.stop());
  const connect = async () => {
    const { Redis } = await import("iovalkey");
    return new Redis(engine.url);
  };

  test("a Valkey that refuses us at the start is away, once in the log", async (t) => {
    const wrong = engine.url.replace("redis://", "redis://stranger:secret@");
    const running = await run(t, { VICINITY_SHARED_URL: wrong });
    await until(async () => running.reported().length > 0, "it is said");
    await pause(2_000);
    assert.deepEqual(running.reported(), ["store away valkey refused"]);
    assert.equal(await running.metric("svc_shared_up"), 0);
    assert.equal(await running.ask(NEAR), "200");
    assert.doesNotMatch(JSON.stringify(running.lines), /secret/);
  });

  test("a Valkey that is full or a copy is away with the reason: two lines, not hundreds", async (t) => {
    const admin = await connect();
    t.after(() => admin.disconnect());
    const running = await run(t, { VICINITY_SHARED_URL: engine.url });
    const { metric, ask, reported } = running;
    assert.equal(await metric("svc_shared_up"), 1);
    await admin.config("SET", "maxmemory-policy", "noeviction");
    await admin.config("SET", "maxmemory", "1");
    await until(async () => (await metric(FAILING("valkey", "full"))) === 1, "full");
    assert.equal(await metric("svc_shared_up"), 0);
    for (let i = 0; i < 20; i++) assert.equal(await ask(NEAR), "200");
    const fallbacks = await metric('svc_shared_fallbacks_total{use="limits"}');
    assert.ok((fallbacks ?? 0) >= 20, `${fallbacks} decided alone`);
    await admin.config("SET", "maxmemory", "0");
    await until(async () => (await metric("svc_shared_up")) === 1, "up again");
    assert.deepEqual(reported(), ["store away valkey full", "store back valkey"]);

    // A copy of a server that is not there.
    await admin.call("REPLICAOF", "127.0.0.1", "1");
    await until(async () => (await metric(FAILING("valkey", "read_only"))) === 1, "a copy");
    await pause(5_000);
    assert.equal(await metric("svc_shared_up"), 0, "it does not flap");
    assert.ok(reported().length <= 4, reported().join());
    await admin.call("REPLICAOF", "NO", "ONE");
    await until(async () => (await metric("svc_shared_up")) === 1, "up again");
    assert.equal(reported().at(-1), "store back valkey");
    assert.ok(reported().length <= 5, reported().join());
  });
}
