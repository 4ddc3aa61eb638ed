/**
 * Two replicas started on a busy machine, and for one of them the key store did not answer. It
 * reported that and set its exit code, but the simulator it had opened kept the process alive:
 * whatever waited for it to become ready or to end waited for ever.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { launch } from "../integration/service/processes.ts";
import { createFolder, removeFolder, start } from "../integration/service/support.ts";

test("a start that fails half way ends the process with one line", async (t) => {
  const data_dir = await createFolder();
  const { service } = await start({ data_dir });
  await service.close({ delay_ms: 0 });
  // Its keys are made after everything else has been started.
  const database = new DatabaseSync(join(data_dir, "sandbox", "vicinity.db"));
  database.exec("DELETE FROM api_key; DELETE FROM account");
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON account BEGIN SELECT RAISE(ABORT, 'no account today'); END",
  );
  database.close();
  const running = launch({ data_dir, variables: { LOG_LEVEL: "silent" } });
  t.after(async () => {
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });
  assert.deepEqual(await running.ended, { code: 1, signal: null });
  assert.match(running.output().err, /^vicinity: .*no account today.*\n$/);
});
