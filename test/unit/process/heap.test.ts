/** The runtime still has the flag that lets heaps grow: of one that it lacks it prints an error. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const execute = promisify(execFile);

test("the pinned runtime knows the flag that lets heaps grow", async () => {
  const module = new URL("../../../src/process/heap.ts", import.meta.url);
  const program = `import { setHeapGrowth } from ${JSON.stringify(module.href)}; setHeapGrowth();`;
  const { stdout, stderr } = await execute(process.execPath, [
    ...["--input-type=module", "--eval", program],
  ]);
  assert.deepEqual({ stdout, stderr }, { stdout: "", stderr: "" });
});
