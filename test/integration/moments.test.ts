/**
 * A machine whose clock was six days ahead for a moment, and is set right: the service's own time is
 * still ahead, and what people know by their clocks is not.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { timeOfTests, serve } from "./service/support.ts";

const DAY_MS = 86_400_000;
const ADMIN_TOKEN = "a-token-of-sixteen";

test("after a wrong step forward and back, a key that ends tomorrow is good and units count today", async (t) => {
  let ahead_ms = 0;
  const { client, service } = await serve(t, {
    timetables: false,
    variables: { ADMIN_TOKEN },
    time: {
      now: () => timeOfTests() + ahead_ms,
      wall: timeOfTests,
      watch: () => undefined,
    },
  });
  ahead_ms = 6 * DAY_MS;
  type Time = { time: string };
  const { time } = await client.json<Time>(`${service.url}/health`);
  assert.ok(Math.abs(Date.parse(time) - timeOfTests()) < DAY_MS, time);

  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const made = await client.json<{ key: string; expires_at: string }>(
    `${service.admin_url}/admin/keys`,
    { method: "POST", headers, body: { plan: "developer", expires_at: "1d" } },
  );
  const ends_in_ms = Date.parse(made.expires_at) - timeOfTests();
  assert.ok(ends_in_ms > 0.9 * DAY_MS && ends_in_ms <= DAY_MS, made.expires_at);
  const auth = { authorization: `Bearer ${made.key}` };
  await client.json(`${service.url}/v1/nearby?lat=48.8566&lon=2.3522`, { headers: auth });
  type Me = { usage: { period: string; used: number; ends_at: string } };
  const me = await client.json<Me>(`${service.url}/v1/me`, { headers: auth });
  assert.deepEqual([me.usage.period, me.usage.used], ["2026-11", 1]);
  const anonymous = await client.json<Me>(`${service.url}/v1/me`);
  assert.equal(anonymous.usage.period, new Date(timeOfTests()).toISOString().slice(0, 10));
  const { text } = await client.call(`${service.admin_url}/metrics`);
  const lead_s = Number(/^svc_clock_ahead_seconds (\S+)$/m.exec(text)?.[1]);
  assert.ok(Math.abs(lead_s - (6 * DAY_MS) / 1000) < 60, `${lead_s} s`);
});
