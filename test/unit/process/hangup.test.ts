/** SIGHUP ends nothing: without a task nothing is done, and with one it is run at each signal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Hangup } from "#process/hangup.ts";

test("each signal runs the task that is followed", (t) => {
  const before = process.listeners("SIGHUP");
  const hangup = new Hangup();
  const own = process.listeners("SIGHUP").find((each) => !before.includes(each))!;
  t.after(() => process.off("SIGHUP", own));
  const signal = (): void => own("SIGHUP");
  signal();
  let runs = 0;
  hangup.follow(() => runs++);
  assert.equal(runs, 0);
  signal();
  signal();
  assert.equal(runs, 2);
});
