/**
 * A scooter operator has no stations: its vehicles show where it is. After a restart the service
 * knew its box from the store; the first question loaded it, the vehicle file failed, and the answer
 * was an honest `partial`. But the snapshot without vehicles had no box either, and took the
 * remembered one away. From then on no query touched the system: the city was `empty`, no query woke
 * the system, and the failure looked like an empty area (§3, R14) until the next daily survey.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSandbox } from "../../sandbox/main.ts";
import type { Service } from "../../src/main/service.ts";
import {
  advance,
  createClient,
  createFolder,
  removeFolder,
  start,
  timeOfTests,
} from "../integration/service/support.ts";

const SYSTEM = "cape-town-glyer";

test("a system whose vehicles cannot be read is still asked where it was last seen", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const followers: Service[] = [];
  const sandbox = await startSandbox({
    now: timeOfTests,
    seed: 1,
    port: 0,
    onAdvance: async (s) => {
      await followers[0]?.clock.advance(s * 1000);
    },
  });
  t.after(async () => {
    client.close();
    await sandbox.close();
    await removeFolder(data_dir);
  });
  const { id, url, country } = sandbox.gbfsSystems().find((system) => system.id === SYSTEM)!;
  const { lat, lon } = sandbox.cities().find((city) => city.country === country)!;
  const settings = {
    egress: { allow_private: true },
    sources: { gbfs: { systems: [{ id, url, country }] } },
  };

  const { service: first } = await start({ mode: "live", data_dir, settings });
  await first.feeds.surveyed();
  await first.close({ delay_ms: 0 });
  await client.json(`${sandbox.url}/__sandbox/faults/gbfs:${id}`, {
    method: "PUT",
    body: { path: "vehicle_status", fault: "http_500" },
  });

  const { service } = await start({ mode: "live", data_dir, settings });
  followers.push(service);
  t.after(() => service.close({ delay_ms: 0 }));
  for (const attempt of ["first", "second"]) {
    const body = await client.nearby(service, { lat, lon, debug: true });
    assert.equal(body.status, "partial", `the ${attempt} question`);
    assert.deepEqual(
      body.debug!.sources.map(({ source_id, status }) => ({ source_id, status })),
      [{ source_id: id, status: "error" }],
    );
  }
  // Not even the daily survey, which fails like the rest, may forget where it is.
  await advance(client, sandbox.url, 25 * 3600);
  assert.equal((await client.nearby(service, { lat, lon })).status, "partial", "a day later");

  await client.json(`${sandbox.url}/__sandbox/faults`, { method: "DELETE" });
  await advance(client, sandbox.url, 60);
  const body = await client.nearby(service, { lat, lon });
  assert.equal(body.status, "success");
  assert.ok(body.total > 0);
});
