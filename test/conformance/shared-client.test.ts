/** A client of the shared store, whatever the store does: gone, frozen, restarted, or refusing. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, test } from "node:test";
import {
  type ClientEvent,
  createValkeyClient,
  COMMAND_TIMEOUT_MS,
} from "#storage/valkey/valkey-client.ts";
import { toScript } from "#storage/valkey/scripts.ts";
import { type Engine, NO_VALKEY } from "../support/engines.ts";
import { addressOf, driverOfStore, joinFor, startStore } from "../support/shared-store.ts";
import { sized, within } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

/** Above the time-out: timers and a machine that others use. */
const SLACK_MS = 40;
const RECOVERY_MS = within(2_000);

if (NO_VALKEY) test("client of the shared store", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  const engine = await startStore();
  after(() => engine.stop());

  test("values are returned to the byte, and a missing one is null", async (t) => {
    const client = await joinFor(t, engine);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    await client.ask("set", ["k\r\n\0", bytes]);
    assert.deepEqual(await client.ask("get", ["k\r\n\0"]), bytes);
    assert.equal(await client.ask("get", ["nothing"]), null);
    assert.deepEqual(await client.ask("mget", ["nothing", "k\r\n\0"]), [null, bytes]);
  });

  test("a script is sent whole once, and by its hash from then on", async (t) => {
    const events: ClientEvent[] = [];
    const client = await joinFor(t, engine, addressOf(engine), {
      onEvent: (event) => void events.push(event),
    });
    const script = toScript("return {ARGV[1], #KEYS}");
    const request = { keys: ["{a}1", "{a}2"], args: ["x"] };
    assert.deepEqual(await client.run(script, request), [Buffer.from("x"), 2]);
    assert.deepEqual(await client.ask("script", ["exists", script.sha]), [1]);
    await client.ask("script", ["flush"]);
    const many = await Promise.all(Array.from({ length: 20 }, () => client.run(script, request)));
    for (const each of many) assert.deepEqual(each, [Buffer.from("x"), 2]);
    assert.deepEqual(events, [{ state: "back" }], "it is no fault that the store has forgotten it");
  });

  test("what the store refuses is unreachable and reported; the next command is sent", async (t) => {
    const events: ClientEvent[] = [];
    const client = await joinFor(t, engine, addressOf(engine), {
      onEvent: (event) => void events.push(event),
    });
    await client.ask("set", ["text", "a"]);
    assert.equal(await client.ask("incr", ["text"]), "unreachable");
    assert.equal(client.isAway(), false);
    assert.deepEqual(await client.ask("get", ["text"]), Buffer.from("a"));
    for (let i = 0; i < 100; i++) await client.ask("incr", ["text"]);
    assert.equal(events.length, 2, "not each time");
    assert.match((events[1] as { reason: string }).reason, /^ERR /);
  });

  test("a frozen store costs one timeout and then nothing; thawed, it is used again", async (t) => {
    await survives(t, (store) => ({
      harm: () => store.freeze(),
      mend: () => store.thaw(),
    }));
  });

  test("a killed store costs nothing; restarted, it is used again", async (t) => {
    await survives(t, (store) => ({
      harm: () => store.kill(),
      mend: () => store.restart(),
    }));
  });

  test("a store that was never there is away at once", async () => {
    const address = { ...addressOf(engine), nodes: [{ host: "127.0.0.1", port: 1 }] };
    const client = createValkeyClient(await driverOfStore(), address, {
      onEvent: () => undefined,
      onFault: (error) => noFault("client", error),
    });
    const taken_ms: number[] = [];
    for (let i = 0; i < 5; i++) {
      const begun_ms = performance.now();
      assert.equal(await client.ask("get", ["k"]), "unreachable");
      taken_ms.push(performance.now() - begun_ms);
    }
    assert.ok(Math.min(...taken_ms) < within(COMMAND_TIMEOUT_MS), taken_ms.join());
    client.close();
    assert.equal(await client.ask("get", ["k"]), "unreachable", "nor after its end");
  });

  test("an answer that came while this process was busy is an answer", async (t) => {
    const timeout_ms = sized(200, COMMAND_TIMEOUT_MS);
    const client = await joinFor(t, engine, addressOf(engine), { timeout_ms });
    await client.ask("set", ["busy", "1"]);
    const request = client.ask("get", ["busy"]);
    await new Promise((resolve) => setImmediate(resolve));
    const until_ms = performance.now() + timeout_ms * 1.5;
    // It serves one request after another: once this one has its answer, so has the first.
    execFileSync("bash", ["-c", PING, String(engine.port)]);
    while (performance.now() < until_ms);
    assert.deepEqual(await request, Buffer.from("1"));
    assert.equal(client.isAway(), false);
  });
}

/** Asks the store on the port for a sign of life, and ends when it comes; quicker than a Node is. */
const PING = `exec 3<>"/dev/tcp/127.0.0.1/$0"; printf 'PING\\r\\n' >&3; head -c 5 <&3`;

type Harm = { harm(): void | Promise<void>; mend(): void | Promise<void> };

async function survives(
  t: Parameters<typeof joinFor>[0],
  how: (store: Engine) => Harm,
): Promise<void> {
  const store = await startStore();
  t.after(() => store.stop());
  const events: ClientEvent["state"][] = [];
  const client = await joinFor(t, store, addressOf(store), {
    onEvent: ({ state }) => void events.push(state),
    timeout_ms: sized(1_000, COMMAND_TIMEOUT_MS),
  });
  const { harm, mend } = how(store);
  const ask = async (): Promise<number> => {
    const begun_ms = performance.now();
    assert.equal(await client.ask("get", ["k"]), "unreachable");
    return performance.now() - begun_ms;
  };
  for (let round = 0; round < 2; round++) {
    assert.equal(await client.ask("get", ["k"]), null);
    await harm();
    const first_ms = await Promise.all(Array.from({ length: 50 }, ask));
    assert.ok(
      Math.max(...first_ms) < within(COMMAND_TIMEOUT_MS + SLACK_MS),
      `${Math.max(...first_ms)} ms`,
    );
    const begun_ms = performance.now();
    for (let i = 0; i < 1000; i++) await ask();
    // Twenty of a thousand that waited would be as long: a machine that stalls for a moment is not.
    assert.ok(
      performance.now() - begun_ms < within(20 * COMMAND_TIMEOUT_MS),
      "no caller waits for it any more",
    );
    // Long enough that the connection itself is given up as well.
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    assert.equal(client.isAway(), true);
    await mend();
    await client.settled(RECOVERY_MS);
    assert.equal(client.isAway(), false, "it is there again");
  }
  assert.deepEqual(events, ["back", "away", "back", "away", "back"]);
}
