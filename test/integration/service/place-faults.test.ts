/**
 * Every fault of the simulator on every provider of places, by every operation (reliability 3.2 a to
 * g): geocoding refuses with the decided status or returns what it knew, all else stays 200 and
 * returns what the others know, within its deadline, and is whole again two minutes after the fault
 * has ended. The table is printed by `npm run trials -- faults`. Here are the faults that come at
 * once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS, type FaultName, WAITING } from "./place-fault-lanes.ts";
import { type Run, testFaults } from "./place-fault-tests.ts";
import { createClient, createFolder, removeFolder, start } from "./support.ts";

const NAMES = Object.keys(FAULTS) as FaultName[];

/** Each of the eight once: their providers fail in different ways. */
const SAMPLE: readonly Run[] = [
  {
    lane: "google_maps, openaedmap",
    faults: ["http_500", "http_429", "garbage", "truncated", "http_401"],
  },
  { lane: "photon, the others", faults: ["empty", "huge", "reset"] },
  { lane: "pelias, geodae, ocpi", faults: ["http_401", "http_429", "garbage"] },
];

testFaults(
  NAMES.filter((name) => !WAITING.includes(name)),
  SAMPLE,
  { at_once: 2, apart_ms: 0 },
);

test("one query is one call to the open map, whatever it asks for", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const { service } = await start({
    data_dir,
    settings: { sources: { maps: { adapter: "openstreetmap" } } },
  });
  t.after(async () => {
    client.close();
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  const sandbox_url = service.sandbox!.url;
  await client.json(`${sandbox_url}/__sandbox/requests`, { method: "DELETE" });
  const { lat, lon } = service.sandbox!.cities()[0]!;
  const body = await client.json<{ status: string; debug: { provider_calls: number } }>(
    `${service.url}/v1/services/nearby?lat=${lat}&lon=${lon}&debug=true` +
      "&types=toilets,wifi,parking,charging,aed",
  );
  assert.equal(body.status, "success");
  const { last } = await client.json<{ last: { method: string; source: string }[] }>(
    `${sandbox_url}/__sandbox/requests`,
  );
  const queries = last.filter(
    ({ source, method }) => source === "openstreetmap" && method === "POST",
  );
  assert.equal(queries.length, 1);
  const asked = last.filter(({ source }) => source === "refuge_restrooms");
  assert.equal(body.debug.provider_calls, queries.length + asked.length);
});
