/**
 * A configured system that states no country did not answer. Its location was unknown, so it might
 * have been anywhere, and every answer on Earth was `partial`: 2,400 of 2,400, for as long as it was
 * broken. A system whose location is unknown is reported by /v1/sources and degrades no answer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourcesBody } from "#api/sources.ts";
import { startSandbox } from "../../sandbox/main.ts";
import { listenHttp } from "../unit/upstream/local-server.ts";
import {
  createClient,
  createFolder,
  removeFolder,
  start,
  timeOfTests,
} from "../integration/service/support.ts";

const OCEAN = { lat: 0, lon: -30 };

test("a system whose location is unknown is reported, and answers elsewhere are whole", async (t) => {
  const data_dir = await createFolder();
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
    await removeFolder(data_dir);
  });
  const [good] = sandbox.gbfsSystems();
  const { lat, lon } = sandbox.cities().find(({ country }) => country === good!.country)!;
  const gone = await listenHttp((_, response) => response.end(), "127.0.0.2");
  const broken = { id: "broken", url: `${gone.origin}/gbfs.json` };
  await gone[Symbol.asyncDispose]();
  const { id, url, country } = good!;
  const settings = {
    egress: { allow_private: true },
    sources: { gbfs: { systems: [{ id, url, country }, broken] } },
  };
  const { service } = await start({ mode: "live", data_dir, settings });
  t.after(() => service.close({ delay_ms: 0 }));
  await service.feeds.surveyed();

  const other = await client.nearby(service, { lat, lon });
  assert.equal(other.status, "success", other.message ?? "");
  assert.equal((await client.nearby(service, OCEAN)).status, "empty");
  const { sources } = await client.json<SourcesBody>(`${service.url}/v1/sources`);
  const listed = sources.find((source) => source.id === "broken")!;
  assert.equal(listed.state, "error");
  assert.equal(listed.problem?.word, "unreachable");
  assert.match(listed.problem.message, /connection was refused.*Its location is unknown/);
});
