/**
 * `vicinity migrate` over a database with a page of rubbish, without a table, or of no bytes said "the
 * stores are of this version", since it looked at their number alone; of an empty one it made a new store.
 * The next start served from it. Now each database is read through first, and where one is damaged none is
 * changed.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { openStorage } from "#storage/open-storage.ts";
import { run } from "../unit/cli/support.ts";

async function createStore(t: TestContext): Promise<{ data_dir: string; folder: string }> {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-damaged-"));
  t.after(() => rmSync(data_dir, { recursive: true }));
  const storage = openStorage({ data_dir, mode: "live" });
  if ("problem" in storage) return assert.fail(storage.problem);
  await Promise.all([storage.usage.close(), storage.datasets.close(), storage.transit.close()]);
  storage.close();
  const folder = join(data_dir, "live");
  alter(
    join(folder, "vicinity.db"),
    `INSERT INTO account SELECT 'acc_' || value, hex(zeroblob(45)), 'free', 'active', value FROM ${SERIES}`,
  );
  return { data_dir, folder };
}

const SERIES =
  "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 2000) SELECT * FROM n)";

function contentOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => `${name} ${hash("sha256", readFileSync(join(folder, name)))}`);
}

function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Each leaves the other database as it was, and of an earlier schema, which must stay so. */
const DAMAGES: Readonly<Record<string, [damage: (folder: string) => void, line: RegExp]>> = {
  "pages of rubbish": [
    (folder) => {
      const path = join(folder, "vicinity.db");
      const bytes = readFileSync(path);
      for (let page = 20; page < 40; page++) bytes.fill(0x5a, page * 4096, page * 4096 + 4096);
      writeFileSync(path, bytes);
    },
    /vicinity\.db in the data folder .* is damaged, and nothing was changed: .*restore a backup/,
  ],
  "an end that is cut off": [
    (folder) => {
      const path = join(folder, "vicinity.db");
      writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2));
    },
    /vicinity\.db .* is damaged, and nothing was changed/,
  ],
  "no bytes at all": [
    (folder) => writeFileSync(join(folder, "vicinity.db"), ""),
    /vicinity\.db .* is damaged, and nothing was changed: it is empty: restore a backup/,
  ],
  "another file": [
    (folder) => writeFileSync(join(folder, "datasets.db"), "a photograph ".repeat(999)),
    /datasets\.db .* is damaged, and nothing was changed: file is not a database/,
  ],
  "a table that is gone": [
    (folder) => alter(join(folder, "vicinity.db"), "DROP TABLE usage_month"),
    /vicinity\.db .* is damaged, and nothing was changed: it has no table usage_month/,
  ],
};

for (const [title, [damage, line]] of Object.entries(DAMAGES))
  test(`migrate refuses a store with ${title}, names it, and changes nothing`, async (t) => {
    const { data_dir, folder } = await createStore(t);
    damage(folder);
    const before = contentOf(folder);
    const { code, out, err } = await run(["migrate"], {
      variables: { VICINITY_DATA_DIR: data_dir },
    });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, new RegExp(`^vicinity: ${line.source}.*\\n$`));
    assert.deepEqual(contentOf(folder), before);
  });

test("migrate says of a whole store what it did before, and makes no database that is not there", async (t) => {
  const { data_dir, folder } = await createStore(t);
  const migrate = () => run(["migrate"], { variables: { VICINITY_DATA_DIR: data_dir } });
  assert.equal((await migrate()).out, "the stores are of this version\n");
  rmSync(join(folder, "datasets.db"));
  assert.equal((await migrate()).code, 0);
  assert.ok(!readdirSync(folder).includes("datasets.db"));
});
