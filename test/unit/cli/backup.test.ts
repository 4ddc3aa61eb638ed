/** backup, restore and migrate as they are typed, over data folders. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openAdminStorage } from "#storage/open-storage.ts";
import { run, terminal } from "./support.ts";

function openWork(t: TestContext) {
  const work = mkdtempSync(join(tmpdir(), "vicinity-cli-backup-"));
  t.after(() => rmSync(work, { recursive: true }));
  const data_dir = join(work, "data");
  const store = openAdminStorage({ data_dir, mode: "live" });
  if ("problem" in store) return assert.fail(store.problem);
  store.accounts.createAccount({
    ...{ id: "acc_1", name: "Ada", plan: "business", standing: "active", created_at_ms: 1 },
  });
  store.close();
  const inFolder = (folder: string, more: Record<string, string> = {}) => ({
    variables: { VICINITY_DATA_DIR: folder, ...more },
  });
  return { work, data_dir, inFolder };
}

test("a backup is made, restored, and listed", async (t) => {
  const { work, data_dir, inFolder } = openWork(t);
  const config = join(work, "vicinity.json");
  writeFileSync(config, "{}");
  const target = join(work, "copy.tar");
  const input = inFolder(data_dir, { VICINITY_CONFIG: config });
  const made = await run(["backup", target], input);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /copy\.tar: \d+ files, .* as of 2026-11-21T12:00:00\.000Z, checked\n$/);
  assert.match(made.err, /^backing up to .*copy\.tar: about .*, .* are free there\n$/);
  const last = readFileSync(join(data_dir, "live", "last-backup.json"), "utf8");
  assert.equal((JSON.parse(last) as { path: string }).path, target);

  const other = join(work, "other");
  const restored = await run(["restore", target, "--json"], inFolder(other));
  assert.equal(restored.code, 0, restored.err);
  const reported = JSON.parse(restored.out) as Record<string, unknown>;
  assert.equal(reported["folder"], join(other, "live"));
  assert.equal(reported["version"], "1.1.0");
  assert.match(String(reported["config_sha256"]), /^44136fa355b3678a/, "of {}");
  const store = openAdminStorage({ data_dir: other, mode: "live" }, "read");
  if ("problem" in store) return assert.fail(store.problem);
  assert.deepEqual(
    store.accounts.listAccounts().map(({ name }) => name),
    ["Ada"],
  );
  store.close();
  const again = await run(["restore", target], inFolder(other));
  assert.equal(again.code, 1);
  assert.match(again.err, /live is not empty: name an empty one in VICINITY_DATA_DIR/);
});

test("a terminal shows a bar for each step", async (t) => {
  const { work, data_dir, inFolder } = openWork(t);
  const { err, code } = await run(["backup", join(work, "copy.tar")], {
    ...inFolder(data_dir),
    err: terminal(),
  });
  assert.equal(code, 0, err);
  for (const step of ["copied", "packed", "checked"]) assert.match(err, new RegExp(`${step} `));
});

test("what cannot be backed up is one line", async (t) => {
  const { work, data_dir, inFolder } = openWork(t);
  const none = await run(["backup", join(work, "copy")], inFolder(join(work, "none")));
  assert.equal(none.code, 1);
  assert.match(
    none.err,
    /^vicinity: .*none\/live has nothing to back up: there is no store yet: .*\n$/,
  );
  mkdirSync(join(work, "full", "in"), { recursive: true });
  const full = await run(["backup", join(work, "full")], inFolder(data_dir));
  assert.match(full.err, /^vicinity: .*full is not empty; choose another folder\n$/);
  const gone = inFolder(data_dir, { VICINITY_STORE_URL: "postgres://u@127.0.0.1:1/d" });
  const away = await run(["backup", join(work, "copy")], gone);
  assert.equal(away.code, 1);
  assert.match(
    away.err,
    /^vicinity: the store of VICINITY_STORE_URL cannot be used: connect .*\n$/,
  );
  const config = inFolder(data_dir, { VICINITY_CONFIG: join(work, "no.json") });
  const lost = await run(["backup", join(work, "copy")], config);
  assert.equal(lost.code, 1);
  assert.match(lost.err, /\nvicinity: VICINITY_CONFIG: .*no\.json is not there: check the path\n$/);
});

test("migrate says what there was to do", async (t) => {
  const { work, data_dir, inFolder } = openWork(t);
  const done = await run(["migrate"], inFolder(data_dir));
  assert.deepEqual(done, { code: 0, out: "the stores are of this version\n", err: "" });
  const json = await run(["migrate", "--json"], inFolder(data_dir));
  assert.deepEqual(JSON.parse(json.out), { migrations: [] });
  const none = await run(["migrate"], inFolder(join(work, "none")));
  assert.equal(none.code, 1);
  assert.match(none.err, /none\/live cannot be used: there is no store yet/);
});
