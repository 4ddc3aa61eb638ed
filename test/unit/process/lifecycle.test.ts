/** A service that is outdated is closed and started again; a signal meanwhile ends it once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lifecycle } from "#process/lifecycle.ts";
import { noFault } from "../../support/faults.ts";

function create(outcome: (n: number) => "starts" | "fails" = () => "starts") {
  const calls: string[] = [];
  const problems: string[] = [];
  const expire: (() => void)[] = [];
  const make = (n: number) => {
    const { promise: outdated, resolve } = Promise.withResolvers<void>();
    expire.push(resolve);
    return {
      url: `http://127.0.0.1:${n}`,
      admin_url: "http://127.0.0.1:1",
      outdated,
      onFault: noFault,
      close: async () => {
        calls.push(`close ${n}`);
        await new Promise((resolve_) => setImmediate(resolve_));
      },
    };
  };
  let made = 0;
  const lifecycle = new Lifecycle(make(made++), {
    async start(before) {
      calls.push(`start in the place of ${before.url.at(-1)}`);
      await new Promise((resolve) => setImmediate(resolve));
      return outcome(made) === "starts" ? make(made++) : { problem: "no room" };
    },
    onProblem: (problem) => void problems.push(problem),
  });
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { lifecycle, calls, problems, expire, settle };
}

test("it is closed before the next one starts, each time", async () => {
  const { lifecycle, calls, expire, settle } = create();
  expire[0]!();
  await settle();
  expire[1]!();
  await settle();
  const over = ["close 0", "start in the place of 0", "close 1", "start in the place of 1"];
  assert.deepEqual(calls, over);
  assert.match(lifecycle.service.url, /2$/);
  await lifecycle.end();
  assert.deepEqual(calls, [...over, "close 2"]);
});

test("a signal while it starts over closes the one that comes, and none comes where it is not begun", async () => {
  for (const [begun, expected] of [
    ["close 0", ["close 0"]],
    ["start in the place of 0", ["close 0", "start in the place of 0", "close 1"]],
  ] as const) {
    const { lifecycle, calls, expire } = create();
    expire[0]!();
    while (calls.at(-1) !== begun) await new Promise((resolve) => setImmediate(resolve));
    await lifecycle.end();
    assert.deepEqual(calls, expected);
  }
});

test("one that is ended does not start over", async () => {
  const { lifecycle, calls, expire, settle } = create();
  await lifecycle.end();
  expire[0]!();
  await settle();
  assert.deepEqual(calls, ["close 0"]);
});

test("one that cannot be started again says why", async () => {
  const { problems, expire, settle } = create(() => "fails");
  expire[0]!();
  await settle();
  assert.deepEqual(problems, ["no room"]);
});
