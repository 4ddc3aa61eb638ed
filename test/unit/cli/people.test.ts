/** accounts export and erase as they are typed, over a store in a folder. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { test, type TestContext } from "node:test";
import { runCli } from "#cli/main.ts";
import type { AdminStorage } from "#storage/open-storage.ts";
import { run, storeIn } from "./support.ts";

const GIVEN = {
  variables: {},
  serve: () => Promise.resolve(0),
  openOwn: () => Promise.resolve({ problem: "no service in this test" }),
  sandbox: () => Promise.resolve(0),
  importGtfs: () => Promise.resolve({ ok: false, problem: "none" } as const),
  importBase: () => Promise.resolve({ ok: false, problem: "none" } as const),
};

async function openAccount(t: TestContext) {
  const { openStore } = storeIn(t);
  const made = await run(["keys", "create", "--plan", "business", "--name", "Ada", "--json"], {
    openStore,
  });
  const { account_id, key } = JSON.parse(made.out) as { account_id: string; key: string };
  return { openStore, id: account_id, key };
}

test("an account is exported, to a file that only its owner reads, and then erased", async (t) => {
  const { openStore, id, key } = await openAccount(t);
  const { out } = await run(["accounts", "export", id], { openStore });
  const exported = JSON.parse(out) as Record<string, unknown>;
  assert.equal((exported["account"] as { name: string }).name, "Ada");
  assert.deepEqual([exported["usage"], exported["events"], exported["datasets"]], [[], [], []]);
  assert.ok(!out.includes(key), "the key itself is not known");
  const folder = mkdtempSync(join(tmpdir(), "vicinity-export-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "account.json");
  assert.equal((await run(["accounts", "export", id, "--out", path], { openStore })).code, 0);
  assert.equal(readFileSync(path, "utf8"), out);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const twice = await run(["accounts", "export", id, "--out", path], { openStore });
  assert.equal(twice.code, 1, "a file that is there is not replaced");

  const refused = await run(["accounts", "erase", id], { openStore });
  assert.equal(refused.code, 2);
  assert.match(refused.err, /add --yes/);
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const erased = await run(["accounts", "erase", id, "--yes"], { openStore, sleep });
  assert.equal(erased.code, 0);
  assert.deepEqual(waits, [7_000], "running services notice before its usage is made anonymous");
  assert.match(erased.out, /is erased: 1 keys, 0 metered replies, 0 searches; 0 units/);
  const audit = JSON.parse(erased.err) as Record<string, unknown>;
  assert.deepEqual(
    [audit["action"], audit["account_id"], audit["keys"], audit["outcome"]],
    ["account.erase", id, 1, "done"],
  );
  for (const verb of [["export"], ["erase", "--yes"]]) {
    const [name = "", ...options] = verb;
    const gone = await run(["accounts", name, id, ...options], { openStore });
    assert.equal(gone.code, 1);
    assert.match(gone.err, /there is no account acc_/);
  }
});

test("an export waits for who reads it, and ends when it is read no more", async () => {
  const rows = 20_000;
  let pulled = 0;
  function* events() {
    for (let i = 0; i < rows; i++) {
      pulled += 1;
      yield {
        event_id: `${i}`,
        key_id: null,
        operation: "nearby",
        units: 1,
        requests: 1,
        at_ms: i,
      };
    }
  }
  const people = {
    read: () => ({ account: null, keys: [], totals: [], events: events(), datasets: [] }),
  };
  const openStore = () => ({ people, close: () => undefined }) as unknown as AdminStorage;
  let message = "";
  const err = new PassThrough().on("data", (chunk: Buffer) => void (message += chunk.toString()));
  const begin = (out: Writable) =>
    runCli(["accounts", "export", "acc_1"], { ...GIVEN, openStore, out, err });
  const slow = new PassThrough({ highWaterMark: 1_024 });
  const running = begin(slow);
  await new Promise((done) => setTimeout(done, 100));
  assert.ok(pulled < rows / 10, `${pulled} rows were read ahead`);
  let bytes = 0;
  slow.on("data", (chunk: Buffer) => void (bytes += chunk.length));
  assert.equal(await running, 0, message);
  assert.ok(bytes > rows * 20, `${bytes} bytes`);
  // As `head` does.
  pulled = 0;
  const stopped = new PassThrough();
  const ending = begin(stopped);
  await new Promise((done) => setTimeout(done, 20));
  stopped.destroy();
  assert.equal(await ending, 0, message);
  assert.ok(pulled < rows, "the rest is not read");
});
