/**
 * Programs of others at the databases of a service that runs as a process of its own: they change
 * nothing for it. And where its log has lost its name all the same, it says so, and nothing is lost
 * if the operator does what docs/operations.md says.
 */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { ADMIN_TOKEN, Ledger, listLost, makeKey } from "../../../trials/foreign-readers/load.ts";
import { CAN_LOOK } from "../../../trials/foreign-readers/open-files.ts";
import { startProcess } from "./processes.ts";
import { createFolder, eventually, removeFolder } from "./support.ts";

async function folderOf(t: TestContext): Promise<string> {
  const data_dir = await createFolder();
  t.after(() => removeFolder(data_dir));
  return data_dir;
}

const NO_PROC = CAN_LOOK ? false : "files without a name are found by /proc of Linux";

test(
  "a log that lost its name is an error, ends readiness, and can be saved",
  { skip: NO_PROC },
  async (t) => {
    const data_dir = await folderOf(t);
    const variables = { ADMIN_TOKEN, LOG_LEVEL: "error" };
    const wish = { data_dir, cities: "paris", variables };
    const first = await startProcess(wish);
    t.after(() => first.running.child.kill("SIGKILL"));
    const { ready, running } = first;
    const folder = join(data_dir, "sandbox");
    for (const end of ["-wal", "-shm"]) rmSync(join(folder, `vicinity.db${end}`));
    const ledger = new Ledger();
    assert.ok(await makeKey(ready, ledger), "keys are still acknowledged");

    const refused = await eventually(
      async () => {
        const reply = await fetch(`${ready.admin_url}/readyz`);
        return reply.status === 503 ? await reply.text() : null;
      },
      { within_ms: 60_000, what: "the end of readiness" },
    );
    assert.deepEqual(JSON.parse(refused), {
      status: "failing",
      reason: "vicinity.db-wal, vicinity.db-shm of the store lost their names",
    });
    const metrics = await (await fetch(`${ready.admin_url}/metrics`)).text();
    assert.match(metrics, /^svc_store_files_lost 2$/m);
    const reportOf = (): number =>
      running
        .output()
        .out.split("\n")
        .filter((line) => line.includes("VicinityStoreDetached")).length;
    // The log is written later than what it is about.
    const isSaid = (): Promise<true | null> => Promise.resolve(reportOf() > 0 || null);
    await eventually(isSaid, { within_ms: 60_000, what: "the line of the log" });
    assert.equal(reportOf(), 1);

    saveFiles(ready.pid, folder);
    running.child.kill("SIGKILL");
    await running.ended;
    const second = await startProcess(wish);
    t.after(() => second.running.child.kill("SIGKILL"));
    assert.deepEqual(await listLost(second.ready, ledger), [], "the key is there");
    second.running.child.kill("SIGKILL");
    await second.running.ended;
  },
);

/** As docs/operations.md says: while it is stopped, the files without a name are put back. */
function saveFiles(pid: number, folder: string): void {
  process.kill(pid, "SIGSTOP");
  const saved = join(folder, "saved");
  mkdirSync(saved);
  const list = `/proc/${pid}/fd`;
  const matches = readdirSync(list).flatMap((descriptor): [string, string][] => {
    const target = readlinkSync(join(list, descriptor));
    const name = basename(target.replace(/ \(deleted\)$/, ""));
    return target.endsWith("-wal (deleted)") ? [[name, join(list, descriptor)]] : [];
  });
  assert.ok(matches.length > 0);
  for (const [name, descriptor] of matches) copyFileSync(descriptor, join(saved, name));
  process.kill(pid, "SIGKILL");
  for (const [name] of matches) copyFileSync(join(saved, name), join(folder, name));
}
