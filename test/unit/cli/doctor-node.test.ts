/** `vicinity doctor --node` on folders that are not sound: each check says so, and nothing is changed. */
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
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { deflateRawSync } from "node:zlib";
import { openStorage } from "#storage/open-storage.ts";
import { EMBEDDED_SCHEMAS } from "#storage/schema-versions.ts";
import { NOW, run } from "./support.ts";

type Check = { check: string; state: string; detail: string };

/** A data folder as a service leaves it. */
async function createNode(t: TestContext): Promise<{ data_dir: string; folder: string }> {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-node-"));
  t.after(() => rmSync(data_dir, { recursive: true }));
  const storage = openStorage({ data_dir, mode: "live" });
  assert.ok(!("problem" in storage));
  await Promise.all([storage.usage.close(), storage.datasets.close(), storage.transit.close()]);
  storage.close();
  return { data_dir, folder: join(data_dir, "live") };
}

async function examine(data_dir: string, args: readonly string[] = []) {
  const variables = { VICINITY_DATA_DIR: data_dir, VICINITY_CONTACT: "ops@example.org" };
  const ran = await run(["doctor", "--node", "--json", ...args], { variables });
  const { checks } = JSON.parse(ran.out) as { checks: Check[] };
  const found = new Map(checks.map((each) => [each.check, each]));
  return { code: ran.code, found, of: (name: string) => found.get(name)?.state ?? "absent" };
}

test("a sound folder without a service: no check fails, and the missing backup is a warning", async (t) => {
  const { data_dir, folder } = await createNode(t);
  const before = readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
  const { code, found, of } = await examine(data_dir);
  const failing = [...found.values()].filter(({ state }) => state === "failing");
  assert.deepEqual([code, failing], [0, []]);
  assert.equal(of("backup"), "warning");
  for (const check of [
    "service",
    "permissions",
    "store vicinity.db",
    "schema datasets.db",
    "bases",
  ])
    assert.equal(of(check), "ok", check);
  const after = readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
  assert.deepEqual(after, before, "it leaves nothing behind");
});

test("a folder that is not there is one failing check, and is not made", async () => {
  const data_dir = join(tmpdir(), "vicinity-no-such-folder");
  const { code, of } = await examine(data_dir);
  assert.deepEqual([code, of("folder")], [1, "failing"]);
  assert.equal(statSync(data_dir, { throwIfNoEntry: false }), undefined);
});

test("damage, and schemas of other versions, which are not migrated", async (t) => {
  const { data_dir, folder } = await createNode(t);
  const path = join(folder, "vicinity.db");
  const setVersion = (version: number): void => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };
  const entry = EMBEDDED_SCHEMAS["vicinity.db"]!;
  for (const [version, state, code] of [
    [entry - 1, "warning", 0],
    [entry + 1, "failing", 1],
  ] as const) {
    setVersion(version);
    const examined = await examine(data_dir);
    assert.deepEqual([examined.of("schema vicinity.db"), examined.code], [state, code]);
    assert.match(examined.found.get("schema vicinity.db")!.detail, new RegExp(`^${version}[:,]`));
  }
  writeFileSync(path, Buffer.alloc(8_192, 7));
  assert.equal((await examine(data_dir)).of("store vicinity.db"), "failing");
  rmSync(path);
  assert.equal((await examine(data_dir)).of("store vicinity.db"), "failing");
});

test("a folder or file that others can write or read", async (t) => {
  const { data_dir, folder } = await createNode(t);
  chmodSync(join(folder, "vicinity.db"), 0o640);
  assert.equal((await examine(data_dir)).of("permissions"), "warning");
  chmodSync(folder, 0o777);
  const { found } = await examine(data_dir);
  assert.equal(found.get("permissions")!.state, "failing");
  for (const path of [folder, join(folder, "vicinity.db")])
    assert.ok(found.get("permissions")!.detail.includes(path), path);
  chmodSync(folder, 0o700);
});

