/** What every Datasets holds (src/ports.ts): what was stored is there, unchanged, until it expires. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { DatasetRow, Datasets, NewDataset } from "#ports.ts";

/** `skip`: false, or why it cannot run here. `open` gives a fresh one; `reopen` the same one after a restart, where there is one. */
type OpenedDatasets = { datasets: Datasets; reopen?: () => Promise<Datasets> };

export type OpenDatasets = (t: TestContext) => OpenedDatasets | Promise<OpenedDatasets>;

export const NOW_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

/** The dataset of a number is always the same; every third has the body of another. */
export function sampleDataset(id: number, change: Partial<NewDataset> = {}): NewDataset {
  const account = `acc_${id % 2}`;
  return {
    id: `nearby_${id}`,
    owner: account,
    quota_key: account,
    quota_max: null,
    version: `1-${id}`,
    created_at_ms: NOW_MS,
    expires_at_ms: NOW_MS + HOUR_MS,
    observation: bytesOf(`{"observation":${id}}`),
    body: bytesOf(`{"body":"${"größer ".repeat(id % 3)}"}`),
    ...change,
  };
}

function rowOf(dataset: NewDataset): DatasetRow {
  const { id, owner, version, created_at_ms, expires_at_ms } = dataset;
  return { id, owner, version, created_at_ms, expires_at_ms };
}

