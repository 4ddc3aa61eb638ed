/**
 * `vicinity keys list` or `usage` of a newer version, run against the store of an older one that was
 * serving, migrated it without a word (SQLite 6 to 9, PostgreSQL datasets 1 to 4): the replicas went
 * on, but could not be started again, "made by a newer version". Only a service migrates now, and the
 * command that is named so; each migration is one line.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hash } from "node:crypto";
import { test, type TestContext } from "node:test";
import { migrateStores, openAdminStores } from "#storage/store-deployment.ts";
import { openFolder, openStorage, type DataPlace } from "#storage/open-storage.ts";
import type { Migration } from "#storage/store-schema.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { run } from "../unit/cli/support.ts";
import { unpackOld } from "../support/old-folder.ts";

const LOOKING = [["keys", "list"], ["accounts", "list"], ["usage"], ["bases"]] as const;
const WRITING = [
  ["accounts", "create", "Ada", "--plan", "business"],
  ["keys", "revoke", "key_9sKd03LmQa7Vbn2"],
] as const;

/** What is in the files, but for what SQLite writes next to a database when it is opened. */
function contentOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(db|journal)$/.test(name))
    .map((name) => `${name} ${hash("sha256", readFileSync(join(folder, name)))}`);
}

async function openOld(t: TestContext, commit: string) {
  const { data_dir } = await unpackOld(t, commit);
  const place: DataPlace = { data_dir, mode: "live" };
  const vary = (argv: readonly string[]) =>
    run(argv, {
      variables: { VICINITY_DATA_DIR: data_dir },
      openStore: ({ reads = false }) =>
        openAdminStores(
          { ...place, store_url: null },
          { clock: createManualClock(0), opening: reads ? "read" : "command" },
        ),
    });
  return { place, folder: join(data_dir, "live"), command: vary };
}

test("no command but migrate changes the schema of a store that is there", async (t) => {
  const { place, folder, command } = await openOld(t, "d9737b1");
  // A service that was killed has left a log, which is moved into the database by the program that opens it.
  assert.match((await command(["keys", "list"])).err, /made by an earlier version/);
  const before = contentOf(folder);
  for (const argv of [...LOOKING, ...WRITING]) {
    const { code, out, err } = await command(argv);
    assert.equal(code, 1, argv.join(" "));
    assert.equal(out, "");
    assert.match(
      err,
      /^vicinity: the data folder .*live cannot be used: made by an earlier version \(schema 6, this one needs \d+\): start the service, or run vicinity migrate\n$/,
    );
    assert.deepEqual(contentOf(folder), before, argv.join(" "));
  }
  const migrations: Migration[] = [];
  const note = (migration: Migration): void => void migrations.push(migration);
  assert.equal(await migrateStores({ ...place, store_url: null }, note), null);
  assert.deepEqual(
    migrations.map(({ store, from }) => [store, from]),
    [
      ["vicinity.db", 6],
      ["datasets.db", 1],
    ],
  );
  assert.equal((await command(["keys", "list"])).code, 0);
  assert.equal(await migrateStores({ ...place, store_url: null }, note), null);
  assert.equal(migrations.length, 2, "once");
});

test("a service that migrates says so once, and says nothing of a store that it makes", async (t) => {
  const { place } = await openOld(t, "d9737b1");
  const lines: string[] = [];
  const events = {
    onHealth: () => undefined,
    onDefect: () => undefined,
    warn: () => undefined,
    say: () => undefined,
    onMigrated: ({ store, from, to, took_ms }: Migration) =>
      void lines.push(`${store} ${from} ${to > from} ${took_ms >= 0}`),
  };
  for (let i = 0; i < 2; i++) {
    const opened = openFolder(place, events);
    if ("problem" in opened) assert.fail(opened.problem);
    await opened.datasets.close();
    opened.close();
    assert.deepEqual(lines, ["vicinity.db 6 true true", "datasets.db 1 true true"]);
  }
  const fresh = openFolder({ ...place, mode: "sandbox" }, events);
  if ("problem" in fresh) assert.fail(fresh.problem);
  await fresh.datasets.close();
  fresh.close();
  assert.equal(lines.length, 2);
});

test("looking at a store that is not there makes none", async (t) => {
  const { place, command } = await openOld(t, "d9737b1");
  const data_dir = join(place.data_dir, "elsewhere");
  for (const argv of LOOKING) {
    const { code, err } = await run(argv, {
      openStore: () =>
        openAdminStores(
          { data_dir, mode: "live", store_url: null },
          { clock: createManualClock(0), opening: "read" },
        ),
    });
    assert.equal(code, 1);
    assert.match(err, /there is no store yet: the service makes it when it starts/);
  }
  assert.ok(!readdirSync(place.data_dir).includes("elsewhere"));
  assert.equal((await command(["keys", "list", "--sandbox"])).code, 1);
});

test("a store of a newer version is refused by commands and the service alike", async (t) => {
  const { place, command } = await openOld(t, "c8d4c3eb");
  const service = openStorage(place);
  if ("problem" in service) assert.fail(service.problem);
  await Promise.all([service.usage.close(), service.datasets.close(), service.transit.close()]);
  service.close();
  assert.equal((await command(["keys", "list"])).code, 0);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(place.data_dir, "live", "vicinity.db"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  for (const argv of [["keys", "list"], WRITING[0]])
    assert.match((await command(argv)).err, /made by a newer version \(schema 99, this one knows/);
  assert.match((openStorage(place) as { problem: string }).problem, /made by a newer version/);
});
