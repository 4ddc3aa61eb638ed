/** The program among others: in a pipe whose reader leaves, and ended by a signal. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { findOperation } from "#api/operations.ts";
import { HANG_MS, within } from "../../support/size.ts";
import { launch, ROOT, type Running, waitReady } from "./processes.ts";
import { createFolder, eventually, removeFolder } from "./support.ts";

/** Runs a command whose output is closed before it is written. */
function runUnread(args: readonly string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(join(ROOT, "bin/vicinity"), args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, err })));
}

test("a command whose reader has left ends quietly, with its own exit code", async () => {
  assert.deepEqual(await runUnread(["openapi"]), { code: 0, err: "" });
  assert.deepEqual(await runUnread(["--help"]), { code: 0, err: "" });
  const failed = await runUnread(["doctor", "--url", "http://127.0.0.1:2"]);
  assert.equal(failed.code, 1);
  assert.match(failed.err, /^vicinity: no answer from [^\n]+\n$/);
});

describe("a sandbox without a configuration file", () => {
  async function serve(t: TestContext): Promise<{ running: Running; url: string }> {
    const data_dir = await createFolder();
    const running = launch({ data_dir });
    t.after(async () => {
      running.child.kill("SIGKILL");
      await running.ended;
      await removeFolder(data_dir);
    });
    const { url } = await waitReady(running, data_dir);
    // From then on signals are listened to.
    await output(running, "Ctrl-C");
    return { running, url };
  }

  /** Resolves when the program has printed this, and fails where it ends before. */
  const output = (running: Running, text: string): Promise<true> =>
    eventually(
      async () => {
        const { out } = running.output();
        if (out.includes(text)) return true;
        assert.deepEqual([running.child.exitCode, running.child.signalCode], [null, null], out);
        return null;
      },
      { within_ms: HANG_MS, what: text },
    );

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} ends it without a drain delay, a browser's connection open`, async (t) => {
      const { running, url } = await serve(t);
      const agent = new Agent({ keepAlive: true });
      const { path } = findOperation("getHealth");
      await new Promise<void>((resolve, reject) => {
        const sent = request(url + path, { agent }, (reply) => reply.resume().once("end", resolve));
        sent.once("error", reject).end();
      });
      const begun = performance.now();
      running.child.kill(signal);
      assert.deepEqual(await running.ended, { code: 0, signal: null });
      assert.ok(performance.now() - begun < within(1_500), "it waits for a balancer");
      assert.match(running.output().out, /"delay_ms":0,"connections":1,"msg":"draining"/);
      agent.destroy();
    });
  }

  test("a second Ctrl-C ends it at once", async (t) => {
    const { running, url } = await serve(t);
    // A request whose body never comes is waited for.
    const stored = request(`${url}/v1/capabilities`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": "100" },
    });
    const connected = new Promise((resolve, reject) => {
      stored.once("socket", (socket) => socket.once("connect", resolve));
      stored.once("error", reject);
    });
    stored.flushHeaders();
    await connected;
    running.child.kill("SIGINT");
    await output(running, '"waiting_for":"requests"');
    running.child.kill("SIGINT");
    const { code } = await running.ended;
    assert.equal(code, 1);
    assert.match(running.output().err, /second SIGINT, exiting/);
  });
});
