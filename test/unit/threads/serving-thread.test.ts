/** The entry of a thread that serves: what it answers is what it is notified, among strange messages. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Shown } from "#app/threads/publication.ts";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { ThreadGroup } from "#process/thread-group.ts";
import { openStorage } from "#storage/open-storage.ts";
import { createSharedTables } from "#storage/threads/shared-tables.ts";
import { WorldGiver } from "#world/handed-world.ts";
import { createWorld } from "#world/world.ts";
import {
  type ServingTask,
  THREAD_CALLS,
  type ThreadCalls,
  type Notice,
} from "../../../src/main/threads/serving-task.ts";
import { aShard, aStation, HERE, NOW_MS } from "../../support/domain.ts";
import { noFault } from "../../support/faults.ts";

test("a thread that serves answers from what it is notified, among strange messages", async (t) => {
  const data_dir = await mkdtemp(join(tmpdir(), "serving-thread-"));
  t.after(() => rm(data_dir, { recursive: true, force: true }));
  const variables = { PORT: "0", LOG_LEVEL: "silent", VICINITY_DATA_DIR: data_dir };
  const env = readEnv(variables);
  assert.ok(env.ok);
  const loaded = loadConfig({ mode: "sandbox", env: env.value });
  assert.ok(loaded.ok);
  const { sources } = loaded.value;
  const off = <S extends { enabled: boolean }>(source: S): S => ({ ...source, enabled: false });
  const config = {
    ...loaded.value,
    sources: {
      ...sources,
      openbase: off(sources.openbase),
      gtfs: off(sources.gtfs),
      registers: [],
    },
  };
  const storage = openStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in storage));
  const world = createWorld();
  world.register({ source_id: "sys", country: "FR" });
  world.put(aShard({ stations: [aStation("1")] }));
  const giver = new WorldGiver(world);
  const shown = (): Shown => ({ kind: "shown", change: giver.all(), systems: [], catalogues: [] });
  const woken: string[] = [];
  const group = new ThreadGroup<Notice, ThreadCalls>({
    count: 1,
    worker_url: new URL("../../../src/main/workers/serve.ts", import.meta.url),
    names: THREAD_CALLS,
    makeTask: (thread): ServingTask => ({
      ...{ thread, config, env: env.value, version: "1.1.0", commit: null },
      tables: createSharedTables(1),
      secret: storage.datasets.secret,
      ...{ sandbox: null, keys: [], ahead_ms: NOW_MS - Date.now() },
    }),
    makeFirst: shown,
    functions: () => ({ wake: (ids: string[]) => void woken.push(...ids) }),
    onDied: () => undefined,
    clock: { now: Date.now },
    log: { error: () => undefined, info: () => undefined },
    onFault: noFault,
  });
  t.after(async () => {
    await group.close();
    await Promise.all([storage.usage.close(), storage.datasets.close(), storage.transit.close()]);
    storage.close();
  });
  const started = await group.start();
  assert.ok("url" in started, JSON.stringify(started));
  for (const strange of [null, 7, { kind: "unheard" }, { kind: "toString" }])
    group.notify(strange as never);
  const { lat, lon } = HERE;
  const reply = await fetch(`${started.url}/v1/nearby?lat=${lat}&lon=${lon}&radius=400`);
  const text = await reply.text();
  assert.equal(reply.status, 200, text);
  const { results } = JSON.parse(text) as { results: { stations: object[] } };
  assert.equal(results?.stations?.length, 1, text.slice(0, 800));
  assert.deepEqual(woken, ["sys"]);
  const [metrics] = await group.ask((each) => each.metrics());
  assert.match(metrics ?? "", /svc_http_requests_total\{route="\/v1\/nearby"[^}]*\} 1/);
  await group.ask((each) => each.drain(0));
});
