/** Lines of the log for people, and the format and level that a stream has. */
import assert from "node:assert/strict";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { test, type TestContext } from "node:test";
import { openLog } from "#observe/log.ts";
import { toPrettyLine } from "#observe/log-line.ts";

const at = new Date(2026, 10, 23, 9, 15, 4).getTime();
const WIDE = { columns: 200, color: false };

test("a line has time, level and message, then the rest by name", () => {
  const json = JSON.stringify({ level: 40, time: at, source_id: "lime", tries: 3, msg: "feed" });
  assert.equal(toPrettyLine(json, WIDE), "09:15:04 warn  feed source_id=lime tries=3\n");
  const nested = JSON.stringify({ level: 30, time: at, where: { a: [1] }, text: "two words" });
  assert.equal(toPrettyLine(nested, WIDE), '09:15:04 info  where={"a":[1]} text="two words"\n');
});

test("it is cut to the terminal, and an error's stack follows whole", () => {
  const json = JSON.stringify({ level: 30, time: at, text: "x".repeat(300), msg: "long" });
  const line = toPrettyLine(json, { columns: 60, color: false });
  assert.equal(line.length, 61);
  assert.ok(line.endsWith("…\n"));
  const err = { type: "Error", message: "broken", stack: "Error: broken\n    at here" };
  const failed = JSON.stringify({ level: 50, time: at, err, msg: "store" });
  assert.equal(toPrettyLine(failed, WIDE), "09:15:04 error store\n  Error: broken\n  at here\n");
});

test("no text of a stranger moves the cursor", () => {
  const json = JSON.stringify({
    level: 40,
    time: at,
    name: "\u009b31m\u202e\nx",
    msg: "a\u001b[2J",
  });
  const line = toPrettyLine(json, WIDE);
  assert.ok(!/[\p{Cc}\u202e]/u.test(line.slice(0, -1)), JSON.stringify(line));
  const colored = toPrettyLine(json, { columns: 80, color: true });
  assert.equal(stripVTControlCharacters(colored), line);
});

test("on a terminal the log is for people and begins at warn; elsewhere it is JSON from info", async (t) => {
  const env = { log_format: null, log_level: null, no_color: true, log_file: null };
  const terminal = await write(t, { isTTY: true, columns: 80 }, env);
  assert.match(terminal, /^\d\d:\d\d:\d\d warn {2}second\n$/);
  const piped = await write(t, { isTTY: false }, env);
  const lines = piped
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.deepEqual(lines, ["first", "second"]);
});

test("LOG_FORMAT and LOG_LEVEL decide where they are set", async (t) => {
  const json = { log_format: "json", log_level: null, no_color: true, log_file: null } as const;
  assert.match(await write(t, { isTTY: true }, json), /^\{"level":30,.*"first"\}\n\{"level":40/);
  const pretty = {
    log_format: "pretty",
    log_level: "info",
    no_color: false,
    log_file: null,
  } as const;
  assert.match(
    await write(t, { isTTY: false }, pretty),
    /^[\d:]+ info {2}first\n[\d:]+ warn {2}sec/,
  );
});

/** What two lines become in a file in place of the stream. */
async function write(
  t: TestContext,
  stream: { isTTY: boolean; columns?: number },
  env: Parameters<typeof openLog>[1],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-log-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  const { log, close } = openLog({ fd: openSync(file, "w"), ...stream }, env);
  log.info("first");
  log.warn("second");
  close();
  return readFileSync(file, "utf8");
}
