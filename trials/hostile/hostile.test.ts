/**
 * The worst of the hostile trial (`npm run trials -- hostile`) in short: the real program with feeds
 * of strangers that turn hostile. Nothing here depends on how busy the machine is: healthy places
 * are answered correctly, the process stays within its memory, the feed is reported as failing with
 * its reason, and is shown again when it has recovered.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runCase } from "./judge.ts";
import { startLoad } from "./load.ts";
import { nearbyUrl, openStage, waitHealthy } from "./stage.ts";
import { sized } from "../../test/support/size.ts";
import { ROOT } from "../../test/integration/service/processes.ts";

/** The reason reported for each while it is hostile. */
const REASONS = {
  "alerts with stations": /^system_alerts:too_many_alerts$/,
  "empty rows": /^vehicle_status:too_many_rows$/,
  "many vehicle types": /^vehicle_types:too_many_facts$/,
} as const;
type Name = keyof typeof REASONS;
const MEMORY_MB = 1024;

test("strangers' feeds turn hostile, and no other feed is affected", {}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-hostile-"));
  const names = sized<Name[]>(["empty rows"], Object.keys(REASONS) as Name[]);
  const stage = await openStage({ root: ROOT, folder, healthy: 10, hostile: names.length });
  t.after(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });
  await waitHealthy(stage, 60_000);
  const urls = stage.healthy.map((system) => nearbyUrl(stage.program.url, system, "stations"));
  const load = startLoad(urls, {
    rate: sized(20, 40),
    isRight: ({ status, text }) => status === 200 && text.startsWith('{"status":"success"'),
  });
  t.after(() => load.stop());
  for (const [i, name] of names.entries()) {
    const system = `hostile-${i}`;
    const seen = await runCase(stage, load, {
      name,
      system,
      seconds: 30,
      at_start: null,
      recovery_ms: 60_000,
    });
    assert.equal(seen.ended, null, name);
    assert.match(seen.outcome?.reason ?? "nothing", REASONS[name], name);
    assert.deepEqual(seen.healthy.failed, [], name);
    assert.notEqual(seen.recovered_ms, Infinity, `${name}: healed and not shown`);
    assert.ok(seen.memory_mb <= MEMORY_MB, `${name}: ${seen.memory_mb} MB`);
  }
});
