/** Datasets of PostgreSQL: what the embedded ones hold, and what replicas do to one another. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import type { Datasets } from "#ports.ts";
import { packDataset, putDatasets } from "#storage/postgres/datasets-writer.ts";
import type { Pool } from "#storage/postgres/pool.ts";
import {
  createPostgresDatasets,
  DatasetSecret,
  provideDatasetSecret,
} from "#storage/postgres/datasets.ts";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { sized } from "../support/size.ts";
import { openStore, type Store } from "../support/postgres-store.ts";
import { testHistories } from "./datasets-history.ts";
import { assertKept, datasetsSuite, forgetAll, sampleDataset } from "./datasets.ts";
import { testTables } from "./datasets-tables.ts";
import { noFault } from "../support/faults.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());
const skip = NO_POSTGRES;

datasetsSuite("postgres", { open: openPostgres, skip });
testHistories("postgres", { open: openPostgres, runs: sized(5, 60), skip });
testTables("postgres", {
  open: openPostgres,
  skip,
  dialect: {
    contents: "dataset_content",
    unpackable: "'\\x00ff'",
    others_bytes: `UPDATE dataset_content AS one SET packed = other.packed FROM dataset_content AS other
       WHERE one.digest <> other.digest`,
    others_content: "body_digest = (SELECT body_digest FROM dataset WHERE id = 'nearby_2')",
    refuse: ["ALTER TABLE dataset ADD CHECK (id <> 'nearby_2')"],
  },
});

type Opened = {
  datasets: Datasets;
  store: Store;
  /** The datasets of another replica. */
  openReplica(): Promise<Datasets>;
  reopen(): Promise<Datasets>;
  exec(sql: string): Promise<Record<string, unknown>[]>;
  damage(sql: string): Promise<void>;
};

async function openPostgres(t: TestContext): Promise<Opened> {
  const store = await openStore(engine);
  const opened: Datasets[] = [];
  t.after(async () => {
    await Promise.all(opened.map((datasets) => datasets.close()));
    await store.closeAll();
  });
  const open = async (): Promise<Datasets> => {
    const pool = store.openPool();
    const datasets = createPostgresDatasets(pool, await secretOf(pool), (error) =>
      noFault("datasets", error),
    );
    opened.push(datasets);
    return datasets;
  };
  const datasets = await open();
  return {
    datasets,
    store,
    exec: store.list,
    damage: (sql) => store.exec(sql, { unguarded: true }),
    openReplica: open,
    async reopen() {
      await opened.at(-1)!.close();
      return open();
    },
  };
}

test("the secret is created once per fleet and differs between fleets", { skip }, async (t) => {
  const { store } = await openPostgres(t);
  await store.exec("TRUNCATE dataset_secret");
  const pools = [1, 2, 3, 4].map(() => store.openPool());
  const secrets = await Promise.all(pools.map(provideDatasetSecret));
  for (const secret of secrets) assert.deepEqual(secret, secrets[0]);
  assert.notDeepEqual((await openPostgres(t)).datasets.secret, secrets[0]);
});

test("a quota holds whichever replicas put at once", { skip }, async (t) => {
  const { datasets, openReplica } = await openPostgres(t);
  const replicas = [datasets, await openReplica(), await openReplica(), await openReplica()];
  const keys = ["a", "b", "c"];
  const puts = Array.from({ length: 240 }, (_, i) => {
    const own = { quota_key: keys[i % 3]!, quota_max: 20 };
    return replicas[(i >> 2) % 4]!.put(sampleDataset(i, own));
  });
  const fates = await Promise.all(puts);
  assert.equal(fates.filter((fate) => fate === "stored").length, 60);
  assert.equal(fates.filter((fate) => fate === "quota").length, 180);
  for (const key of keys) assert.equal(await datasets.count(key, 0), 20);
});

test(
  "at most the number of a key and a block is kept on, whichever replicas ask at once",
  { skip },
  async (t) => {
    const { datasets, openReplica } = await openPostgres(t);
    const replicas = [datasets, await openReplica(), await openReplica()];
    const ids = Array.from({ length: 60 }, (_, i) => i);
    const block_quota = { key: "block", max: null };
    const all = ids.map((id) => sampleDataset(id, { quota_key: `address ${id % 3}`, block_quota }));
    for (const each of all) assert.equal(await datasets.put(each), "stored");
    const { created_at_ms: now_ms, expires_at_ms } = all[0]!;
    const life = { until_ms: expires_at_ms + 1, now_ms, quota_max: 10, block_max: 25 };
    const remaining = await Promise.all(
      all.map(({ id }, i) => replicas[(i >> 2) % 3]!.keepOn(id, life)),
    );
    for (const address of [0, 1, 2])
      assert.ok(remaining.filter((each, i) => each && i % 3 === address).length <= 10);
    assert.equal(remaining.filter(Boolean).length, 25);
  },
);

