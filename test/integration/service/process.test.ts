/** The program as a process: how it starts, what it refuses, what it says and how it ends. */
import assert from "node:assert/strict";
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Sandbox, startSandbox } from "../../../sandbox/main.ts";
import {
  launch,
  type Ready,
  readyFile,
  type Running,
  startProcess,
  untilSurveyed,
} from "./processes.ts";
import {
  advance,
  type Client,
  createClient,
  createFolder,
  eventually,
  removeFolder,
} from "./support.ts";
import { HANG_MS, within } from "../../support/size.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };

describe("a running service", () => {
  const client = createClient();
  let data_dir = "";
  let running: Running;
  let ready: Ready;
  before(async () => {
    data_dir = await createFolder();
    ({ running, ready } = await startProcess({ cities: "all", data_dir }));
  });
  after(async () => {
    client.close();
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });

  test("the ready file names free ports that answer, and the process", async () => {
    const text = await readFile(readyFile(data_dir), "utf8");
    assert.deepEqual(JSON.parse(text), ready);
    assert.deepEqual(Object.keys(ready).toSorted(), ["admin_url", "pid", "sandbox_url", "url"]);
    assert.equal(ready.pid, running.child.pid);
    for (const url of [ready.url, ready.admin_url, ready.sandbox_url!])
      assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    assert.equal((await client.call(`${ready.url}/health`)).status, 200);
  });

  test("every response says that this is the sandbox", async () => {
    const paths = ["/v1/nearby?lat=0&lon=0", "/health", "/openapi.json", "/nowhere", "/v1/nearby"];
    for (const path of paths) {
      const { headers } = await client.call(ready.url + path);
      assert.equal(headers["x-vicinity-mode"], "sandbox", path);
    }
  });

  test("the admin listener has probes and metrics; the public one does not", async () => {
    for (const path of ["/livez", "/readyz", "/metrics"]) {
      assert.equal((await client.call(ready.admin_url + path)).status, 200, path);
      assert.equal((await client.call(ready.url + path)).status, 404, path);
    }
    const { text } = await client.call(`${ready.admin_url}/metrics`);
    assert.match(text, /^svc_http_request_duration_seconds_count/m);
    assert.match(text, /^svc_feed_ingest_total\{outcome="ok"\}/m);
  });

  test("polls that fall due happen before the simulator's clock answers", async () => {
    const sandbox_url = ready.sandbox_url!;
    await untilSurveyed(ready);
    const first = await client.nearby(ready, PARIS);
    assert.equal(first.status, "success");
    await client.json(`${sandbox_url}/__sandbox/requests`, { method: "DELETE" });
    await advance(client, sandbox_url, 120);
    const polled = await countRequests(client.json, sandbox_url);
    assert.ok(polled > 0, "nothing was polled");
    const second = await client.nearby(ready, { ...PARIS, debug: true });
    assert.equal(second.status, "success");
    for (const source of second.debug!.orchestration.sources)
      assert.equal(source.cache, "hit", `${source.source_id} was waited for`);
    assert.equal(await countRequests(client.json, sandbox_url), polled);
  });

  test("a second service on the same folder stops with one line", async () => {
    const second = launch({ data_dir, variables: { VICINITY_READY_FILE: "" } });
    assert.equal((await second.ended).code, 1);
    assertOneLine(second, /data folder .* is in use/);
    assert.equal((await client.call(`${ready.url}/health`)).status, 200);
  });

  // The last one here: it ends the service.
  test("a taken port stops the start with one line, and leaves nothing behind", async () => {
    const folder = await createFolder();
    const variables = { PORT: new URL(ready.url).port };
    const second = launch({ data_dir: folder, variables });
    assert.equal((await second.ended).code, 1);
    assert.match(
      second.output().err,
      /^vicinity: port \d+ of .* is in use by another program; set PORT .*\n$/,
    );
    const third = await startProcess({ data_dir: folder });
    third.running.child.kill("SIGKILL");
    await third.running.ended;
    await removeFolder(folder);
  });

  test("no log line shows the query, a token, a credential or a place", async () => {
    const secrets = await plantSecrets(client.call, ready);
    const credentials = await failUpstreams(client, ready);
    await eventually(async () => (countLines(running) >= secrets.requests ? true : null), {
      within_ms: HANG_MS,
      what: "the log lines",
    });
    running.child.kill("SIGINT");
    const begun = performance.now();
    assert.deepEqual(await running.ended, { code: 0, signal: null });
    assert.ok(performance.now() - begun < within(1_500), "SIGINT ends without the drain delay");
    const { out, err } = running.output();
    // The banner names the places of its examples; the log begins after it.
    const log = out.split("\n").filter((line) => line.startsWith("{"));
    assert.ok(log.length >= secrets.requests);
    assert.ok(
      log.some((line) => line.includes("http_500")),
      "failing feeds are reported",
    );
    for (const secret of [...secrets.texts, ...credentials])
      assert.ok(!`${log.join("\n")}${err}`.includes(secret), `the log shows ${secret}`);
    assert.equal(err, "");
  });
});

