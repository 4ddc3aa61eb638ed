/** SIGHUP to a running program: it goes on, takes over the plans and opens its log again; and doctor. */
import assert from "node:assert/strict";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { HANG_MS } from "../../support/size.ts";
import { launch, type Ready, type Running, waitReady } from "./processes.ts";
import { createClient, createFolder, eventually, removeFolder } from "./support.ts";

type Line = { msg?: string; level: number; [name: string]: unknown };

describe("a running program at SIGHUP", () => {
  const client = createClient();
  let data_dir = "";
  let log = "";
  let file = "";
  let running: Running;
  let ready: Ready;
  const linesOf = (path: string): Line[] =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line);
  const write = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
  /** Sends the signal and waits for the line that says what came of it. */
  const hangUp = async (msg: RegExp): Promise<Line> => {
    const count = linesOf(log).length;
    running.child.kill("SIGHUP");
    const find = async () =>
      linesOf(log)
        .slice(count)
        .find((line) => msg.test(line.msg ?? "")) ?? null;
    return await eventually(find, { within_ms: HANG_MS, what: String(msg) });
  };
  const rate = async (): Promise<string> =>
    String(
      (await client.call(`${ready.url}/v1/nearby?lat=48.8566&lon=2.3522`)).headers[
        "ratelimit-policy"
      ],
    );

  before(async () => {
    data_dir = await createFolder();
    [log, file] = [join(data_dir, "vicinity.log"), join(data_dir, "vicinity.json")];
    write({});
    const variables = { LOG_FILE: log, LOG_LEVEL: "info", VICINITY_CONFIG: file };
    running = launch({ data_dir, variables });
    // From its first moment on: a rotation may come while it starts.
    await eventually(async () => (statSync(file), running.child.pid ? true : null), {
      within_ms: HANG_MS,
      what: "the process",
    });
    ready = await waitReady(running, data_dir);
  });
  after(async () => {
    client.close();
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });

  test("plans are taken over, and the next request has them", async () => {
    assert.match(await rate(), /^"burst";q=50;w=10/);
    write({ plans: { free: { rate_per_s: 2, burst: 20 } } });
    const line = await hangUp(/^configuration reloaded$/);
    assert.deepEqual([line["applied"], line["restart"]], [["plans"], []]);
    assert.match(await rate(), /^"burst";q=20;w=10/);
    const { text } = await client.call(`${ready.admin_url}/metrics`);
    assert.match(text, new RegExp(`svc_build_info\\{[^}]*plans="${String(line["plans"])}"`));
    const stored = JSON.parse(readFileSync(join(data_dir, "sandbox/running.json"), "utf8")) as Line;
    assert.deepEqual([stored["pid"], stored["plans"]], [running.child.pid, line["plans"]]);
  });

  test("what needs a restart is named; a broken file is one line, and the old one stays", async () => {
    write({ plans: { free: { rate_per_s: 2, burst: 20 } }, server: { write_timeout_ms: 2_000 } });
    const part = await hangUp(/^configuration reloaded in part/);
    assert.deepEqual([part.level, part["restart"]], [40, ["server.write_timeout_ms"]]);
    writeFileSync(file, "{");
    const refused = await hangUp(/^the configuration was not reloaded/);
    assert.equal(refused.level, 50);
    assert.match(String(refused["problem"]), /^config: .*not JSON/);
    assert.match(await rate(), /^"burst";q=20;w=10/);
    write({});
  });

  test("a log that was moved is opened again by its name", async () => {
    renameSync(log, `${log}.1`);
    writeFileSync(log, "");
    await hangUp(/^configuration reloaded/);
    await rate();
    await eventually(async () => linesOf(log).find((line) => line["st"] === 200) ?? null, {
      within_ms: HANG_MS,
      what: "the line of the request in the new file",
    });
    const moved = linesOf(`${log}.1`).length;
    await rate();
    assert.equal(linesOf(`${log}.1`).length, moved);
  });

  test("doctor finds the node sound, and takes no lock from it", async () => {
    const doctor = async (variables: Record<string, string> = {}) => {
      const args = ["doctor", "--node", "--sandbox", "--json", "--config", file];
      const ran = launch({ data_dir, args, variables });
      const { code } = await ran.ended;
      const { checks } = JSON.parse(ran.output().out) as {
        checks: { check: string; state: string; detail: string }[];
      };
      return { code, found: new Map(checks.map((each) => [each.check, each])) };
    };
    for (let i = 0; i < 3; i++) {
      const { code, found } = await doctor();
      const failing = [...found.values()].filter(({ state }) => state === "failing");
      assert.deepEqual([code, failing], [0, []]);
      for (const check of ["service", "locks", "store vicinity.db", "store datasets.db"])
        assert.equal(found.get(check)?.state, "ok", `${check}: ${found.get(check)?.detail}`);
      assert.equal(found.get("running config")?.state, "ok");
      assert.equal(found.get("clock service")?.state, "ok");
    }
    const { text } = await client.call(`${ready.admin_url}/metrics`);
    assert.match(text, /^svc_store_files_lost 0$/m);
    write({ server: { write_timeout_ms: 2_000 } });
    const { found } = await doctor();
    assert.equal(found.get("running config")?.state, "warning");
  });

  test("it goes on after all of that, and ends by SIGTERM with 0", async () => {
    assert.equal((await client.call(`${ready.url}/health`)).status, 200);
    running.child.kill("SIGTERM");
    assert.deepEqual(await running.ended, { code: 0, signal: null });
    assert.equal(running.output().err, "");
  });
});
