/** The servers that other tests rely on: gone when killed, silent when frozen, back when started again. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { NO_POSTGRES, NO_VALKEY, runSql, startPostgres, startValkey } from "../support/engines.ts";

/** The reply of a server on a connection of its own; null: none within the time. */
async function ping(port: number, within_ms: number): Promise<string | null> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    socket.write("PING\r\n");
    const [chunk] = (await once(socket, "data", { signal: AbortSignal.timeout(within_ms) })) as [
      Buffer,
    ];
    return chunk.toString();
  } catch (error) {
    if ((error as Error).name === "AbortError") return null;
    throw error;
  } finally {
    socket.destroy();
  }
}

test("a private Valkey", { skip: NO_VALKEY }, async () => {
  for (const cluster of [false, true]) {
    const engine = (await startValkey({ cluster }))!;
    assert.equal(await ping(engine.port, 5_000), "+PONG\r\n");
    engine.freeze();
    assert.equal(await ping(engine.port, 100), null);
    engine.thaw();
    assert.equal(await ping(engine.port, 5_000), "+PONG\r\n");
    const before = engine.pid;
    await engine.kill();
    await assert.rejects(ping(engine.port, 100), { code: "ECONNREFUSED" });
    await engine.restart();
    assert.notEqual(engine.pid, before);
    assert.equal(await ping(engine.port, 5_000), "+PONG\r\n");
    await engine.stop();
    await assert.rejects(ping(engine.port, 100), { code: "ECONNREFUSED" });
  }
});

test("a private PostgreSQL keeps what it was given", { skip: NO_POSTGRES }, async () => {
  const engine = (await startPostgres({ durable: true }))!;
  const [one, two] = [await engine.createDatabase(), await engine.createDatabase()];
  assert.notEqual(one, two);
  const [{ data_directory } = {}] = await runSql(one, "SHOW data_directory");
  assert.deepEqual(await runSql(one, "SHOW fsync"), [{ fsync: "on" }]);
  await runSql(one, "CREATE TABLE kept AS SELECT 7 AS n");
  for (let round = 0; round < 3; round += 1) {
    await engine.kill();
    await assert.rejects(runSql(one, "SELECT 1"), { code: "ECONNREFUSED" });
    await engine.restart();
    assert.deepEqual(await runSql(one, "SELECT n FROM kept"), [{ n: 7 }]);
  }
  assert.ok(existsSync(String(data_directory)));
  await engine.stop();
  assert.ok(!existsSync(String(data_directory)), "it leaves nothing behind");
});
