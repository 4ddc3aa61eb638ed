/** FeedStore and Bridges of the embedded database and of memory; and the folder that one service owns. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { openAdminStorage, openStorage, type Storage } from "#storage/open-storage.ts";
import { accountsSuite, type OpenedAccounts } from "./accounts.ts";
import { createMemoryAccounts } from "../support/memory.ts";
import { createMemoryFeedStore } from "../support/memory.ts";
import { bridgesSuite, type OpenedBridges } from "./bridges.ts";
import { createMemoryBridges } from "../support/memory.ts";
import { feedStoreSuite, MEMO, type Opened } from "./feed-store.ts";
import { type OpenedTransit, transitStoreSuite } from "./transit-store.ts";
import { createMemoryTransitStore } from "../support/memory.ts";

feedStoreSuite("memory", { open: () => ({ store: createMemoryFeedStore() }), durable: false });
feedStoreSuite("embedded", { open: openEmbedded, durable: true });

bridgesSuite("memory", { open: () => ({ bridges: createMemoryBridges() }), durable: false });
bridgesSuite("embedded", { open: openEmbeddedBridges, durable: true });

transitStoreSuite("memory", {
  open: () => ({ store: createMemoryTransitStore() }),
  durable: false,
});
transitStoreSuite("embedded", { open: openEmbeddedTransit, durable: true });

accountsSuite("memory", { open: () => ({ accounts: createMemoryAccounts() }), durable: false });
accountsSuite("embedded", { open: openEmbeddedAccounts, durable: true });

function openEmbeddedAccounts(t: TestContext): OpenedAccounts {
  const data_dir = folder(t);
  let storage = opened(t, data_dir);
  const reopen = (): Storage["accounts"] => {
    storage.close();
    storage = opened(t, data_dir);
    return storage.accounts;
  };
  const openOther = (): Storage["accounts"] => {
    const other = openAdminStorage({ data_dir, mode: "sandbox" });
    assert.ok(!("problem" in other));
    t.after(() => other.close());
    return other.accounts;
  };
  return { accounts: storage.accounts, reopen, openOther };
}

function openEmbeddedTransit(t: TestContext): OpenedTransit {
  const data_dir = folder(t);
  let storage = opened(t, data_dir);
  const reopen = async (): Promise<Storage["transit"]> => {
    await storage.transit.close();
    storage.close();
    storage = opened(t, data_dir);
    return storage.transit;
  };
  return { store: storage.transit, reopen };
}

test("a feed imported while the service runs is available to it at once", async (t) => {
  const data_dir = folder(t);
  const service = opened(t, data_dir);
  const other = openAdminStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in other));
  const meta = { imported_at_ms: 1, etag: null, last_modified: null };
  await other.transit.putFeed("paris", Uint8Array.of(1, 2, 3), meta);
  other.close();
  assert.deepEqual([...(await service.transit.readFeed("paris"))!], [1, 2, 3]);
});

function openEmbeddedBridges(t: TestContext): OpenedBridges {
  const data_dir = folder(t);
  let storage = opened(t, data_dir);
  const reopen = (): Storage["bridges"] => {
    storage.close();
    storage = opened(t, data_dir);
    return storage.bridges;
  };
  return { bridges: storage.bridges, reopen };
}

function openEmbedded(t: TestContext): Opened {
  const data_dir = folder(t);
  let storage = opened(t, data_dir);
  const reopen = (): Storage["feeds"] => {
    storage.close();
    storage = opened(t, data_dir);
    return storage.feeds;
  };
  return { store: storage.feeds, reopen };
}

test("a second service on the same folder is refused with one line", (t) => {
  const data_dir = folder(t);
  const first = opened(t, data_dir);
  const second = openStorage({ data_dir, mode: "sandbox" });
  assert.ok("problem" in second);
  assert.match(second.problem, /^the data folder .*sandbox is in use by another service$/);
  const other = openStorage({ data_dir, mode: "live" });
  assert.ok(!("problem" in other), "each mode has its own");
  other.close();
  first.close();
  opened(t, data_dir);
});

test("a crash releases the folder and loses nothing that was put", {}, async (t) => {
  const data_dir = folder(t);
  const script = `
    import { openStorage } from "#storage/open-storage.ts";
    const storage = openStorage({ data_dir: process.argv[1], mode: "sandbox" });
    storage.feeds.putMemo(${JSON.stringify(MEMO)});
    process.stdout.write("put");
    // Held, as a service holds it: a store that is collected gives its folder up.
    setInterval(() => storage.feeds, 1000);`;
  const root = new URL("../..", import.meta.url);
  const argv = ["--input-type=module", "-e", script, data_dir];
  const child = spawn(process.execPath, argv, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const refused = openStorage({ data_dir, mode: "sandbox" });
  assert.ok("problem" in refused, "another process holds it");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.deepEqual(opened(t, data_dir).feeds.listMemos(), [MEMO]);
});

test("a folder that cannot be used is reported in one line, whatever is wrong with it", (t) => {
  const data_dir = folder(t);
  writeFileSync(join(data_dir, "file"), "");
  const inFile = openStorage({ data_dir: join(data_dir, "file"), mode: "live" });
  assert.ok("problem" in inFile);
  assert.doesNotMatch(inFile.problem, /\n/);
  opened(t, data_dir).close();
  writeFileSync(join(data_dir, "sandbox", "vicinity.db"), "not a database at all, but long enough");
  const broken = openStorage({ data_dir, mode: "sandbox" });
  assert.ok("problem" in broken);
  assert.match(broken.problem, /not a database/);
  const again = openStorage({ data_dir, mode: "sandbox" });
  assert.ok("problem" in again);
  assert.match(again.problem, /not a database/, "the lock was let go");
});

test("a store of a newer version is left alone", (t) => {
  const data_dir = folder(t);
  opened(t, data_dir).close();
  const path = join(data_dir, "sandbox", "vicinity.db");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA user_version = 9999");
  database.close();
  const newer = openStorage({ data_dir, mode: "sandbox" });
  assert.ok("problem" in newer);
  assert.match(newer.problem, /newer version/);
});

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "vicinity-store-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function opened(t: TestContext, data_dir: string): Storage {
  const storage = openStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in storage), "problem" in storage ? storage.problem : "");
  let open = true;
  const close = (): void => {
    if (open) storage.close();
    open = false;
  };
  t.after(close);
  return { ...storage, close };
}
