/** SIGHUP: what is applied, what needs a restart, and what stays where the file is not valid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Logger } from "pino";
import { readEnv } from "#config/env.ts";
import { type Config, loadConfig } from "#config/load.ts";
import type { Loaded } from "#config/config-result.ts";
import { Reload, type Unapplied } from "#config/reload.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

type Line = { level: string; members: Record<string, unknown>; text: string };

function open(t: TestContext, settings: object) {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-reload-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vicinity.json");
  const write = (text: string): void => writeFileSync(file, text);
  write(JSON.stringify(settings));
  const env = readEnv({ VICINITY_CONTACT: "ops@example.org" });
  assert.ok(env.ok);
  const load = (): Loaded<Config> => loadConfig({ mode: "live", env: env.value, file });
  const loaded = load();
  assert.ok(loaded.ok);
  const lines: Line[] = [];
  const say = (level: string) => (members: Record<string, unknown>, text: string) =>
    void lines.push({ level, members, text });
  const applied: Pick<Config, "plans" | "digest">[] = [];
  const unapplied: Unapplied[] = [];
  let reopened = 0;
  const reload = new Reload({
    config: loaded.value,
    load,
    reopen: () => void reopened++,
    apply: (next) => void applied.push(next),
    onUnapplied: (each) => void unapplied.push(each),
    log: () => ({ info: say("info"), warn: say("warn"), error: say("error") }) as unknown as Logger,
  });
  return {
    reload,
    write,
    lines,
    applied,
    unapplied,
    load,
    config: loaded.value,
    reopened: () => reopened,
  };
}

test("plans are applied, and the digest is that of the file", (t) => {
  const { reload, write, lines, applied, config, reopened } = open(t, {});
  write(JSON.stringify({ plans: { free: { rate_per_s: 2 } } }));
  reload.run();
  assert.equal(reopened(), 1);
  assert.equal(applied[0]!.plans["free"]!.rate_per_s, 2);
  assert.equal(applied[0]!.digest.config, config.digest.config, "of all but the plans");
  assert.notEqual(applied[0]!.digest.plans, config.digest.plans);
  assert.deepEqual([lines[0]!.level, lines[0]!.members["applied"]], ["info", ["plans"]]);
  // The same file again changes nothing, and the plans stay the same objects.
  reload.run();
  assert.equal(applied[1]!.plans, applied[0]!.plans);
  assert.deepEqual(lines[1]!.members["applied"], []);
});

test("after a reload in part both digests are those of what is served by, and the rest is reported", (t) => {
  const plans = { free: { rate_per_s: 2 } };
  const { reload, write, applied, unapplied, load, config } = open(t, { mcp: {} });
  write(JSON.stringify({ mcp: {}, plans, server: { write_timeout_ms: 1_000 } }));
  reload.run();
  assert.deepEqual(unapplied, [{ restart: ["server.write_timeout_ms"], problem: null }]);
  // A file that says just what is served by now.
  write(JSON.stringify({ mcp: {}, plans }));
  const whole = load();
  assert.ok(whole.ok);
  assert.deepEqual(applied[0]!.digest, whole.value.digest);
  assert.notEqual(whole.value.digest.plans, config.digest.plans);
  assert.deepEqual(reload.current.digest, whole.value.digest);
  write("{");
  reload.run();
  assert.equal(applied.length, 1);
  assert.deepEqual(unapplied[1]!.restart, ["server.write_timeout_ms"], "it waits on");
  assert.match(unapplied[1]!.problem ?? "", /not JSON/);
  write(JSON.stringify({ mcp: {}, plans }));
  reload.run();
  assert.deepEqual(unapplied[2], { restart: [], problem: null });
});

test("what needs a restart is named, as long as it differs from the start", (t) => {
  const { reload, write, lines, applied, config } = open(t, {});
  write(JSON.stringify({ server: { write_timeout_ms: 1_000 }, mcp: {} }));
  reload.run();
  reload.run();
  for (const { level, members } of lines)
    assert.deepEqual([level, members["restart"]], ["warn", ["server.write_timeout_ms"]]);
  assert.equal(applied[0]!.digest.config, config.digest.config, "the old one runs on");
  write("{}");
  reload.run();
  assert.deepEqual([lines[2]!.level, lines[2]!.members["restart"]], ["info", []]);
});

test("a file that is not valid is one line, and the old configuration stays", (t) => {
  const { reload, write, lines, applied } = open(t, {});
  for (const text of ['{"plans":{"free":{"rate_per_s":"two"}}}', '{"planz":{}}', "{"]) {
    write(text);
    reload.run();
  }
  assert.equal(applied.length, 0);
  assert.deepEqual(
    lines.map(({ level }) => level),
    ["error", "error", "error"],
  );
  assert.match(String(lines[0]!.members["problem"]), /^config: plans\.free\.rate_per_s: expected/);
});
