// The simulated live data of timetables over their own addresses.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { readLiveMessage } from "#transit/gtfs-rt/message.ts";
import type { LiveMessage } from "#transit/live/live-model.ts";
import { startSandbox, type Sandbox, type SandboxGtfsFeed } from "../../../sandbox/main.ts";

const NOON_MS = Date.UTC(2026, 10, 18, 11, 0, 20);
type Realtime = NonNullable<SandboxGtfsFeed["realtime"]>;

async function begin(t: TestContext, cities: readonly string[]): Promise<Sandbox> {
  const sandbox = await startSandbox({ seed: 1, port: 0, cities, now: () => NOON_MS });
  t.after(() => sandbox.close());
  return sandbox;
}

async function read({ auth }: Realtime, url: string): Promise<LiveMessage> {
  const response = await fetch(url, { headers: auth?.headers ?? {} });
  assert.equal(response.status, 200, url);
  const result = readLiveMessage(new Uint8Array(await response.arrayBuffer()));
  assert.ok(result.ok, url);
  assert.deepEqual(result.message.trail.dropped, [], url);
  return result.message;
}

describe("GTFS Realtime", () => {
  test("every file of every feed is read without a fault, made in this minute", async (t) => {
    const sandbox = await begin(t, ["paris", "berlin", "madrid", "tokyo", "sydney", "cape-town"]);
    const sums = { trips: 0, vehicles: 0, alerts: 0 };
    for (const { realtime } of sandbox.gtfsFeeds()) {
      if (realtime === undefined) continue;
      const { auth: _, ...addresses } = realtime;
      for (const url of new Set(Object.values(addresses))) {
        const message = await read(realtime, url);
        assert.equal(message.timestamp_s, Math.floor(NOON_MS / 60_000) * 60, url);
        for (const name of ["trips", "vehicles", "alerts"] as const)
          sums[name] += message[name].length;
      }
    }
    assert.ok(sums.trips > 500 && sums.vehicles > 60 && sums.alerts > 5, JSON.stringify(sums));
  });
});
