/** History and quality of a source over sockets: one fails half of the time, and a restart. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { SourceQualityBody, type SourceQualityReply } from "#api/quality.ts";
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
const isQuality = ajv.compile<SourceQualityReply>(SourceQualityBody);
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

  const readQuality = async (url: string, source: string): Promise<SourceQualityReply> => {
    const address = `${url}/v1/sources/${encodeURIComponent(source)}/quality`;
    const body: unknown = await client.json(address);
    assert.ok(isQuality(body), JSON.stringify(isQuality.errors));
    return body;
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
  // The example of docs/quality.md is one of this source.
  const page = readFileSync(new URL("../../../docs/quality.md", import.meta.url), "utf8");
  const [, example = ""] = /^curl http:\/\/localhost:8080(\/\S+)$/m.exec(page) ?? [];
  const quality = await readQuality(service.url, id);
  assert.equal((await client.json<SourceQualityReply>(service.url + example)).source.id, id);
  const { last_24_hours: day, last_30_days: month } = quality;
  assert.deepEqual([day.attempts, day.failures], [attempts, failures]);
  assert.ok(month.attempts >= attempts && month.slots.length === 30);
  assert.ok(day.availability! > 0 && day.availability! < 1 && day.age !== null);
  // Of the same vehicles two files speak, and CityBikes has another capacity for the same stations.
  const cars = await readQuality(service.url, "paris-auto-voisine");
  const [docked] = cars.dropped!;
  assert.deepEqual([docked?.reason, docked?.part], ["vehicle_docked_at_station", "vehicle_status"]);
  assert.ok(docked!.count > 0 && docked!.examples.length === 3 && docked!.current);
  const network = await readQuality(service.url, "citybikes:parisveloseine");
  assert.ok(network.contradictions!.some(({ reason }) => reason === "counts_exceed_capacity"));
  const unknown = await client.call(`${service.url}/v1/sources/nothing%2Fhere/quality`);
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, /"code":"unknown_source"/);
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
  const later = await readQuality(again.url, id);
  assert.ok(later.last_30_days.failures >= 1 && later.requested);
  assert.equal(
    (await readQuality(again.url, "paris-auto-voisine")).dropped![0]!.reason,
    docked!.reason,
  );
  assert.ok(recalled[0]!.attempts >= first!.attempts && recalled[0]!.failures === first!.failures);
});
