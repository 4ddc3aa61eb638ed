/**
 * A process that was killed between handing usage over and dropping it from the spool left events
 * that the ledger had already. Until they were handed over again, some 100 ms after the next start,
 * `/v1/me` and quotas counted them twice: 2,794 were reported where 2,152 was true.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { hashKey } from "#core/keys/key.ts";
import { openStorage } from "#storage/open-storage.ts";
import { timeOf } from "#storage/store-time.ts";
import { openJournal } from "#storage/usage/journal.ts";
import { writeEvents } from "#storage/usage/usage-ledger.ts";
import type { UsageEvent } from "#ports.ts";
import { createClient, createFolder, start, closeAll } from "../integration/service/support.ts";
import { noFault } from "../support/faults.ts";

const EVENTS = 5_000;

test("units in both ledger and spool are counted once from the first request on", async (t) => {
  const data_dir = await createFolder();
  const first = await start({ data_dir });
  const input = first.service.keys.find(({ plan }) => plan === "developer")!;
  await first.service.close({ delay_ms: 0 });

  const storage = openStorage({ data_dir, mode: "sandbox" });
  if ("problem" in storage) return assert.fail(storage.problem);
  const key_by_hash = storage.accounts.findKeyByHash(hashKey(input.key));
  if (key_by_hash === null) return assert.fail("the key is gone");
  const { account_id, id: key_id } = key_by_hash.key;
  const events = Array.from({ length: EVENTS }, (_, i): UsageEvent => ({
    event_id: `event ${i}`,
    account_id,
    key_id,
    operation: "geocode",
    units: 1,
    at_ms: Date.now(),
  }));
  for (const event of events) storage.usage.record([event]);
  await storage.usage.close();
  await storage.datasets.close();
  storage.close();
  // As if the process had been killed before it dropped them.
  const journal = openJournal(join(data_dir, "sandbox"), {
    time: timeOf(noFault),
    onDefect: noFault,
    onFault: () => assert.fail("the disk of this test works"),
  });
  for (const event of events) assert.ok(journal.append(writeEvents([event])));
  journal.close();

  const { service } = await start({ data_dir });
  const client = createClient();
  t.after(() => closeAll(client, { service, data_dir }));
  const headers = { authorization: `Bearer ${input.key}` };
  const me = await client.json<unknown>(`${service.url}/v1/me`, { headers });
  assert.match(JSON.stringify(me), new RegExp(`"used":${EVENTS}\\b`));
});