/** Puts canaries wherever a caller may put a secret, into questions that succeed and that fail. */
async function plantSecrets(call: Client["call"], { url }: Ready) {
  const key = `svc_test_${"Canary7".repeat(7)}`;
  const place = "lat=48.8512345&lon=2.3498765";
  const paths = [
    `/v1/nearby?${place}`,
    `/v1/nearby?${place}&token=${key}`,
    `/v1/nearby?${place}&limit=canaryLimit`,
    `/v1/nearby?lat=canaryLat&lon=2.3498765`,
    `/v1/sources?${place}&radius=4321.125`,
    `/canary-path/${key}?${place}`,
    `/v1/nearby?${place}&x=%zzcanary`,
    `/v1/nearby?${place}&utm=canaryUtm`,
  ];
  const credentials = [`Bearer ${key}`, "Basic Y2FuYXJ5OnNlY3JldA==", "canaryScheme canaryValue"];
  for (const path of paths) await call(url + path);
  for (const authorization of credentials)
    await call(`${url}/v1/nearby?${place}`, { headers: { authorization } });
  await call(`${url}/v1/nearby`, { method: "POST", body: { secret: "canaryBody" } });
  const texts = ["anary", "Y2FuYXJ5", "48.8512", "2.3498", "4321.125", "lat=", "token="];
  return { texts, requests: paths.length + credentials.length + 1 };
}

/** Lets every system fail that wants a credential; gives what they want. */
async function failUpstreams(client: Client, ready: Ready): Promise<string[]> {
  // Same seed, same world, same credentials.
  const twin = await startSandbox({ seed: 1, port: 0 });
  await twin.close();
  const guarded = twin.gbfsSystems().filter(({ auth }) => auth !== undefined);
  assert.equal(guarded.length, 4);
  for (const { id, country } of guarded) {
    const city = twin.cities().find((one) => one.country === country)!;
    await client.nearby(ready, { lat: city.lat, lon: city.lon });
    await client.json(`${ready.sandbox_url}/__sandbox/faults/gbfs:${id}`, {
      method: "PUT",
      body: { fault: "http_500" },
    });
  }
  await advance(client, ready.sandbox_url!, 130);
  return guarded.flatMap(({ auth }) => secretsOf(auth!));
}

function secretsOf(
  auth: NonNullable<ReturnType<Sandbox["gbfsSystems"]>[number]["auth"]>,
): string[] {
  switch (auth.kind) {
    case "headers":
      return Object.values(auth.headers);
    case "query":
      return [auth.value];
    case "basic":
      return [auth.password, Buffer.from(`${auth.username}:${auth.password}`).toString("base64")];
    case "oauth2":
      return [auth.client_secret, auth.client_id];
  }
}

const countLines = (running: Running): number => running.output().out.match(/"st":/g)?.length ?? 0;