test("when replicas put one id at once exactly one is stored", { skip }, async (t) => {
  const { datasets, openReplica } = await openPostgres(t);
  const replicas = [datasets, await openReplica(), await openReplica()];
  for (let round = 0; round < 20; round += 1) {
    const fates = await Promise.all(
      // Under keys of their own, so that no lock of a key decides it.
      replicas.map((each, i) =>
        each.put(sampleDataset(round, { quota_key: `key ${i}`, owner: `owner ${i}` })),
      ),
    );
    assert.deepEqual(fates.toSorted(), ["stored", "taken", "taken"]);
    const winner = fates.indexOf("stored");
    const own = { quota_key: `key ${winner}`, owner: `owner ${winner}` };
    await assertKept(datasets, sampleDataset(round, own));
  }
});

test("replicas put and forget the same contents at once, and none is lost", { skip }, async (t) => {
  const { datasets, openReplica, store } = await openPostgres(t);
  const replicas = [datasets, await openReplica(), await openReplica()];
  const remaining: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const puts = Array.from({ length: 60 }, async (_, i) => {
      const id = round * 60 + i;
      // Three bodies in all (sampleDataset); two of three datasets expire with their round.
      const expires_at_ms = id % 3 === 0 ? Number.MAX_SAFE_INTEGER : round + 1;
      const fate = await replicas[i % 3]!.put(
        sampleDataset(id, {
          quota_key: `key ${i % 5}`,
          quota_max: 1_000,
          expires_at_ms,
          body: Buffer.from(`body ${i % 4}`),
        }),
      );
      assert.equal(fate, "stored");
      if (id % 3 === 0) remaining.push(id);
    });
    const forgets = replicas.map((each) => each.forget(round));
    await Promise.all([...puts, ...forgets]);
    for (const result of await Promise.all(forgets)) assert.notEqual(result, "unavailable");
  }
  await forgetAll(datasets, 1_000);
  const [row] = await store.list("SELECT count(*) AS count FROM dataset");
  assert.equal(row!["count"], remaining.length);
  const counts = await store.list("SELECT sum(stored)::int AS sum FROM dataset_count");
  assert.equal(counts[0]!["sum"], remaining.length);
  for (const id of remaining)
    assert.equal((await datasets.read(`nearby_${id}`, "body")).status, "ok");
});

test("content that is being put is not deleted with its last dataset", { skip }, async (t) => {
  const { datasets, store } = await openPostgres(t);
  const body = Buffer.from("shared");
  await datasets.put(sampleDataset(1, { body, expires_at_ms: 1 }));
  const late = sampleDataset(2, { body });
  const waiting = "SELECT pid FROM pg_locks WHERE NOT granted";
  const forgotten = await store.openPool().transact(async (query) => {
    assert.deepEqual(await putDatasets(query, [packDataset(late)]), ["stored"]);
    const forgetting = datasets.forget(1);
    while ((await store.list(waiting)).length === 0);
    return { forgetting };
  });
  assert.equal(await forgotten.forgetting, "done");
  await assertKept(datasets, late);
  assert.equal((await datasets.read("nearby_1", "body")).status, "absent");
});

test(
  "a server that is frozen is unavailable for a while, and none waits for ever",
  { skip },
  async (t) => {
    const { datasets } = await openPostgres(t);
    await datasets.put(sampleDataset(1));
    engine.freeze();
    t.after(() => engine.thaw());
    const fates = await Promise.all([
      ...[datasets.put(sampleDataset(2)), datasets.put(sampleDataset(4))],
      ...[datasets.count("acc_0", 0), datasets.forget(0)],
    ]);
    assert.deepEqual(fates, ["unavailable", "unavailable", null, "unavailable"]);
    const read = await datasets.read("nearby_1", "body");
    assert.deepEqual(read, { status: "unavailable", reason: "unreadable" });
    engine.thaw();
    await assertKept(datasets, sampleDataset(1));
    // The server may have executed the first request.
    assert.ok(["stored", "taken"].includes(await datasets.put(sampleDataset(2))));
    await assertKept(datasets, sampleDataset(2));
  },
);

test("a killed server keeps everything it acknowledged", { skip }, async (t) => {
  const durable = (await startPostgres({ durable: true }))!;
  t.after(() => durable.stop());
  const store = await openStore(durable);
  t.after(() => store.closeAll());
  const pool = store.openPool();
  const datasets = createPostgresDatasets(pool, await secretOf(pool), (error) =>
    noFault("datasets", error),
  );
  const stored: number[] = [];
  const { promise: some, resolve } = Promise.withResolvers<void>();
  let id = 0;
  let away = 0;
  const writers = Array.from({ length: 8 }, async () => {
    while (away < 20) {
      const own = id++;
      if ((await datasets.put(sampleDataset(own))) === "stored") stored.push(own);
      else away += 1;
      if (stored.length === 200) resolve();
    }
  });
  await some;
  await durable.kill();
  assert.equal(await datasets.put(sampleDataset(1_000_001)), "unavailable");
  assert.equal((await datasets.read("nearby_1", "body")).status, "unavailable");
  assert.equal(await datasets.count("acc_0", 0), null);
  assert.equal(await datasets.forget(0), "unavailable");
  await Promise.all(writers);
  await durable.restart();
  assert.ok(stored.length >= 200);
  for (const each of stored) await assertKept(datasets, sampleDataset(each));
  assert.equal(await datasets.put(sampleDataset(1_000_002)), "stored");
});

async function secretOf(pool: Pool): Promise<DatasetSecret> {
  return new DatasetSecret(await provideDatasetSecret(pool));
}
