/** Backups of a service that runs as a process of its own, whole and killed ones (trials/backup.ts). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runRounds } from "./rounds.ts";
import { sized } from "../../test/support/size.ts";
import { createFolder, removeFolder } from "../../test/integration/service/support.ts";

test("under load a backup has all that was acknowledged, and a killed one looks like none", async (t) => {
  const work = await createFolder();
  t.after(() => removeFolder(work));
  const counts = { rounds: sized(1, 4), kills: sized(3, 20), per_s: sized(50, 150) };
  const { findings, ...figures } = await runRounds({ ...counts, work, newDatabase: null });
  assert.deepEqual(findings, []);
  assert.ok(figures.units > 20 && figures.keys > 2, JSON.stringify(figures));
  t.diagnostic(JSON.stringify(figures));
});