test("a restart knows where every system is without any request", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  // The same port, or the remembered addresses would be others.
  const first = await startProcess({ cities: "all", data_dir });
  const SANDBOX_PORT = new URL(first.ready.sandbox_url!).port;
  await untilSurveyed(first.ready);
  const requests = await countRequests(client.json, first.ready.sandbox_url!);
  assert.ok(requests > 40, "the first start surveys");
  first.running.child.kill("SIGINT");
  assert.equal((await first.running.ended).code, 0);

  const { running, ready } = await startProcess({
    cities: "all",
    data_dir,
    variables: { SANDBOX_PORT },
  });
  t.after(async () => {
    client.close();
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });
  assert.equal(await countRequests(client.json, ready.sandbox_url!), 0);
  // On a busy machine the first answer may come before its systems have been read.
  const answer = async () => {
    const body = await client.nearby(ready, PARIS);
    return body.status === "success" ? body : null;
  };
  const { total } = await eventually(answer, { within_ms: HANG_MS, what: "a whole answer" });
  assert.ok(total > 0);
  const { counts } = await client.json<{ counts: Record<string, number> }>(
    `${ready.sandbox_url}/__sandbox/requests`,
  );
  const reached = Object.keys(counts).filter((id) => id.startsWith("gbfs:") && counts[id]! > 0);
  assert.ok(reached.length > 0);
  for (const id of reached) assert.match(id, /^gbfs:paris-/, "only the systems asked about");
});

async function countRequests(json: Client["json"], sandbox_url: string): Promise<number> {
  const { counts } = await json<{ counts: Record<string, number> }>(
    `${sandbox_url}/__sandbox/requests`,
  );
  return counts["gbfs"]!;
}

test("the ready file appears whole or not at all", async (t) => {
  const data_dir = await createFolder();
  const file = readyFile(data_dir);
  await writeFile(file, "of an earlier start");
  // Written in place it would change under its reader; moved into place, it is another file.
  const reader = await open(file);
  const running = launch({ data_dir });
  t.after(async () => {
    await reader.close();
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });
  const whole = await eventually(
    async () => {
      const text = await readFile(file, "utf8");
      return text === "of an earlier start" ? null : text;
    },
    { within_ms: HANG_MS, what: "the ready file" },
  );
  assert.match(whole, /^\{.*\}\n$/);
  assert.equal(await reader.readFile("utf8"), "of an earlier start");
  const names = (await readdir(data_dir)).filter((name) => name.startsWith("ready"));
  assert.deepEqual(names, ["ready.json"]);
});

describe("what it will not start with is reported in one line", () => {
  let data_dir = "";
  before(async () => (data_dir = await createFolder()));
  after(() => removeFolder(data_dir));

  const refuse = async (
    pattern: RegExp,
    wish: { args?: string[]; settings?: string; variables?: Record<string, string> },
  ): Promise<void> => {
    const file = join(data_dir, "settings.json");
    if (wish.settings !== undefined) await writeFile(file, wish.settings);
    const args = wish.args ?? ["serve", "--sandbox", "--config", file];
    const running = launch({ data_dir, args, variables: wish.variables ?? {} });
    assert.equal((await running.ended).code, 1);
    assertOneLine(running, pattern);
  };

  test("live mode without a contact", async () => {
    await refuse(/VICINITY_CONTACT/, { args: ["serve"] });
  });
  test("an unknown member", async () => {
    await refuse(/sources\.gbfs\.sistems\b/, {
      settings: '{"sources":{"gbfs":{"sistems":[]}}}',
    });
  });
  test("an environment variable out of its range", async () => {
    await refuse(/^vicinity: PORT: expected/, { variables: { PORT: "65536" }, settings: "{}" });
  });
  test("a secret that is in no variable: its name, not its neighbours' values", async () => {
    await refuse(/NO_SUCH_SECRET/, {
      settings:
        '{"sources":{"gbfs":{"systems":[{"id":"a","url":"https://example.org/gbfs.json","auth":{"kind":"query","name":"key","value":"${NO_SUCH_SECRET}"}}]}}}',
    });
  });
});

function assertOneLine(running: Running, pattern: RegExp): void {
  const { out, err } = running.output();
  assert.equal(out, "");
  assert.match(err, /^[^\n]+\n$/);
  assert.match(err.trimEnd(), pattern);
}
