/** Claims over a real Valkey or Redis. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createSharedClaims } from "#storage/valkey/valkey-claims.ts";
import { NO_VALKEY } from "../support/engines.ts";
import { join, startStore } from "../support/shared-store.ts";
import { claimsSuite } from "./claims.ts";

if (NO_VALKEY) test("Claims of a fleet", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  const engine = await startStore();
  const clients = [await join(engine), await join(engine)] as const;
  after(async () => {
    for (const client of clients) client.close();
    await engine.stop();
  });
  const open = (prefix = "claims:") => ({
    replicas: [
      createSharedClaims({ client: clients[0], prefix }),
      createSharedClaims({ client: clients[1], prefix }),
    ] as const,
    pass: (ms: number) => pause(ms),
  });
  claimsSuite("valkey", () => open());

  test("a store that is away says so, and the work is not claimed", async () => {
    await engine.kill();
    const { replicas } = open();
    assert.equal(await replicas[0].claim(new Uint8Array([1]), 1_000), "unreachable");
    await engine.restart();
  });
}
