/**
 * Decisions, Authentication: the value of a credential never reaches a log, metric, cache or error.
 * A service is asked in every way with keys that are good, unknown and malformed; then whatever it
 * said, wrote and passed on is searched.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openAdminStorage } from "#storage/open-storage.ts";
import { startProcess } from "../service/processes.ts";
import { startCollector } from "../../support/collector.ts";
import { createFolder, removeFolder } from "../service/support.ts";
import {
  adminRequests,
  type Haystack,
  publicRequests,
  readFolder,
  search,
  sendRaw,
} from "./canaries.ts";
import { ADMIN_TOKEN, makeKey, strangeKey } from "./support.ts";

const FEW_AT_ONCE = 8;

test("no credential is in a log, a metric, a reply, a file or a question to a provider", async (t) => {
  const collector = await startCollector();
  t.after(collector.close);
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const { data_dir, ready, running } = await startService(t, traced);
  const good = addKey(data_dir);
  const canaries = [good, strangeKey(), `svc_test_${"Canary7".repeat(7)}`];
  const replies: Haystack[] = [];
  for (const key of canaries) {
    replies.push(...(await sendAll(ready.url, publicRequests(key))));
    replies.push(...(await sendAll(ready.admin_url, adminRequests(key))));
  }
  const statuses = new Set(replies.map(({ bytes }) => bytes.toString("latin1", 9, 12)));
  const passedOn = await get(`${ready.sandbox_url}/__sandbox/requests`);
  const metrics = await get(`${ready.admin_url}/metrics`);
  // While it runs, so that the files next to the database are searched too.
  const files = readFolder(data_dir);
  running.child.kill("SIGINT");
  assert.deepEqual(await running.ended, { code: 0, signal: null });
  const { out, err } = running.output();
  const left = readFolder(data_dir).map(({ name, bytes }) => ({ name: `left ${name}`, bytes }));
  const log = { name: "log", bytes: Buffer.from(out + err) };
  const traces = { name: "traces", bytes: Buffer.from(collector.text()) };
  assert.ok(collector.spans().length >= 300, `${collector.spans().length} spans`);
  const all = [...replies, passedOn, metrics, log, traces, ...files, ...left];

  assert.deepEqual(search(all, [...canaries, ADMIN_TOKEN.repeat(3)]), []);
  const leaks = all.filter(({ bytes }) => bytes.includes(ADMIN_TOKEN));
  assert.deepEqual(leaks, [], "the token of the admin API");

  const lines = out.split("\n").filter((line) => line.startsWith("{"));
  assert.ok(lines.length >= 300, `${lines.length} lines of the log`);
  assert.ok(replies.length >= 500, `${replies.length} replies`);
  for (const status of ["200", "400", "401", "404", "405", "414", "431"])
    assert.ok(statuses.has(status), `nothing was answered ${status}: ${[...statuses].join()}`);
  assert.ok(
    files.some(({ name }) => name.endsWith("vicinity.db-wal")),
    "the journal was there",
  );
  assert.ok(files.some(({ name }) => name.endsWith("ready.json")));
  assert.ok(passedOn.bytes.length > 1_000 && metrics.bytes.includes("svc_http_request"));
  const bytes = all.reduce((sum, each) => sum + each.bytes.length, 0);
  t.diagnostic(
    `${bytes} bytes: ${replies.length} replies, ${lines.length} lines, ${files.length} files`,
  );

  // The search finds what is there: the key that was issued, where it is shown once; and planted ones.
  for (const [index, key] of canaries.entries()) {
    const name = `planted${index}`;
    const text = index === 0 ? Buffer.from(`user:${key}`).toString("base64") : `?token=${key}`;
    await writeFile(join(data_dir, name), `${"x".repeat(1_000)}${text}\n`);
  }
  const matches = new Set(search(readFolder(data_dir), canaries));
  assert.deepEqual([...matches].map((where) => where.slice(0, 9)).toSorted(), [
    ...["/planted0", "/planted1", "/planted2"],
  ]);
});

test("a new key is shown to its creator once and never again", async (t) => {
  const { data_dir, ready, running } = await startService(t);
  const post = (target: string, body: string): Promise<Buffer> =>
    sendRaw(
      ready.admin_url,
      [
        ...[`POST ${target} HTTP/1.1`, "Host: localhost", "Connection: close"],
        ...["Content-Type: application/json", `Authorization: Bearer ${ADMIN_TOKEN}`],
        ...[`Content-Length: ${body.length}`, "", body],
      ].join("\r\n"),
    );
  const made = await post("/admin/keys", '{"plan":"developer"}');
  const key = /svc_test_\w{49}/.exec(made.toString())?.[0] ?? assert.fail(made.toString());
  const id = /key_\w{15}/.exec(made.toString())![0];
  const rotated = await post(`/admin/keys/${id}/rotate`, "{}");
  const successor = /svc_test_\w{49}/.exec(rotated.toString())![0];
  await post(`/admin/keys/${id}/revoke`, "{}");
  const replies = [
    { name: "made", bytes: made },
    { name: "rotated", bytes: rotated },
    ...(await sendAll(ready.url, publicRequests(successor).slice(0, 40))),
    ...(await sendAll(ready.admin_url, adminRequests(id))),
  ];
  const files = readFolder(data_dir);
  running.child.kill("SIGINT");
  await running.ended;
  const { out, err } = running.output();
  const all = [...replies, ...files, { name: "log", bytes: Buffer.from(out + err) }];
  const found = (each: string) => [...new Set(search(all, [each]).map((at) => at.split(":")[0]))];
  assert.deepEqual(found(key), ["made"]);
  assert.deepEqual(found(successor), ["rotated"]);
});

async function startService(t: TestContext, more: Record<string, string> = {}) {
  const data_dir = await createFolder();
  const file = join(data_dir, "vicinity.json");
  await writeFile(file, JSON.stringify({ server: { drain_delay_ms: 0 } }));
  const variables = {
    LOG_LEVEL: "trace",
    VICINITY_ENFORCE_LIMITS: "1",
    ADMIN_TOKEN,
    VICINITY_CONFIG: file,
    ...more,
  };
  const { running, ready } = await startProcess({ data_dir, variables });
  t.after(async () => {
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });
  return { data_dir, ready, running };
}

/** Straight into the store, so that no reply ever held it. */
function addKey(data_dir: string): string {
  const store = openAdminStorage({ data_dir, mode: "sandbox" });
  if ("problem" in store) return assert.fail(store.problem);
  const { key } = makeKey(store.accounts);
  store.close();
  return key;
}

async function sendAll(url: string, texts: readonly string[]): Promise<Haystack[]> {
  const replies: Haystack[] = [];
  for (let at = 0; at < texts.length; at += FEW_AT_ONCE) {
    const some = texts.slice(at, at + FEW_AT_ONCE);
    const read = await Promise.all(some.map((text) => sendRaw(url, text)));
    replies.push(...read.map((bytes, i) => ({ name: `reply to ${some[i]!.slice(0, 60)}`, bytes })));
  }
  return replies;
}

async function get(url: string): Promise<Haystack> {
  const { pathname } = new URL(url);
  const text = `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  return { name: pathname, bytes: await sendRaw(url, text) };
}
