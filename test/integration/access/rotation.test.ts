/** Keys that come and go while they are in use: over real sockets, by the admin API and by direct writes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { launch } from "../service/processes.ts";
import { createFolder, removeFolder } from "../service/support.ts";
import {
  ADMIN_TOKEN,
  bearer,
  type Caller,
  createCaller,
  makeKey,
  openService,
  PARIS,
  planLike,
} from "./support.ts";
import { within } from "../../support/size.ts";

/** Decisions: a revocation reaches every replica within this time. */
const BOUND_MS = within(5_000);
const WORKERS = 6;

type Issued = { id: string; key: string };

async function rotate(
  admin_url: string,
  id: string,
  overlap_s: number,
): Promise<Issued & { status: number }> {
  const reply = await fetch(`${admin_url}/admin/keys/${id}/rotate`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close", ...bearer(ADMIN_TOKEN) },
    body: JSON.stringify({ overlap_s }),
  });
  return { status: reply.status, ...((await reply.json()) as Issued) };
}

/** Asks without a pause until it is stopped; how often each status was answered. */
function load(ask: Caller, url: string, key: () => string) {
  const counts = new Map<number, number>();
  const state = { running: true };
  const work = async (): Promise<void> => {
    while (state.running) {
      const { status } = await ask(url, { headers: bearer(key()) });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  const workers = Promise.all(Array.from({ length: WORKERS }, work));
  const until = async (count: number): Promise<void> => {
    const total = (): number => [...counts.values()].reduce((sum, each) => sum + each, 0);
    const goal = total() + count;
    while (total() < goal) await new Promise((resolve) => setImmediate(resolve));
  };
  return { counts, until, stop: () => ((state.running = false), workers) };
}

/** Until the key is refused so; how long that took, and that nothing else was answered. */
async function untilRefused(
  ask: Caller,
  url: string,
  { key, code }: { key: string; code: string },
) {
  const begun = performance.now();
  for (;;) {
    const reply = await ask(url, { headers: bearer(key) });
    const took_ms = performance.now() - begun;
    if (reply.status === 401) {
      assert.equal(reply.code, code);
      return took_ms;
    }
    assert.equal(reply.status, 200, reply.text);
    assert.ok(took_ms < BOUND_MS, `not within ${BOUND_MS} ms`);
  }
}

test("a key that is rotated under load is never refused, nor is its successor", async (t) => {
  const { url, service, accounts } = await openService(t);
  const ask = createCaller(t);
  const old = makeKey(accounts);
  const path = `${url}/v1/nearby?${PARIS}&limit=1`;
  let current = old.key;
  let turn = 0;
  // Every other question comes with the newest key, the others with the one that is going.
  const running = load(ask, path, () => ((turn += 1) % 2 ? current : old.key));
  await running.until(50);
  const next = await rotate(service.admin_url, old.id, 120);
  assert.equal(next.status, 201);
  assert.equal((await ask(path, { headers: bearer(next.key) })).status, 200, "not at once");
  current = next.key;
  await running.until(100);
  await service.clock.advance(60_000);
  await running.until(50);
  await running.stop();
  assert.deepEqual([...running.counts.keys()], [200]);
  t.diagnostic(`${running.counts.get(200)} replies around the rotation, all of them 200`);
  await service.clock.advance(61_000);
  const late = await ask(path, { headers: bearer(old.key) });
  assert.deepEqual([late.status, late.code], [401, "expired_api_key"]);
  assert.equal((await ask(path, { headers: bearer(next.key) })).status, 200);
  // Without an overlap the old one ends as soon as that is noticed.
  const last = await rotate(service.admin_url, next.id, 0);
  const took_ms = await untilRefused(ask, path, { key: next.key, code: "expired_api_key" });
  assert.equal((await ask(path, { headers: bearer(last.key) })).status, 200);
  t.diagnostic(`without an overlap the old one was refused after ${took_ms.toFixed(0)} ms`);
});

test("a key that another process revokes is refused within the bound, and no other is", async (t) => {
  const { url, accounts, data_dir } = await openService(t);
  const ask = createCaller(t);
  const [going, staying] = [makeKey(accounts), makeKey(accounts)];
  const path = `${url}/v1/me`;
  for (const { key } of [going, staying])
    assert.equal((await ask(path, { headers: bearer(key) })).status, 200);
  const command = launch({ data_dir, args: ["keys", "revoke", going.id, "--sandbox"] });
  assert.deepEqual(await command.ended, { code: 0, signal: null }, command.output().err);
  const took_ms = await untilRefused(ask, path, { key: going.key, code: "invalid_api_key" });
  assert.equal((await ask(path, { headers: bearer(staying.key) })).status, 200);
  t.diagnostic(`refused ${took_ms.toFixed(0)} ms after the command had ended`);
});

test("used units are known after a restart, and no unit beyond the last is granted", async (t) => {
  const plans = { small: planLike({ units: 4, period: "month", hard: true }) };
  const data_dir = await createFolder();
  const { url, accounts, stop } = await openService(t, { plans, data_dir });
  const ask = createCaller(t);
  const { key } = makeKey(accounts, { plan: "small" });
  const used = async (base: string): Promise<number> => {
    const { text } = await ask(`${base}/v1/me`, { headers: bearer(key) });
    return (JSON.parse(text) as { usage: { used: number } }).usage.used;
  };
  const geocode = async (base: string): Promise<number> =>
    (await ask(`${base}/v1/geocode?q=Paris`, { headers: bearer(key) })).status;
  for (let i = 0; i < 3; i++) assert.equal(await geocode(url), 200);
  assert.equal(await used(url), 3);
  await stop();
  const again = await openService(t, { plans, data_dir });
  t.after(() => removeFolder(data_dir));
  assert.equal(await used(again.url), 3);
  assert.deepEqual([await geocode(again.url), await geocode(again.url)], [200, 429]);
  const parking = `${again.url}/v1/parking/nearby?${PARIS}`;
  assert.equal((await ask(parking, { headers: bearer(key) })).status, 402);
  assert.equal(await used(again.url), 4);
});
