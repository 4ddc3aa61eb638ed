/** Whether a process still has the locks and the files that it believes to have. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isInUse } from "#storage/inspect/databases.ts";
import { checkLocks } from "#storage/inspect/locks.ts";

const WITHOUT = process.platform === "linux" ? false : "only Linux lists locks";

/** As a service holds its folder; `then` is what goes wrong. */
const HOLDER = (then: string) => `
  import { closeSync, openSync, rmSync } from "node:fs";
  import { DatabaseSync } from "node:sqlite";
  const lock = new DatabaseSync("lock.db");
  lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  const database = new DatabaseSync("vicinity.db");
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)");
  ${then}
  process.stdout.write("ready");
  setInterval(() => database.prepare("SELECT 1").get() && lock.isTransaction, 1_000);
`;

async function hold(t: TestContext, then: string): Promise<{ folder: string; pid: number }> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-locks-"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", HOLDER(then)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => void child.once("close", resolve));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true });
  });
  await new Promise((resolve) => void child.stdout.once("data", resolve));
  return { folder, pid: child.pid! };
}

test(
  "a process with its locks is sound, and asking takes none of them",
  { skip: WITHOUT },
  async (t) => {
    const { folder, pid } = await hold(t, "");
    for (let i = 0; i < 3; i++) {
      assert.equal(isInUse(folder), true);
      assert.equal(checkLocks(folder, pid, ["vicinity.db"]).state, "ok");
    }
  },
);

test(
  "a process that has dropped its locks by opening the file is failing",
  { skip: WITHOUT },
  async (t) => {
    const { folder, pid } = await hold(t, 'closeSync(openSync("vicinity.db", "r"));');
    const { state, detail } = checkLocks(folder, pid, ["vicinity.db"]);
    assert.deepEqual([state, /lost its locks on vicinity\.db/.test(detail)], ["failing", true]);
  },
);

test("a process with files that have lost their names is failing", { skip: WITHOUT }, async (t) => {
  const { folder, pid } = await hold(t, 'rmSync("vicinity.db-wal");');
  const { state, detail } = checkLocks(folder, pid, ["vicinity.db"]);
  assert.equal(state, "failing");
  assert.match(detail, /files without names.*vicinity\.db-wal/);
});

test("a folder that no process holds is in no use, and one without a lock neither", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-locks-"));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(isInUse(folder), false);
});
