/** Programs that make a file in a process of their own: each makes it, and ends with its service. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { openBasePack } from "#osm/index.ts";
import { runMaker } from "#kit/run/maker.ts";
import { createBaseStore } from "#storage/base-files.ts";
import type { SimulatedTask } from "#upstream/bases/simulated.ts";
import { noFault } from "../support/faults.ts";
import { HANG_MS } from "../support/size.ts";
import { createFolder, removeFolder, timeOfTests } from "./service/support.ts";

const programOf = (name: string): URL =>
  new URL(`../../src/main/workers/${name}.ts`, import.meta.url);

async function folderOf(t: TestContext): Promise<string> {
  const folder = await createFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

test("the base of a simulated city is made and stored", async (t) => {
  const folder = await folderOf(t);
  const task: SimulatedTask = {
    ...{ id: "simulated-test", folder, path: join(folder, "extract.osm.pbf") },
    ...{ seed: 1, cities: ["taveuni"], now_ms: timeOfTests() },
  };
  const problem = await runMaker(
    {
      ...{ url: programOf("simulated-base"), args: [JSON.stringify(task)] },
      ...{ max_heap_mb: 1_024, timeout_ms: HANG_MS },
    },
    { signal: new AbortController().signal, onFault: (error) => noFault("maker", error) },
  );
  assert.equal(problem, null);
  const pack = await createBaseStore(folder).read(task.id);
  assert.ok((pack && openBasePack(pack)?.meta.counts.nodes)! > 1_000);
});

// The suite long waits for what it makes (gazetteer.test.ts).
test("the program of the gazetteer is at work until its service ends", async (t) => {
  const program = fileURLToPath(programOf("gazetteer"));
  const child = spawn(process.execPath, [program, await folderOf(t)], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end();
  assert.equal(await ended, 1);
});
