/** What Datasets in tables hold: no damage is ever served, and what was accepted is kept. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Datasets } from "#ports.ts";
import { assertKept, forgetAll, sampleDataset } from "./datasets.ts";

type Row = Record<string, unknown>;

export type OpenedTables = {
  datasets: Datasets;
  reopen(): Promise<Datasets>;
  /** Runs a statement on a connection of its own. */
  exec(sql: string): Row[] | Promise<Row[]>;
  /** The same with the guard against changes taken away. */
  damage(sql: string): unknown;
};

/** Statements that differ between databases. */
export type Dialect = {
  contents: string;
  /** Bytes that cannot be unpacked. */
  unpackable: string;
  /** Gives the content of the first dataset the bytes of another. */
  others_bytes: string;
  /** Makes the first dataset refer to the content of the second. */
  others_content: string;
  /** Makes a commit of `nearby_2` fail. */
  refuse: readonly string[];
};

const set = (change: string): string => `UPDATE dataset SET ${change} WHERE id = 'nearby_1'`;

export function testTables(
  name: string,
  options: {
    open: (t: TestContext) => OpenedTables | Promise<OpenedTables>;
    dialect: Dialect;
    skip?: string | false;
  },
): void {
  const { open, dialect, skip = false } = options;
  const { contents, unpackable } = dialect;
  const spoil = `UPDATE ${contents} SET packed = ${unpackable}`;

  test(`${name}: equal bodies are stored once, and go with the last one`, { skip }, async (t) => {
    const { datasets, exec } = await open(t);
    const body = Buffer.from("the same ".repeat(1_000));
    const all = Array.from({ length: 250 }, (_, i) =>
      sampleDataset(i, { body, expires_at_ms: 1_000 + (i < 249 ? 0 : 1) }),
    );
    await Promise.all(all.map((dataset) => datasets.put(dataset)));
    const count = async (): Promise<number> => (await exec(`SELECT 1 FROM ${contents}`)).length;
    assert.equal(await count(), 1);
    assert.equal(await forgetAll(datasets, 1_000), 3, "a hundred at a time");
    assert.equal(await count(), 1);
    await assertKept(datasets, all.at(-1)!);
    await forgetAll(datasets, 1_001);
    assert.equal(await count(), 0);
    assert.deepEqual(await exec("SELECT * FROM dataset_count"), [], "no trace of the caller");
  });

  /** Each leaves the dataset 1 in a state in which it must not be served. */
  const damages: [damage: string, sql: string, part: "observation" | "body", reason: string][] = [
    ["no content", `DELETE FROM ${contents}`, "body", "content_mismatch"],
    ["unpackable", spoil, "body", "unreadable"],
    ["another's bytes", dialect.others_bytes, "body", "content_mismatch"],
    ["another's content", set(dialect.others_content), "body", "content_mismatch"],
    ["another version", set("version = '1-2'"), "observation", "content_mismatch"],
    ["another owner", set("owner = 'public'"), "body", "content_mismatch"],
    ["a longer life", set("expires_at_ms = expires_at_ms + 1"), "body", "content_mismatch"],
    [
      "another's observation",
      set("observation = (SELECT observation FROM dataset WHERE id = 'nearby_2')"),
      "observation",
      "content_mismatch",
    ],
    ["no table", `ALTER TABLE ${contents} RENAME TO away`, "body", "unreadable"],
  ];
  for (const [damage, sql, part, reason] of damages)
    test(`${name}: a damaged dataset is never served: ${damage}`, { skip }, async (t) => {
      const opened = await open(t);
      const { datasets } = opened;
      for (const id of [1, 2]) await datasets.put(sampleDataset(id));
      await assertKept(datasets, sampleDataset(1));
      if (sql.startsWith("UPDATE dataset SET"))
        await assert.rejects(async () => opened.exec(sql), /a dataset never changes/);
      await opened.damage(sql);
      assert.deepEqual(await datasets.read("nearby_1", part), { status: "unavailable", reason });
    });

  test(`${name}: damaged content is repaired by the next equal body`, { skip }, async (t) => {
    const { datasets, exec } = await open(t);
    await datasets.put(sampleDataset(1));
    await exec(spoil);
    assert.equal(await datasets.put(sampleDataset(4)), "stored");
    assert.equal((await exec(`SELECT 1 FROM ${contents}`)).length, 1);
    await assertKept(datasets, sampleDataset(4));
    await assertKept(datasets, sampleDataset(1));
  });

  test(`${name}: a failed commit stores nothing; the next one succeeds`, { skip }, async (t) => {
    const { datasets, exec } = await open(t);
    await datasets.put(sampleDataset(0));
    for (const sql of dialect.refuse) await exec(sql);
    const fates = await Promise.all([1, 2].map((id) => datasets.put(sampleDataset(id))));
    assert.deepEqual(fates, ["unavailable", "unavailable"]);
    assert.equal((await datasets.read("nearby_1", "body")).status, "absent");
    assert.equal((await exec(`SELECT 1 FROM ${contents}`)).length, 1);
    assert.equal(await datasets.put(sampleDataset(1)), "stored");
  });

  test(`${name}: a store that cannot count or forget says so`, { skip }, async (t) => {
    const { datasets, exec } = await open(t);
    await exec("DROP TABLE dataset_count");
    assert.equal(await datasets.count("acc_0", 0), null);
    await exec("DROP TABLE dataset");
    assert.equal(await datasets.forget(0), "unavailable");
  });

  test(`${name}: once closed it accepts nothing, and keeps the accepted`, { skip }, async (t) => {
    const { datasets, reopen } = await open(t);
    const all = Array.from({ length: 200 }, (_, i) => sampleDataset(i));
    const fates = all.map((dataset) => datasets.put(dataset));
    const again = reopen();
    assert.equal(await datasets.put(sampleDataset(200)), "unavailable");
    assert.equal(await datasets.forget(0), "unavailable");
    assert.ok((await Promise.all(fates)).every((fate) => fate === "stored"));
    const reopened = await again;
    for (const dataset of all) await assertKept(reopened, dataset);
  });

  test(`${name}: a full queue refuses, and loses nothing it accepted`, { skip }, async (t) => {
    const { datasets } = await open(t);
    const body = (i: number): Uint8Array => new Uint8Array(1024 * 1024).fill(i);
    const all = Array.from({ length: 80 }, (_, i) => sampleDataset(i, { body: body(i) }));
    const fates = await Promise.all(all.map((dataset) => datasets.put(dataset)));
    const first = fates.indexOf("unavailable");
    assert.equal(first, 63, "64 MB including what is kept alongside");
    for (const dataset of all.slice(0, first)) await assertKept(datasets, dataset);
    assert.equal(await datasets.put(all[first]!), "stored", "there is room again");
  });
}
