/**
 * A restart while the catalogue could not be reached lost all systems: every answer was `partial` and
 * empty with "1 system of the area has not been surveyed yet", and `vicinity doctor` said "0 sources"
 * and exited with 0. The last good catalogue is kept, and a catalogue is a source like the others.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourcesBody } from "#api/sources.ts";
import { startSandbox } from "../../sandbox/main.ts";
import type { Service } from "../../src/main/service.ts";
import {
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  timeOfTests,
} from "../integration/service/support.ts";
import { run } from "../unit/cli/support.ts";
import { listenHttp } from "../unit/upstream/local-server.ts";
import { HANG_MS } from "../support/size.ts";

test("systems of a catalogue survive a restart while it cannot be reached", async (t) => {
  const folders = [await createFolder(), await createFolder()] as const;
  const client = createClient();
  const sandbox = await startSandbox({
    now: timeOfTests,
    seed: 1,
    port: 0,
    onAdvance: async () => undefined,
  });
  t.after(async () => {
    client.close();
    await sandbox.close();
    await Promise.all(folders.map(removeFolder));
  });
  const system = sandbox.gbfsSystems().find(({ id }) => id === "cape-town-glyer")!;
  const { lat, lon } = sandbox.cities().find(({ country }) => country === system.country)!;
  const csv = [
    "Country Code,Name,Location,System ID,URL,Auto-Discovery URL",
    `${system.country},Glyer,Cape Town,${system.id},,${system.url}`,
  ].join("\n");
  const host = await listenHttp((_, response) => response.end(csv));
  const settings = {
    egress: { allow_private: true },
    sources: { gbfs: { catalogue: `${host.origin}/systems.csv` } },
  };
  const running = new Set<Service>();
  const open = async (data_dir: string): Promise<Service> => {
    const { service } = await start({ mode: "live", data_dir, settings });
    running.add(service);
    return service;
  };
  const close = async (service: Service): Promise<void> => {
    if (running.delete(service)) await service.close({ delay_ms: 0 });
  };
  t.after(() => Promise.all([...running].map(close)));
  const before = await open(folders[0]);
  const isKnown = () => Promise.resolve(before.feeds.find(system.id)?.state === "idle" || null);
  await eventually(isKnown, { within_ms: HANG_MS, what: "the survey" });
  await close(before);
  await host[Symbol.asyncDispose]();

  const after = await open(folders[0]);
  const body = await client.nearby(after, { lat, lon });
  assert.equal(body.status, "success", body.message ?? "");
  assert.ok(body.total > 0);
  const { sources } = await client.json<SourcesBody>(`${after.url}/v1/sources`);
  const listed = sources.find(({ id }) => id === "gbfs_catalogue")!;
  assert.deepEqual(
    [listed.state, listed.problem?.word, listed.entity_count, typeof listed.last_success_at],
    ["error", "unreachable", 1, "string"],
  );
  assert.ok(sources.some(({ id }) => id === system.id));
  const doctor = await run(["doctor", "--url", after.url], { fetch });
  assert.equal(doctor.code, 1, doctor.out);
  assert.match(doctor.out, /^error gbfs_catalogue: The connection was refused\.$/m);
  const { text: metrics } = await client.call(`${after.admin_url}/metrics`);
  assert.match(metrics, /^svc_catalogue_up\{catalogue="gbfs_catalogue"\} 0$/m);
  assert.match(metrics, /^svc_catalogue_age_seconds\{catalogue="gbfs_catalogue"\} [\d.]+$/m);

  const fresh = await open(folders[1]);
  const unknown = await client.nearby(fresh, { lat, lon });
  assert.equal(unknown.status, "partial");
  assert.equal(
    unknown.message,
    "The answer may be incomplete: the GBFS catalogue could not be read (unreachable); ask again in a moment.",
  );
  assert.equal((await run(["doctor", "--url", fresh.url], { fetch })).code, 1);
});
