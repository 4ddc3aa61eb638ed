/** What replicas say of themselves, over a real Valkey or Redis. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ReplicaFacts } from "#storage/valkey/replica-facts.ts";
import { NO_VALKEY } from "../support/engines.ts";
import { join, startStore } from "../support/shared-store.ts";

if (NO_VALKEY) test("Facts of a fleet", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  for (const cluster of [false, true]) {
    const engine = await startStore({ cluster });
    const client = await join(engine);
    after(async () => {
      client.close();
      await engine.stop();
    });
    const key = "vicinity:replicas:facts";
    const open = (id: string): ReplicaFacts => new ReplicaFacts(client, { key, id });
    const where = cluster ? "a cluster" : "one server";

    test(`each replica reads what the others say, until they withdraw it (${where})`, async () => {
      const [a, b] = [open("a"), open("b")];
      assert.deepEqual(await a.report("one of a"), new Map());
      assert.deepEqual(await b.report("of b"), new Map([["a", "one of a"]]));
      assert.deepEqual(await a.report("two of a"), new Map([["b", "of b"]]));
      assert.deepEqual(await b.report("of b"), new Map([["a", "two of a"]]));
      await a.withdraw();
      assert.deepEqual(await b.report("of b"), new Map());
      await b.withdraw();
    });

    test(`what a replica that has died said is forgotten after a minute (${where})`, async () => {
      const [a, b] = [open("a"), open("b")];
      await a.report("of a");
      // As if it had been said 61 s ago.
      const [at_s] = (await client.ask("time", [])) as unknown as [Buffer];
      await client.ask("hset", [key, "a", `${Number(String(at_s)) * 1000 - 61_000} of a`]);
      assert.deepEqual(await b.report("of b"), new Map());
      assert.deepEqual(await client.ask("hkeys", [key]), [Buffer.from("b")]);
      await b.withdraw();
    });

    if (!cluster)
      test("a store that is away says nothing, which is no agreement", async () => {
        await engine.kill();
        assert.equal(await open("a").report("of a"), null);
        await engine.restart();
      });
  }
}
