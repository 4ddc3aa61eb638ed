/** Two services, each a process with a data folder of its own, and the accounts of both in PostgreSQL. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { askEvents } from "../../support/event-socket.ts";
import { NO_POSTGRES, startPostgres } from "../../support/engines.ts";
import { launch, type Running, startProcess } from "../service/processes.ts";
import { createFolder } from "../service/support.ts";
import { ADMIN_TOKEN, type Caller, createCaller, strangeKey } from "./support.ts";
import { within } from "../../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());

const options = { skip: NO_POSTGRES };
/** Decisions: within this time a revocation reaches every replica. */
const NOTICED_MS = within(5_000);

const STREAM = "/v1/nearby/stream?bbox=2.345,48.852,2.36,48.862";

type Replica = { url: string; admin_url: string; running: Running; data_dir: string };

async function startReplica(t: TestContext, store_url: string): Promise<Replica> {
  const data_dir = await createFolder();
  const { running, ready } = await startProcess({ data_dir, variables: variablesOf(store_url) });
  t.after(async () => {
    running.child.kill("SIGKILL");
    await running.ended;
    await rm(data_dir, { recursive: true, force: true });
  });
  return { ...ready, running, data_dir };
}

function variablesOf(store_url: string): Record<string, string> {
  return {
    VICINITY_STORE_URL: store_url,
    ADMIN_TOKEN,
    VICINITY_ENFORCE_LIMITS: "1",
    ADMIN_PORT: "0",
  };
}

type Made = { id: string; key: string; account_id: string };

/** Through the admin API of a replica. */
function createAdmin(ask: Caller) {
  return async ({ admin_url }: Replica, path: string, body: object): Promise<Made> => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
    const reply = await ask(`${admin_url}/admin${path}`, { method: "POST", headers, body });
    assert.ok(reply.status < 300, `${path}: ${reply.status} ${reply.text}`);
    return JSON.parse(reply.text) as Made;
  };
}

