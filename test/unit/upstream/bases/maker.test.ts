/** Programs in processes of their own: what becomes of them is one line, and none is left. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { type Maker, runMaker } from "../../../../packages/kit/run/maker.ts";
import { HANG_MS } from "../../../support/size.ts";
import { collectFaults, noFault } from "../../../support/faults.ts";

const onFault = (error: unknown): void => noFault("maker", error);

const MAKER_MODULE = JSON.stringify(
  new URL("../../../../packages/kit/run/maker.ts", import.meta.url).href,
);
const never = new AbortController().signal;

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "maker-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makerOf(folder: string, code: string, ...args: string[]): Maker {
  const path = join(folder, "maker.mjs");
  writeFileSync(path, code);
  return { url: pathToFileURL(path), args, max_heap_mb: 64, timeout_ms: HANG_MS };
}

test("a program gets its arguments and makes its file", async (t) => {
  const folder = folderOf(t);
  const code = `import { writeFileSync } from "node:fs"; writeFileSync(...process.argv.slice(2));`;
  const path = join(folder, "made");
  assert.equal(
    await runMaker(makerOf(folder, code, path, '{"a b"}'), { signal: never, onFault }),
    null,
  );
  assert.equal(readFileSync(path, "utf8"), '{"a b"}');
});

test("a program that fails says why, or how it ended is said", async (t) => {
  const folder = folderOf(t);
  const run = (code: string): Promise<string | null> =>
    runMaker(makerOf(folder, code), { signal: never, onFault });
  assert.equal(
    await run(`import { failMaker } from ${MAKER_MODULE}; failMaker("no such extract");`),
    "no such extract",
  );
  assert.equal(await run("process.exit(3);"), "ended by code 3");
  assert.equal(await run("process.kill(process.pid, 'SIGTERM');"), "ended by SIGTERM");
  const full = "const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length + 0.5));";
  const { faults, onFault: collect } = collectFaults();
  const hoard = runMaker(makerOf(folder, full), { signal: never, onFault: (e) => collect("", e) });
  assert.equal(await hoard, "ended by SIGABRT");
  assert.equal(faults.length, 1, "what it wrote as it ended");
  const thrown = makerOf(folder, 'throw new TypeError("planted");');
  const ended = await runMaker(thrown, { signal: never, onFault: (e) => collect("", e) });
  assert.equal(ended, "ended by code 1");
  assert.equal(faults.length, 2, "its stack is not lost");
});

test("a program that takes too long is ended", async (t) => {
  const folder = folderOf(t);
  const endless = makerOf(folder, "setInterval(() => {}, 1000);");
  assert.equal(
    await runMaker({ ...endless, timeout_ms: 50 }, { signal: never, onFault }),
    "ended by SIGKILL",
  );
});

test("a stop ends the program before the promise resolves, and none is started after it", async (t) => {
  const folder = folderOf(t);
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const code = `import { connect } from "node:net";
    connect(${port}, "127.0.0.1").end(String(process.pid)); setInterval(() => {}, 1000);`;
  const maker = makerOf(folder, code);
  const stopping = new AbortController();
  const running = runMaker(maker, { signal: stopping.signal, onFault });
  const [socket] = (await once(server, "connection")) as [Socket];
  const pid = Number((await socket.toArray()).join(""));
  stopping.abort();
  assert.equal(await running, "ended by SIGKILL");
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  assert.equal(await runMaker(maker, { signal: stopping.signal, onFault }), "stopped");
});

test("a program ends when its service is killed, and by itself when it has made its file", async (t) => {
  const folder = folderOf(t);
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const endless = `import { connect } from "node:net"; import { endWithService } from ${MAKER_MODULE};
    endWithService(); connect(${port}, "127.0.0.1").write("begun"); setInterval(() => {}, 1000);`;
  const { url } = makerOf(folder, endless);
  const service = `import { runMaker } from ${MAKER_MODULE};
    await runMaker({ url: new URL(${JSON.stringify(url.href)}), args: [], max_heap_mb: 64, timeout_ms: 60_000 },
      { signal: new AbortController().signal, onFault() {} });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", service]);
  const [socket] = (await once(server, "connection")) as [Socket];
  await once(socket, "data");
  child.kill("SIGKILL");
  // The system closes it with the program.
  await once(
    socket.on("error", () => undefined),
    "close",
  );
  const quick = `import { endWithService } from ${MAKER_MODULE}; endWithService();`;
  assert.equal(await runMaker(makerOf(folder, quick), { signal: never, onFault }), null);
});
