/** The simulator in a thread of its own: the same world, one time, and an end. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { describeSandbox, type Sandbox, startSandbox } from "../../sandbox/main.ts";
import { startSimulator } from "#main/simulator.ts";
import { HANG_MS } from "../support/size.ts";
import { control } from "../unit/sandbox/reader.ts";

const ROOT = new URL("../../", import.meta.url);
const CITIES = ["paris", "taveuni"];
const NOW_MS = Date.UTC(2026, 10, 21, 9);

async function open(
  t: TestContext,
  follow: (advance_s: number) => Promise<void> = () => Promise.resolve(),
): Promise<Sandbox> {
  const simulator = startSimulator({ seed: 1, port: 0, cities: CITIES });
  const sandbox = await simulator.open(() => NOW_MS, follow);
  t.after(() => sandbox.close());
  return sandbox;
}

test("it is the simulator of the same seed, and draws the same maps", async (t) => {
  const sandbox = await open(t);
  const other = await startSandbox({ seed: 1, port: 0, cities: CITIES });
  t.after(() => other.close());
  // Ports are free ones.
  const facts = (one: Sandbox): unknown =>
    JSON.parse(JSON.stringify(describeSandbox(one)).replaceAll(String(one.port), "0"));
  assert.deepEqual(facts(sandbox), facts(other));
  assert.equal(sandbox.now(), NOW_MS);
  const draw = (one: Sandbox) => Promise.all(one.plans().map(async (plan) => plan.read()));
  assert.deepEqual(await draw(sandbox), await draw(other));
  assert.deepEqual(await draw(sandbox), await draw(sandbox), "drawn once");
});

test("a move of its time is answered when the service has followed, or could not", async (t) => {
  const moves: { advance_s: number; end: PromiseWithResolvers<void> }[] = [];
  const sandbox = await open(t, (advance_s) => {
    const end = Promise.withResolvers<void>();
    moves.push({ advance_s, end });
    return end.promise;
  });
  const answers: number[] = [];
  const move = async (advance_s: number): Promise<void> => {
    const { status } = await control(sandbox, "POST", "clock", { advance_s });
    answers.push(status);
  };
  const first = move(1800);
  const second = move(5);
  while (moves.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(answers, []);
  moves[0]!.end.reject(new Error("stuck"));
  await first;
  while (moves.length === 1) await new Promise((resolve) => setImmediate(resolve));
  moves[1]!.end.resolve();
  await second;
  assert.deepEqual(answers, [500, 200]);
  assert.deepEqual(
    moves.map(({ advance_s }) => advance_s),
    [1800, 5],
  );
});

test("a port that is taken is an error of the one who opens it", async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const simulator = startSimulator({ seed: 1, port, cities: CITIES });
  const follow = (): Promise<void> => Promise.resolve();
  await assert.rejects(simulator.open(Date.now, follow), { code: "EADDRINUSE" });
});

test("one that is never opened does not keep its process alive", () => {
  const program = `
    import { startSimulator } from "#main/simulator.ts";
    startSimulator({ seed: 1, port: 0, cities: ["taveuni"] });
  `;
  const args = ["--input-type=module", "--eval", program];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, timeout: HANG_MS });
  assert.equal(status, 0);
});