/** Asks a replica about a key: the plan it is on, or the code of the refusal. */
function createPlanReader(ask: Caller) {
  return async ({ url }: Replica, key: string): Promise<string> => {
    const reply = await ask(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    const { plan } = JSON.parse(reply.text) as { plan?: { name: string } | string };
    return reply.code ?? (typeof plan === "string" ? plan : plan!.name);
  };
}

async function until(
  holds: () => Promise<boolean>,
  within_ms: number,
  what: string,
): Promise<void> {
  const until_ms = performance.now() + within_ms;
  while (!(await holds())) {
    assert.ok(performance.now() < until_ms, what);
    await pause(5);
  }
}

test(
  "a key made on one works on the other, and is refused there once revoked here",
  options,
  async (t) => {
    const store_url = await engine.createDatabase();
    const [one, two] = await Promise.all([startReplica(t, store_url), startReplica(t, store_url)]);
    const ask = createCaller(t);
    const [admin, planOf] = [createAdmin(ask), createPlanReader(ask)];
    const made = await admin(one, "/keys", { plan: "developer", name: "app" });
    assert.deepEqual(
      [await planOf(one, made.key), await planOf(two, made.key)],
      ["developer", "developer"],
    );

    const next = await admin(two, `/keys/${made.id}/rotate`, { overlap_s: 3600 });
    for (const each of [one, two])
      for (const { key } of [made, next]) assert.equal(await planOf(each, key), "developer");

    const stream = await askEvents(Number(new URL(two.url).port), STREAM, {
      headers: { authorization: `Bearer ${made.key}` },
    });
    t.after(() => stream.socket.destroy());
    await until(() => Promise.resolve(stream.events.length > 0), within(60_000), "no stream");

    await admin(one, `/keys/${made.id}/revoke`, {});
    const over = (): Promise<boolean> => Promise.resolve(stream.hasEnded);
    const ended = until(over, NOTICED_MS, "revoked here, and a stream goes on there");
    const refused = async (): Promise<boolean> =>
      (await planOf(two, made.key)) === "invalid_api_key";
    await until(refused, NOTICED_MS, "revoked here, and good there");
    await ended;
    assert.equal((stream.events.at(-1)!.data as { reason: string }).reason, "refused");
    assert.equal(await planOf(two, next.key), "developer");

    // The command line of a third machine.
    const data_dir = await createFolder();
    t.after(() => rm(data_dir, { recursive: true, force: true }));
    const run = async (...args: string[]): Promise<string> => {
      const running = launch({ data_dir, args, variables: variablesOf(store_url) });
      const { code } = await running.ended;
      assert.equal(code, 0, running.output().err);
      return running.output().out;
    };
    const listed = JSON.parse(await run("keys", "list", "--sandbox", "--json")) as {
      keys: { id: string; state: string }[];
    };
    const states = new Map(listed.keys.map(({ id, state }) => [id, state]));
    assert.deepEqual([states.get(made.id), states.get(next.id)], ["revoked", "active"]);
    assert.match(await run("keys", "revoke", next.id, "--sandbox"), /is revoked/);
    const gone = async (each: Replica): Promise<boolean> =>
      (await planOf(each, next.key)) === "invalid_api_key";
    for (const each of [one, two])
      await until(() => gone(each), NOTICED_MS, "revoked by the command line");
    assert.match(await run("usage", "--sandbox"), /\S/);
    assert.match(await run("accounts", "list", "--sandbox"), /app/);
    const live = launch({ data_dir, args: ["keys", "list"], variables: variablesOf(store_url) });
    assert.equal((await live.ended).code, 1, "the live ones are others");
    assert.match(live.output().err, /there is no store yet/);
  },
);

test(
  "with the store frozen known keys keep working, and unknown ones are not called invalid",
  options,
  async (t) => {
    const store_url = await engine.createDatabase();
    const replica = await startReplica(t, store_url);
    const ask = createCaller(t);
    const [admin, planOf] = [createAdmin(ask), createPlanReader(ask)];
    const entry = await admin(replica, "/keys", { plan: "developer" });
    const unknown = await admin(replica, "/keys", { plan: "developer" });
    assert.equal(await planOf(replica, entry.key), "developer");
    assert.equal(await planOf(replica, strangeKey()), "invalid_api_key");
    engine.freeze();
    t.after(() => engine.thaw());
    const slowest = { known_ms: 0, unknown_ms: 0 };
    for (let i = 0; i < 5; i++) {
      let begun = performance.now();
      assert.equal(await planOf(replica, entry.key), "developer");
      slowest.known_ms = Math.max(slowest.known_ms, performance.now() - begun);
      begun = performance.now();
      assert.notEqual(await planOf(replica, i % 2 ? unknown.key : strangeKey()), "invalid_api_key");
      slowest.unknown_ms = Math.max(slowest.unknown_ms, performance.now() - begun);
    }
    assert.ok(slowest.known_ms < within(500), `known: ${slowest.known_ms} ms`);
    assert.ok(slowest.unknown_ms < within(2_600), `unknown: ${slowest.unknown_ms} ms`);
    engine.thaw();
    const back = async (): Promise<boolean> => (await planOf(replica, unknown.key)) === "developer";
    await until(back, NOTICED_MS, "the store is back, and the replica does not notice");
  },
);

test("a replica that cannot use the store says so in one line and ends", options, async (t) => {
  const data_dir = await createFolder();
  t.after(() => rm(data_dir, { recursive: true, force: true }));
  const url = engine.url.replace("vicinity@", "vicinity:secret@").replace("/postgres", "/nowhere");
  const running = launch({ data_dir, variables: variablesOf(url) });
  const { code } = await running.ended;
  const { err } = running.output();
  assert.equal(code, 1);
  assert.match(err, /^vicinity: the store of VICINITY_STORE_URL cannot be used: .*"nowhere"/);
  assert.equal(err.trim().split("\n").length, 1, err);
  assert.doesNotMatch(err, /secret/);
});
