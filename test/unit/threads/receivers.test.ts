/**
 * What the runtime posts to a thread and to its owner, and garbage, is taken for no message of ours:
 * under `node --watch` the names of loaded modules arrive among them. The list of receivers is that of the code.
 */
import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { receive } from "#kit/receive.ts";
import { DatabaseWorker } from "#storage/embedded/worker.ts";
import { startSimulator } from "../../../src/main/simulator.ts";
import { THREADS } from "../../../trials/throws/thread-kinds.ts";
import { noFault } from "../../support/faults.ts";

const STRANGE: readonly unknown[] = [
  { "watch:import": ["file:///src/main.ts"] },
  ...[null, undefined, 7, "started", [], {}, { kind: null }, { kind: "unheard" }],
  ...[{ kind: "toString" }, { value: 1 }, { note: 1 }, { id: 0, result: 1 }],
];

/** Receivers of other things than messages of a thread. */
const OTHERS: Readonly<Record<string, string>> = {
  "src/http/shedding.ts": "a port to itself, of which any message is the one that was sent",
  "src/storage/valkey/subscriber.ts": "texts of a channel, whose reader checks them",
};

/** Of `src/main/workers`; they are started with arguments, and get no messages. */
const PROCESSES = ["gazetteer", "simulated-base"];

/** Every thread that starts meanwhile, and its owner, get what is strange before anything else. */
function pester(t: TestContext): () => number {
  let pestered = 0;
  const started: Worker[] = [];
  const post = (worker: Worker): void => {
    started.push(worker);
    for (const message of STRANGE) {
      pestered += 1;
      worker.emit("message", message);
      worker.postMessage(message);
    }
  };
  process.on("worker", post);
  // What a failure has left would keep the process.
  t.after(async () => {
    process.off("worker", post);
    await Promise.all(started.map((worker) => worker.terminate()));
  });
  return () => pestered;
}

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "threads-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("every receiver of the code takes messages by their kind", () => {
  const receivers = new Map<string, string[]>();
  for (const file of globSync([
    "src/**/*.ts",
    "packages/*/{run,reader,archive}/**/*.ts",
    "sandbox/**/*.ts",
  ])) {
    const text = readFileSync(file, "utf8");
    const listeners = text.matchAll(
      /\.(?:on|once|addListener|addEventListener)\(\s*"message",\s*([^)]*)|\.(onmessage) =/g,
    );
    for (const [, listener = "onmessage"] of listeners)
      receivers.set(file, [...(receivers.get(file) ?? []), listener]);
  }
  for (const file of Object.keys(OTHERS)) assert.ok(receivers.delete(file), `${file} has none`);
  assert.ok(receivers.size >= 3, [...receivers.keys()].join());
  for (const [file, listeners] of receivers)
    for (const listener of listeners) {
      const isMade = readFileSync(file, "utf8").includes(`const ${listener} = receive<`);
      assert.ok(isMade || listener.startsWith("receive<"), `${file}: ${listener} is not receive()`);
    }
});

test("every thread of the code has a job here", () => {
  const files = globSync(["src/main/workers/*.ts", "src/storage/embedded/*-worker.ts"])
    .map((file) => basename(file, ".ts").replace("-worker", ""))
    .filter((name) => !PROCESSES.includes(name));
  assert.deepEqual(new Set(files), new Set([...Object.keys(THREADS), "sandbox", "serve"]));
});

for (const [name, { open }] of Object.entries(THREADS))
  test(`the thread ${name} does its job among strange messages`, async (t) => {
    const count = pester(t);
    const { run, close } = open(createFolder(t), noFault);
    t.after(close);
    assert.notEqual(await run(), null);
    assert.notEqual(await run(), null);
    assert.ok(count() >= STRANGE.length);
  });

test("the simulator starts among strange messages", async (t) => {
  pester(t);
  const simulator = startSimulator({ seed: 1, port: 0, cities: ["taveuni"] });
  const sandbox = await simulator.open(Date.now, () => Promise.resolve());
  t.after(() => sandbox.close());
  assert.equal(sandbox.cities().length, 1);
  assert.ok(sandbox.gbfsSystems().length > 0);
  const [plan] = sandbox.plans();
  assert.ok(plan && (await plan.read()));
});

test("the thread of a database replies to messages only", async (t) => {
  const url = new URL("../../support/database-worker.ts", import.meta.url);
  const worker = new Worker(url, { workerData: join(createFolder(t), "closed") });
  const replies: unknown[] = [];
  worker.on("message", (reply) => replies.push(reply));
  for (const message of STRANGE) worker.postMessage(message);
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.postMessage({ kind: "job", id: 0, job: "who" });
  worker.postMessage({ kind: "end" });
  assert.equal(await ended, 0);
  assert.equal(replies.length, 1);
  assert.equal((replies[0] as { kind: string }).kind, "result");
});

test("the owner of a database's thread takes replies only", async (t) => {
  const source = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ kind, id }) => {
      for (const message of ${JSON.stringify(STRANGE.filter((each) => each !== undefined))}) parentPort.postMessage(message);
      if (kind === "end") return parentPort.close();
      parentPort.postMessage({ kind: "result", id, result: 11 });
    });`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const worker = new DatabaseWorker<string, number>(url, "", { onFault: noFault });
  t.after(() => worker.close());
  assert.equal(await worker.send("a"), 11);
  assert.equal(await worker.send("b"), 11);
});

test("messages of each kind reach their taker", () => {
  const taken: unknown[] = [];
  const take = receive<{ kind: "a"; n: number } | { kind: "b" }>({
    a: ({ n }) => taken.push(n),
    b: () => taken.push("b"),
  });
  for (const message of [...STRANGE, { kind: "a", n: 1 }, { kind: "b" }]) take(message);
  assert.deepEqual(taken, [1, "b"]);
});
