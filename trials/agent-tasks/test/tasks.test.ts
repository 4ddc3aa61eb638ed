/** Tasks of the trial: what a question names is there. Four asked for a way from a place to itself. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const TASKS = JSON.parse(
  readFileSync(new URL("../tasks.json", import.meta.url), "utf8"),
) as readonly Record<string, unknown>[];

const MEMBERS = new Set(["city", "question", "destination", "offset", "on_foot", "wants"]);

test("every task has known members, and a destination where it asks about one", () => {
  for (const task of TASKS) {
    const question = String(task["question"]);
    for (const name of Object.keys(task)) assert.ok(MEMBERS.has(name), `${question}: ${name}`);
    assert.equal(question.includes("{there}"), task["destination"] !== undefined, question);
    assert.ok(/\{(here|name)\}/.test(question), question);
  }
  assert.ok(TASKS.length >= 78);
});