test("imports of another version, and damaged ones, are named", async (t) => {
  const { data_dir, folder } = await createNode(t);
  const words = (magic: number, version: number): Buffer => {
    const bytes = Buffer.alloc(64);
    bytes.writeUInt32LE(magic, 0);
    bytes.writeUInt32LE(version, 4);
    return bytes;
  };
  mkdirSync(join(folder, "bases"));
  writeFileSync(join(folder, "bases/old.vbase"), words(0x31425656, 1));
  writeFileSync(join(folder, "bases/new.vbase"), words(0x32425656, 9));
  writeFileSync(join(folder, "bases/whole.vbase"), words(0x32425656, 3));
  writeFileSync(join(folder, "bases/cut.vbase"), "x");
  const database = new DatabaseSync(join(folder, "vicinity.db"));
  database
    .prepare(
      "INSERT INTO transit_feed (feed_id, version, imported_at_ms, etag, last_modified, pack) VALUES (?, 1, 0, NULL, NULL, ?)",
    )
    .run("caltrain", deflateRawSync(words(0x31544756, 3)));
  database.close();
  const { code, found } = await examine(data_dir);
  assert.equal(code, 1);
  assert.equal(
    found.get("bases")!.detail,
    "cut is damaged; new is of a later version; old is of an earlier version: import again",
  );
  assert.match(
    found.get("timetables")!.detail,
    /^caltrain is of an earlier version: import again$/,
  );
});

test("accounts on a plan that the configuration lacks", async (t) => {
  const { data_dir, folder } = await createNode(t);
  const database = new DatabaseSync(join(folder, "vicinity.db"));
  const add = database.prepare("INSERT INTO account VALUES (?, ?, ?, 'active', 0)");
  for (const [id, plan] of [
    ["acc_1", "developer"],
    ["acc_2", "lim"],
    ["acc_3", "lim"],
  ] as const)
    add.run(id, id, plan);
  database.close();
  const { code, found } = await examine(data_dir);
  assert.equal(code, 1);
  assert.match(found.get("plans")!.detail, /lim \(2 accounts\)$/);
});

test("the last backup: how old it is, and whether it is where it says", async (t) => {
  const { data_dir, folder } = await createNode(t);
  const target = join(data_dir, "copy");
  mkdirSync(target);
  const made = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();
  const leave = (made_at: string, path = target): void =>
    writeFileSync(join(folder, "last-backup.json"), JSON.stringify({ path, made_at, bytes: 5e6 }));
  const manifest = (made_at: string): void =>
    writeFileSync(join(target, "manifest.json"), JSON.stringify({ made_at }));
  const state = async (): Promise<string> => (await examine(data_dir)).of("backup");
  leave(made(3));
  manifest(made(3));
  assert.equal(await state(), "ok");
  manifest(made(4));
  assert.equal(await state(), "warning", "another backup lies there");
  leave(made(3), join(data_dir, "gone"));
  assert.equal(await state(), "warning");
  leave(made(48));
  manifest(made(48));
  assert.equal(await state(), "warning");
  writeFileSync(join(folder, "last-backup.json"), "{}");
  assert.equal(await state(), "unknown");
});

test("a configuration that is not valid fails; as a table, what fails comes first", async (t) => {
  const { data_dir } = await createNode(t);
  const file = join(data_dir, "vicinity.json");
  writeFileSync(file, '{"planz":{}}');
  const { code, of } = await examine(data_dir, ["--config", file]);
  assert.deepEqual([code, of("config"), of("plans")], [1, "failing", "unknown"]);
  const variables = { VICINITY_DATA_DIR: data_dir, VICINITY_CONTACT: "ops@example.org" };
  const ran = await run(["doctor", "--node", "--config", file], { variables });
  const [head, first] = ran.out.split("\n");
  assert.match(head ?? "", /^state +check +found/);
  assert.match(first ?? "", /^failing +config +config: /);
  assert.match(ran.out, /\n\d+ checks: 1 failing, \d+ warning/);
});
