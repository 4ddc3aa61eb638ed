// The simulated live data of timetables over their own addresses, and the faults that are theirs.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { readLiveMessage } from "#transit/gtfs-rt/message.ts";
import type { LiveMessage } from "#transit/live/model.ts";
import { startSandbox, type Sandbox, type SandboxGtfsFeed } from "../../../sandbox/main.ts";
import { control } from "./reader.ts";

const NOON_MS = Date.UTC(2026, 10, 18, 11, 0, 20);
type Realtime = NonNullable<SandboxGtfsFeed["realtime"]>;

async function begin(t: TestContext, cities: readonly string[]): Promise<Sandbox> {
  const sandbox = await startSandbox({ seed: 1, port: 0, cities, now: () => NOON_MS });
  t.after(() => sandbox.close());
  return sandbox;
}

const liveOf = (sandbox: Sandbox, wanted: string): Realtime =>
  sandbox.gtfsFeeds().find(({ id }) => id === wanted)!.realtime!;

async function read({ auth }: Realtime, url: string): Promise<LiveMessage> {
  const response = await fetch(url, { headers: auth?.headers ?? {} });
  assert.equal(response.status, 200, url);
  const result = readLiveMessage(new Uint8Array(await response.arrayBuffer()));
  assert.ok(result.ok, url);
  assert.deepEqual(result.message.trail.dropped, [], url);
  return result.message;
}

const fault = (sandbox: Sandbox, source: string, kind: string) =>
  control(sandbox, "PUT", `faults/${source}`, { fault: kind });

describe("GTFS Realtime", () => {
  test("some feeds have three files, one of all in one, one of trips alone, and some have none", async (t) => {
    const sandbox = await begin(t, ["paris", "berlin", "sydney", "taveuni"]);
    const files = (id: string) => {
      const found = sandbox.gtfsFeeds().find((feed) => feed.id === id)!.realtime;
      const { auth: _, ...addresses } = found ?? {};
      return Object.entries(addresses).map(([name, url]) => [name, url.split("/").at(-1)]);
    };
    const three = ["trip_updates", "vehicle_positions", "alerts"];
    assert.deepEqual(
      files("paris"),
      three.map((name) => [name, `${name}.pb`]),
    );
    assert.deepEqual(
      files("sydney"),
      three.map((name) => [name, "all.pb"]),
    );
    assert.deepEqual(files("paris-rail"), [["trip_updates", "trip_updates.pb"]]);
    assert.deepEqual([files("taveuni"), files("berlin-rail")], [[], []]);
  });

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

  test("one wants its key in a header; a client that has it is 304", async (t) => {
    const sandbox = await begin(t, ["berlin"]);
    const { trip_updates: url = "", auth } = liveOf(sandbox, "berlin");
    assert.equal((await fetch(url)).status, 401);
    const wrong = Object.keys(auth!.headers).map((name): [string, string] => [name, "x"]);
    assert.equal((await fetch(url, { headers: wrong })).status, 401);
    const first = await fetch(url, { headers: auth!.headers });
    assert.equal(first.headers.get("content-type"), "application/x-protobuf");
    const etag = first.headers.get("etag")!;
    const again = await fetch(url, { headers: { ...auth!.headers, "if-none-match": etag } });
    assert.equal(again.status, 304);
    assert.equal((await fetch(url.replace("trip_updates", "trips"))).status, 404);
    assert.equal((await fetch(url, { method: "POST" })).status, 405);
  });

  test("faults of its own: of one file, until they are lifted", async (t) => {
    const sandbox = await begin(t, ["paris"]);
    const live = liveOf(sandbox, "paris");
    const trips = (): Promise<LiveMessage> => read(live, live.trip_updates!);
    const calm = await trips();
    const under = async (kind: string): Promise<LiveMessage> => {
      const put = await fault(sandbox, "gtfs-rt:paris:trip_updates", kind);
      assert.equal(put.status, 200);
      return trips();
    };
    const stamp_s = calm.timestamp_s!;
    const future = await under("future");
    assert.deepEqual([future.timestamp_s! - stamp_s, future.trips], [3600, calm.trips]);
    const none = await under("no_entities");
    assert.deepEqual([none.timestamp_s, none.trips.length], [stamp_s, 0]);
    const ids = ({ trips: list }: LiveMessage) => list.map(({ trip }) => trip.trip_id!);
    const wrong = await under("wrong_trips");
    const known = new Set(ids(calm));
    assert.ok(wrong.trips.length > 0 && ids(wrong).every((id) => !known.has(id)));
    const old = await under("last_week");
    const days = ({ trips: list }: LiveMessage) => new Set(list.map(({ trip }) => trip.start_day));
    assert.deepEqual(
      [...days(old)].map((day) => day! + 7),
      [...days(calm)],
    );
    assert.equal(old.timestamp_s, stamp_s);
    await under("stalled");
    await control(sandbox, "POST", "clock", { advance_s: 600 });
    assert.equal((await trips()).timestamp_s, stamp_s);
    const alerts = await read(live, live.alerts!);
    assert.equal(alerts.timestamp_s, stamp_s + 600);
    await control(sandbox, "DELETE", "faults");
    assert.equal((await trips()).timestamp_s, stamp_s + 600);
  });

  test("what only live data can do is refused for other sources", async (t) => {
    const sandbox = await begin(t, ["paris"]);
    for (const source of ["gtfs:paris", "gbfs", "photon"])
      assert.equal((await fault(sandbox, source, "stalled")).status, 400, source);
    assert.equal((await fault(sandbox, "gtfs-rt/paris", "stalled")).status, 200);
    assert.equal((await fault(sandbox, "gtfs-rt:paris:nothing", "stalled")).status, 404);
  });
});