export function datasetsSuite(
  name: string,
  options: { open: OpenDatasets; skip?: string | false },
): void {
  const { open, skip = false } = options;
  test(`${name}: empty at first`, { skip }, async (t) => {
    const { datasets } = await open(t);
    assert.deepEqual(await datasets.read("nearby_0", "body"), { status: "absent" });
    assert.equal(await datasets.count("acc_0", NOW_MS), 0);
    assert.equal(await datasets.forget(NOW_MS), "done");
    assert.equal(datasets.secret.length, 32);
  });

  test(`${name}: any body is read back byte for byte`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const odd = [new Uint8Array(), Uint8Array.of(0, 255, 0, 128), bytesOf("\ud83d\ude00\u0000é")];
    const big = Uint8Array.from({ length: 1024 * 1024 }, (_, i) => (i * 31 + (i >> 7)) & 255);
    const all = [...odd, big].map((body, i) =>
      sampleDataset(i, { body, observation: odd[i] ?? big }),
    );
    for (const dataset of all) assert.equal(await datasets.put(dataset), "stored");
    for (const dataset of all) await assertKept(datasets, dataset);
  });

  test(
    `${name}: a retry finds the dataset of its key for two minutes, also after a restart`,
    { skip },
    async (t) => {
      const { datasets, reopen } = await open(t);
      const [key, other] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
      assert.equal(await datasets.findRepeat(key, 0), null);
      await datasets.put(sampleDataset(1, { repeat_key: key }));
      await datasets.put(sampleDataset(2));
      const first = { id: "nearby_1", made_at_ms: NOW_MS };
      assert.deepEqual(await datasets.findRepeat(key, NOW_MS), first);
      assert.equal(await datasets.findRepeat(key, NOW_MS + 1), null, "too late");
      assert.equal(await datasets.findRepeat(other, 0), null);
      const after = reopen ? await reopen() : datasets;
      assert.deepEqual(await after.findRepeat(key, NOW_MS), first);
      // Requested again later, and executed again.
      const later = { created_at_ms: NOW_MS + 120_000, expires_at_ms: NOW_MS + HOUR_MS };
      await after.put(sampleDataset(3, { ...later, repeat_key: key }));
      const second = { id: "nearby_3", made_at_ms: NOW_MS + 120_000 };
      assert.deepEqual(await after.findRepeat(key, NOW_MS + 1), second);
      // Two of one key in one batch, as of two simultaneous callers.
      const put = [4, 5].map((id) => after.put(sampleDataset(id, { ...later, repeat_key: other })));
      assert.deepEqual(await Promise.all(put), ["stored", "stored"]);
      assert.match((await after.findRepeat(other, NOW_MS))!.id, /^nearby_[45]$/);
    },
  );

  test(`${name}: a dataset never changes: its id is taken for ever`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const first = sampleDataset(1);
    const second = sampleDataset(1, {
      body: bytesOf("other"),
      version: "1-other",
      owner: "public",
    });
    const fates = [datasets.put(first), datasets.put(second), datasets.put(first)];
    assert.deepEqual(await Promise.all(fates), ["stored", "taken", "taken"]);
    assert.equal(await datasets.put(second), "taken");
    await assertKept(datasets, first);
    assert.equal(await datasets.count(first.quota_key, NOW_MS), 1);
  });

  test(`${name}: later changes to the caller's bytes change nothing`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const body = bytesOf("as it was");
    await datasets.put(sampleDataset(1, { body }));
    body.fill(0);
    await assertKept(datasets, sampleDataset(1, { body: bytesOf("as it was") }));
    const read = await datasets.read("nearby_1", "body");
    if (read.status === "ok") read.bytes.fill(0);
    await assertKept(datasets, sampleDataset(1, { body: bytesOf("as it was") }));
  });

  test(`${name}: many at once are all there, each its own`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const all = Array.from({ length: 300 }, (_, i) => sampleDataset(i));
    const fates = await Promise.all(all.map((dataset) => datasets.put(dataset)));
    assert.deepEqual(new Set(fates), new Set(["stored"]));
    for (const dataset of all) await assertKept(datasets, dataset);
    assert.equal(await datasets.count("acc_0", NOW_MS), 150);
  });

  test(
    `${name}: a dataset is kept until it expires and deleted afterwards`,
    { skip },
    async (t) => {
      const { datasets } = await open(t);
      const [first, second] = [sampleDataset(0), sampleDataset(2, { expires_at_ms: NOW_MS + 10 })];
      await Promise.all([first, second].map((dataset) => datasets.put(dataset)));
      await forgetAll(datasets, NOW_MS + 9);
      await assertKept(datasets, second);
      assert.equal(await datasets.count("acc_0", NOW_MS + 9), 2);
      assert.equal(await datasets.count("acc_0", NOW_MS + 10), 1, "expired, and not yet forgotten");
      await forgetAll(datasets, NOW_MS + 10);
      assert.deepEqual(await datasets.read(second.id, "body"), { status: "absent" });
      await assertKept(datasets, first);
      assert.equal(await datasets.count("acc_0", NOW_MS + 10), 1);
    },
  );

  test(
    `${name}: content that datasets share lives as long as the last of them`,
    { skip },
    async (t) => {
      const { datasets } = await open(t);
      const body = bytesOf("shared");
      const expiring = [1, 2, 3].map((hours) =>
        sampleDataset(hours, { body, expires_at_ms: NOW_MS + hours * HOUR_MS }),
      );
      for (const dataset of expiring) await datasets.put(dataset);
      for (const [index, dataset] of expiring.entries()) {
        await assertKept(datasets, dataset);
        await forgetAll(datasets, NOW_MS + (index + 1) * HOUR_MS);
      }
      await datasets.put(sampleDataset(4, { body }));
      await assertKept(datasets, sampleDataset(4, { body }));
    },
  );

  test(`${name}: a full quota accepts nothing until a dataset expires`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const own = { quota_key: "address", quota_max: 2 };
    const fates = await Promise.all(
      [0, 2, 4].map((id) => datasets.put(sampleDataset(id, { ...own, expires_at_ms: NOW_MS + 5 }))),
    );
    assert.deepEqual(fates, ["stored", "stored", "quota"], "also in one commit");
    assert.deepEqual(await datasets.read("nearby_4", "body"), { status: "absent" });
    assert.equal(await datasets.put(sampleDataset(6)), "stored", "another key");
    assert.equal(await datasets.put(sampleDataset(8, { quota_key: "no", quota_max: 0 })), "quota");
    const later = { ...own, created_at_ms: NOW_MS + 5 };
    assert.equal(await datasets.put(sampleDataset(4, later)), "stored", "the expired do not count");
  });

  test(`${name}: a full block accepts nothing from any of its keys`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const near = (id: number, change: Partial<NewDataset> = {}): Promise<string> =>
      datasets.put(
        sampleDataset(id, {
          quota_key: `address ${id}`,
          quota_max: 2,
          expires_at_ms: NOW_MS + 5,
          block_quota: { key: "block", max: 3 },
          ...change,
        }),
      );
    const fates = await Promise.all([0, 1, 2, 3].map((id) => near(id)));
    assert.deepEqual(fates, ["stored", "stored", "stored", "block_quota"], "also in one commit");
    assert.equal(await near(4), "block_quota", "in a later commit too");
    assert.deepEqual(await datasets.read("nearby_4", "body"), { status: "absent" });
    assert.equal(await datasets.count("block", NOW_MS), 3);
    assert.equal(await datasets.count("address 0", NOW_MS), 1);
    assert.equal(await near(5, { block_quota: { key: "another", max: 3 } }), "stored");
    assert.equal(await near(6, { quota_key: "address 0", quota_max: 1 }), "quota", "its own first");
    assert.equal(
      await near(7, { created_at_ms: NOW_MS + 5 }),
      "stored",
      "the expired do not count",
    );
    await forgetAll(datasets, NOW_MS + 5);
    assert.equal(await datasets.count("block", NOW_MS + 5), 0);
  });

  test(
    `${name}: an owner's bytes are bounded, evict nothing, and are freed by deletion`,
    { skip },
    async (t) => {
      const { datasets } = await open(t);
      // Noise, which cannot be packed: at least this number of bytes is taken.
      const body = noise(10_000);
      const owned = (id: number, change: Partial<NewDataset> = {}): NewDataset =>
        sampleDataset(id, {
          owner: "public",
          quota_key: `address ${id}`,
          owner_bytes_max: 60_000,
          body: body.map((byte) => byte ^ id),
          expires_at_ms: NOW_MS + 5,
          ...change,
        });
      const fates = await Promise.all(
        Array.from({ length: 12 }, (_, id) => datasets.put(owned(id))),
      );
      const stored = fates.indexOf("owner_full");
      assert.ok(stored >= 4 && stored <= 6, `${stored} were taken`);
      assert.deepEqual(new Set(fates.slice(stored)), new Set(["owner_full"]), "also in one commit");
      for (let id = 0; id < stored; id++) await assertKept(datasets, owned(id));
      assert.equal(await datasets.put(owned(20)), "owner_full", "in a later commit too");
      assert.equal(await datasets.put(owned(21, { owner: "acc_1" })), "stored", "another owner");
      const late = { created_at_ms: NOW_MS + 5, expires_at_ms: NOW_MS + HOUR_MS };
      assert.equal(
        await datasets.put(owned(22, late)),
        "owner_full",
        "what has expired takes its bytes until it is forgotten",
      );
      await forgetAll(datasets, NOW_MS + 5);
      assert.equal(await datasets.put(owned(22, late)), "stored");
      await assertKept(datasets, owned(22, late));
    },
  );

  test(
    `${name}: a dataset that is kept on lives longer, and is otherwise as it was`,
    { skip },
    async (t) => {
      const { datasets, reopen } = await open(t);
      const [first, second, third] = [0, 2, 4].map((id) => sampleDataset(id)) as [
        NewDataset,
        NewDataset,
        NewDataset,
      ];
      for (const each of [first, second, third]) await datasets.put(each);
      const until_ms = NOW_MS + 5 * HOUR_MS;
      const life = { until_ms, now_ms: NOW_MS + 1, quota_max: null, block_max: null };
      assert.equal(await datasets.keepOn(first.id, life), true);
      assert.equal(await datasets.keepOn("nearby_99", life), false, "never put");
      const longer = { ...first, expires_at_ms: until_ms };
      await assertKept(datasets, longer);
      const shorter = { ...life, until_ms: NOW_MS + 2 };
      assert.equal(await datasets.keepOn(first.id, shorter), true, "no life is shortened");
      assert.equal(await datasets.keepOn(second.id, shorter), true);
      await assertKept(datasets, longer);
      await assertKept(datasets, second);
      const end = { ...life, now_ms: NOW_MS + HOUR_MS };
      assert.equal(await datasets.keepOn(third.id, end), false, "it has expired");
      const after = reopen ? await reopen() : datasets;
      await forgetAll(after, NOW_MS + HOUR_MS);
      await assertKept(after, longer);
      assert.equal((await after.read(second.id, "body")).status, "absent");
      assert.equal(await after.count(first.quota_key, until_ms - 1), 1);
      assert.equal(await after.count(first.quota_key, until_ms), 0);
      await forgetAll(after, until_ms);
      assert.deepEqual(await after.read(first.id, "body"), { status: "absent" });
    },
  );

  test(
    `${name}: a key and a block keep on at most their number, and lose none by it`,
    { skip },
    async (t) => {
      const { datasets } = await open(t);
      const put = (id: number, address: string): Promise<string> =>
        datasets.put(
          sampleDataset(id, { quota_key: address, block_quota: { key: "block", max: null } }),
        );
      for (let id = 0; id < 6; id++) assert.equal(await put(id, `address ${id % 2}`), "stored");
      const until_ms = NOW_MS + 2 * HOUR_MS;
      const keep = (id: number, now_ms = NOW_MS + 1): Promise<boolean> =>
        datasets.keepOn(`nearby_${id}`, { until_ms, now_ms, quota_max: 2, block_max: 3 });
      const remaining = await Promise.all([0, 2, 4].map((id) => keep(id)));
      assert.equal(remaining.filter(Boolean).length, 2, "of its key, also at once");
      const again = await Promise.all([0, 2, 4].map((id) => keep(id)));
      assert.deepEqual(again, remaining, "one that is kept on already counts once");
      assert.deepEqual([await keep(1), await keep(3)], [true, false], "of the block");
      await assertKept(datasets, {
        ...sampleDataset(3, { quota_key: "address 1" }),
        expires_at_ms: NOW_MS + HOUR_MS,
      });
      assert.equal(await datasets.count("block", NOW_MS), 6);
      const late = { created_at_ms: until_ms, expires_at_ms: until_ms + 10 };
      assert.equal(
        await datasets.put(sampleDataset(7, { ...late, quota_key: "address 1" })),
        "stored",
      );
      const life = { until_ms: until_ms + 20, now_ms: until_ms, quota_max: 2, block_max: 3 };
      assert.equal(
        await datasets.keepOn("nearby_7", life),
        true,
        "those whose life ended do not count",
      );
    },
  );
}

export async function forgetAll(datasets: Datasets, now_ms: number): Promise<number> {
  for (let calls = 1; ; calls++) {
    const result = await datasets.forget(now_ms);
    assert.notEqual(result, "unavailable");
    if (result === "done") return calls;
  }
}

export async function assertKept(datasets: Datasets, dataset: NewDataset): Promise<void> {
  for (const part of ["observation", "body"] as const) {
    const read = await datasets.read(dataset.id, part);
    assert.ok(read.status === "ok", `${dataset.id}: ${read.status}`);
    assert.deepEqual(read.row, rowOf(dataset));
    assert.ok(Buffer.from(read.bytes).equals(dataset[part]), `${part} of ${dataset.id}`);
  }
}

/** Always the same. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return (state >>> 16) & 255;
  });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
