/**
 * Twenty anonymous geocodes used up the daily twenty calls of a paid provider, and a business key
 * got 503 for the rest of the day; a restart reset the count. A share of the daily calls is reserved
 * for keys now, and the count survives a restart.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service } from "../../src/main/service.ts";
import { createClient, createFolder, removeFolder, start } from "../integration/service/support.ts";

const CALLS = 20;

test("anonymous callers cannot use up the daily paid calls that are reserved for keys", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const running = new Set<Service>();
  const close = async (service: Service): Promise<void> => {
    if (running.delete(service)) await service.close({ delay_ms: 0 });
  };
  t.after(async () => {
    client.close();
    await Promise.all([...running].map(close));
    await removeFolder(data_dir);
  });
  const settings = { sources: { google_maps: { calls_per_day: CALLS } } };
  const open = async (): Promise<Service> => {
    const { service } = await start({ data_dir, settings });
    running.add(service);
    return service;
  };
  let request_count = 0;
  const geocode = async ({ url, keys }: Service, plan?: string): Promise<number> => {
    const key = keys.find((each) => each.plan === plan)?.key;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const query = encodeURIComponent(`${++request_count} Rue de Rivoli, Paris`);
    return (await client.call(`${url}/v1/geocode?q=${query}`, { headers })).status;
  };
  const first = await open();
  const statuses: number[] = [];
  for (let i = 0; i < CALLS; i++) statuses.push(await geocode(first));
  assert.equal(statuses.filter((status) => status === 200).length, CALLS / 2);
  assert.equal(statuses.at(-1), 503);
  assert.equal(await geocode(first, "business"), 200);
  await close(first);

  const second = await open();
  assert.equal(await geocode(second), 503, "the count survives a restart");
  for (let i = 0; i < CALLS / 2 - 1; i++) assert.equal(await geocode(second, "business"), 200);
  assert.equal(await geocode(second, "business"), 503);
});
