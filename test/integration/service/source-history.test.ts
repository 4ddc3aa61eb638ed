/** GET /v1/sources with `history=24h`: a source that fails half of the time, and a restart. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Sources, type SourcesBody } from "#api/sources.ts";
import {
  advance,
  createClient,
  createFolder,
  removeFolder,
  start,
  type Started,
} from "./support.ts";

const ajv = new Ajv2020({ strict: true, keywords: ["x-stability"] });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
const isBody = ajv.compile<SourcesBody>(Sources);
type Source = SourcesBody["sources"][number];

const HERE = { lat: 48.8566, lon: 2.3522, radius: 1500 };
const ROUNDS = 10;

test("a source that fails half of the time shows it in its history, and a restart keeps it", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const running = new Set<Started["service"]>();
  t.after(async () => {
    client.close();
    for (const service of running) await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  const open = async () => {
    const { service } = await start({ data_dir, cities: "paris", timetables: false });
    running.add(service);
    return service;
  };
  const read = async (url: string, query = "?history=24h"): Promise<Map<string, Source>> => {
    const body: unknown = await client.json(`${url}/v1/sources${query}`);
    assert.ok(isBody(body), JSON.stringify(isBody.errors));
    return new Map(body.sources.map((source) => [source.id, source]));
  };

  const service = await open();
  const { url: control } = service.sandbox!;
  await client.nearby(service, HERE);
  const plain = await read(service.url, "");
  assert.ok([...plain.values()].every(({ history }) => history === undefined));
  const id = "paris-velo-seine";
  assert.equal(plain.get(id)?.state, "ok");
  for (let i = 0; i < ROUNDS; i++) {
    const fault = i % 2 === 0 ? "http_500" : "none";
    const rule = { method: "PUT", body: { fault } };
    await client.json(`${control}/__sandbox/faults/gbfs:${id}`, rule);
    // Longer than it is left alone after a failure.
    await advance(client, control, 600);
    await client.nearby(service, HERE);
    await service.feeds.settle();
  }
  const near = `?lat=${HERE.lat}&lon=${HERE.lon}&radius=${HERE.radius}&history=24h`;
  const { slots } = (await read(service.url, near)).get(id)!.history!;
  const defined = slots.filter((slot) => slot !== null);
  const attempts = defined.reduce((sum, slot) => sum + slot.attempts, 0);
  const failures = defined.reduce((sum, slot) => sum + slot.failures, 0);
  assert.ok(attempts >= ROUNDS, `${attempts} attempts`);
  assert.ok(
    failures >= ROUNDS / 2 && attempts - failures >= ROUNDS / 2,
    `${failures} of ${attempts}`,
  );
  assert.ok(defined.some(({ state }) => state !== "ok" && state !== "idle"));
  assert.ok(defined.length < 12 && slots.length === 96, "before the start nothing is known");
  assert.equal((await client.call(`${service.url}/v1/sources?history=1h`)).status, 400);
  await service.close({ delay_ms: 0 });
  running.delete(service);

  // Its time is the system's again: what was beyond it is forgotten.
  const again = await open();
  const stored = (await read(again.url)).get(id)!.history;
  const recalled = stored?.slots.filter((slot) => slot !== null) ?? [];
  const [first] = defined;
  assert.ok(recalled[0]!.attempts >= first!.attempts && recalled[0]!.failures === first!.failures);
});
