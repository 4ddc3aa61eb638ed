/** Programs that are chosen by name: what they throw is shown as it is, and only refused options are a sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseArgs } from "node:util";
import { runNamed } from "../../scripts/named.ts";

const FAMILY = {
  noun: "trial",
  usage: "run NAME [options]",
  table: { quick: { shows: "it is quick", options: "[--rounds 3]" } },
};

test("what a program throws is not covered up, whatever its code is", async () => {
  for (const code of [undefined, 20, "ECONNREFUSED"]) {
    const thrown = Object.assign(new Error("planted"), { code });
    await assert.rejects(
      runNamed(FAMILY, ["quick"], () => Promise.reject(thrown)),
      (error) => error === thrown,
    );
  }
});

test("an option that is not known is one sentence and the usage", async (t) => {
  const lines: string[] = [];
  t.mock.method(console, "error", (line: string) => void lines.push(line));
  const code = await runNamed(FAMILY, ["quick", "--wrong"], (_, __, args) => {
    parseArgs({ args: [...args], options: { rounds: { type: "string" } } });
    return Promise.resolve(0);
  });
  assert.equal(code, 2);
  assert.equal(
    lines.join("\n"),
    "trial quick: Unknown option '--wrong'\nusage: run quick [--rounds 3]",
  );
});
