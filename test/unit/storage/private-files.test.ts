/** The data folder belongs to the service's user alone, whatever the umask and its creator. */
import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openAdminStorage, openStorage } from "#storage/open-storage.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "vicinity-private-"));
  const umask = process.umask(0);
  t.after(() => {
    process.umask(umask);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

function modesIn(path: string): Record<string, string> {
  const modeOf = (name: string): string => (statSync(name).mode & 0o777).toString(8);
  const files = readdirSync(path).map((name) => [name, modeOf(join(path, name))]);
  return { ".": modeOf(path), ...Object.fromEntries(files) };
}

async function openAndUse(data_dir: string): Promise<Record<string, string>> {
  const storage = openStorage({ data_dir, mode: "live" });
  assert.ok(!("problem" in storage));
  storage.bridges.meet(["a"], 1);
  assert.equal(await storage.datasets.forget(1), "done", "its thread has opened the database too");
  const modes = modesIn(join(data_dir, "live"));
  await Promise.all([storage.usage.close(), storage.datasets.close()]);
  storage.close();
  return modes;
}

test("a new data folder is 0700 and every file in it 0600, also those next to a database", async (t) => {
  const data_dir = join(folder(t), "made");
  const { ".": own, ...files } = await openAndUse(data_dir);
  assert.equal(own, "700");
  assert.ok(
    Object.keys(files).some((name) => name.endsWith("-wal")),
    Object.keys(files).join(),
  );
  assert.deepEqual(new Set(Object.values(files)), new Set(["600"]), JSON.stringify(files));
  assert.equal((statSync(data_dir).mode & 0o777).toString(8), "700", "the folder above as well");
});

test("a folder that was open to others is closed at the next start, and what is in it", async (t) => {
  const data_dir = folder(t);
  await openAndUse(data_dir);
  const live = join(data_dir, "live");
  writeFileSync(join(live, "stranger"), "");
  mkdirSync(join(live, "lost+found"));
  for (const name of readdirSync(live)) chmodSync(join(live, name), 0o755);
  chmodSync(live, 0o755);
  const { ".": own, "lost+found": inner, ...files } = await openAndUse(data_dir);
  assert.deepEqual([own, inner], ["700", "755"], "folders in it are not ours");
  assert.deepEqual(new Set(Object.values(files)), new Set(["600"]), JSON.stringify(files));
});

test("a command alongside the service makes the folder private too", (t) => {
  const data_dir = folder(t);
  const other = openAdminStorage({ data_dir, mode: "live" });
  assert.ok(!("problem" in other));
  const { ".": own, ...files } = modesIn(join(data_dir, "live"));
  other.close();
  assert.equal(own, "700");
  assert.deepEqual(new Set(Object.values(files)), new Set(["600"]));
});
