/** What is said of a store that fails for every request, and a log file that is moved or gone. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLog, findLogProblem } from "#observe/log.ts";
import { throttled } from "#observe/throttle.ts";
import { within } from "../../support/size.ts";

test("a repeated fault is logged at once, then rate-limited, with the number of lines left out", () => {
  const logged: [string, number][] = [];
  let now_ms = 0;
  const log = throttled<string>(
    (what, omitted) => logged.push([what, omitted]),
    () => now_ms,
  );
  for (; now_ms < 12_000; now_ms += 1_000) log(`at ${now_ms}`);
  assert.deepEqual(logged, [
    ["at 0", 0],
    ["at 5000", 4],
    ["at 10000", 4],
  ]);
});

test("a log file that was moved is opened again by its name, and no line is lost", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-log-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "vicinity.log");
  const { log, reopen, close } = createLog({ level: "info", dest: path });
  const linesOf = (file: string): unknown[] =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .trim()
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => (JSON.parse(line) as { n: number }).n)
      : [];
  log.info({ n: 1 });
  await untilTrue(() => linesOf(path).length > 0);
  renameSync(path, `${path}.1`);
  log.info({ n: 2 });
  reopen();
  log.info({ n: 3 });
  await untilTrue(() => linesOf(path).length > 0);
  close();
  assert.deepEqual([linesOf(`${path}.1`), linesOf(path)], [[1, 2], [3]]);
  assert.equal(statSync(path).mode & 0o007, 0, "others cannot read it");
});

test("a file that cannot be the log is one line at the start, and a fault later", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  assert.match(
    findLogProblem({ log_file: join(folder, "no/x.log") }) ?? "",
    /^LOG_FILE: .*x\.log has no folder/,
  );
  assert.equal(findLogProblem({ log_file: null }), null);
  const path = join(folder, "own", "x.log");
  mkdirSync(join(folder, "own"));
  const faults: unknown[] = [];
  const { log, reopen, close } = createLog({
    level: "info",
    dest: path,
    onFault: (error) => faults.push(error),
  });
  await untilTrue(() => existsSync(path));
  rmSync(join(folder, "own"), { recursive: true });
  reopen();
  await untilTrue(() => faults.length > 0);
  log.info({ n: 1 });
  close();
});

async function untilTrue(holds: () => boolean): Promise<void> {
  const until = performance.now() + within(10_000);
  while (!holds()) {
    assert.ok(performance.now() < until);
    await new Promise((resolve) => void setTimeout(resolve, 5));
  }
}
