/** Bridges of PostgreSQL: what the embedded ones hold, and what replicas tell one another. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import fc from "fast-check";
import { type AdjustableClock, createManualClock } from "#clock.ts";
import type { Before } from "#core/identity/inherit.ts";
import type { Bridges } from "#ports.ts";
import { createPostgresBridges, type PostgresBridges } from "#storage/postgres/bridges.ts";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { createMemoryBridges } from "../support/memory-bridges.ts";
import { openStore, type Store } from "../support/postgres-store.ts";
import { bridgesSuite } from "./bridges.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());
const skip = NO_POSTGRES;

bridgesSuite("postgres", { open: openPostgres, durable: true, skip });

type Opened = {
  bridges: PostgresBridges;
  store: Store;
  clock: AdjustableClock;
  beside(): PostgresBridges;
  reopen(): Promise<Bridges>;
  /** As a notice: all but the writer hear of it. */
  tell(): void;
};

async function openPostgres(_: TestContext, own = engine): Promise<Opened> {
  const store = await openStore(own);
  const clock = createManualClock(NOW_MS);
  const opened: PostgresBridges[] = [];
  const listeners: (() => void)[] = [];
  const beside = (): PostgresBridges => {
    const listen = (_channel: string, heard: () => void): void => void listeners.push(heard);
    const bridges = createPostgresBridges(store.openPool(), { clock, listen });
    opened.push(bridges);
    return bridges;
  };
  _.after(async () => {
    await Promise.all(opened.map((bridges) => bridges.close()));
    await store.closeAll();
  });
  return {
    ...{ bridges: beside(), store, clock, beside },
    tell: () => listeners.forEach((heard) => heard()),
    async reopen() {
      assert.equal(await opened.at(-1)!.close(), true);
      return beside();
    },
  };
}

const NOW_MS = Date.UTC(2026, 10, 21, 12);

function station(id: string, name: string): Before {
  return {
    ...{ id, name, lat: 48.85, lon: 2.35, modes: 1, capacity: 20 },
    ...{ virtual: null, keys: {}, gone_s: null },
  };
}

function change(ids: Record<string, string | null>, seen: Before[] | null = null) {
  return { ids: new Map(Object.entries(ids)), seen };
}
