/** The watch over the names of the store's files: once an error, a count, and no readiness. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "#http/metrics.ts";
import { StoreWatch } from "#observe/store-watch.ts";
import { createManualClock } from "../../support/manual-clock.ts";

test("files that lose their names are said once, counted, and end readiness until they are back", async (t) => {
  const clock = createManualClock(0);
  const metrics = createMetrics();
  t.after(() => metrics.close());
  let lost: string[] = [];
  const lines: string[] = [];
  const watch = new StoreWatch({
    files: { listLost: () => lost },
    clock,
    metrics,
    log: {
      error: (members: object, text: string) =>
        void lines.push(`error ${JSON.stringify(members)} ${text}`),
      info: (text: string) => void lines.push(`info ${text}`),
    } as ConstructorParameters<typeof StoreWatch>[0]["log"],
  });
  const count = async (): Promise<string> =>
    /^svc_store_files_lost (\d+)$/m.exec(metrics.text())?.[1] ?? "absent";

  await clock.advance(4_000);
  assert.deepEqual([watch.problem, lines, await count()], [null, [], "0"]);
  lost = ["/data/live/vicinity.db-wal", "/data/live/vicinity.db-shm"];
  await clock.advance(4_000);
  await clock.advance(40_000);
  assert.equal(watch.problem, "vicinity.db-wal, vicinity.db-shm of the store lost their names");
  assert.equal(await count(), "2");
  assert.equal(lines.length, 1, "once, however long it lasts");
  assert.match(lines[0]!, /^error \{"files":\["\/data\/live\/vicinity\.db-wal",.*VicinityStoreDet/);
  lost = [];
  await clock.advance(4_000);
  assert.deepEqual([watch.problem, await count(), lines.length], [null, "0", 2]);
  lost = ["/data/live/vicinity.db"];
  watch.close();
  await clock.advance(4_000);
  assert.equal(watch.problem, null, "a closed watch looks no more");
});
