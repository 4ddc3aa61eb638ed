/**
 * Feeds of public transport in real processes: imported while a service runs, killed in the middle,
 * refused when hostile; and what is answered while a provider fails.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { TransportBodyValue } from "#api/transit.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { startSandbox } from "../../../sandbox/main.ts";
import { SMALL } from "../../support/gtfs.ts";
import { makeZip, zipOf } from "../../support/zip.ts";
import { launch, type Ready, type Running, startProcess } from "./processes.ts";
import {
  advance,
  type Client,
  createClient,
  createFolder,
  eventually,
  removeFolder,
  start,
  timeOfTests,
} from "./support.ts";
import { HANG_MS, sized } from "../../support/size.ts";

type Station = TransportBodyValue["results"]["stations"][number];
/** Rows of a feed that takes a while to import. */
const CALLS = sized(120_000, 1_500_000);
const NOWHERE = { lat: 5, lon: -140 };
const PARIS = { lat: 48.8566, lon: 2.3522 };

function near(client: Client, url: string, query: object): Promise<TransportBodyValue> {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const search = new URLSearchParams([...pairs, ["limit", "200"], ["debug", "true"]]);
  return client.json(`${url}/v1/transport/nearby?${search.toString()}`);
}

/** A feed with `stops` bus stops in a row far out at sea, all served by one trip of the given name. */
function feedOf(name: string, stops: number, calls = stops): Record<string, string> {
  const ids = Array.from({ length: stops }, (_, i) => i);
  const at = (i: number): string => `${(NOWHERE.lat + i * 1e-5).toFixed(5)},${NOWHERE.lon}`;
  const times = Array.from({ length: calls }, (_, i) => `T1,${i % stops},${i}`);
  return {
    "agency.txt": SMALL["agency.txt"]!,
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nR1,M,1,3",
    "trips.txt": SMALL["trips.txt"]!,
    "stops.txt": [
      "stop_id,stop_name,stop_lat,stop_lon",
      ...ids.map((i) => `${i},${name} ${i},${at(i)}`),
    ].join("\n"),
    "stop_times.txt": ["trip_id,stop_id,stop_sequence", ...times].join("\n"),
  };
}

describe("vicinity import gtfs next to a running service", () => {
  const client = createClient();
  let data_dir = "";
  let running: Running;
  let ready: Ready;
  before(async () => {
    data_dir = await createFolder();
    ({ running, ready } = await startProcess({ data_dir }));
  });
  after(async () => {
    client.close();
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  });

  const importing = (path: string, ...more: string[]): Running =>
    launch({
      data_dir,
      args: [
        "import",
        "gtfs",
        path,
        "--sandbox",
        ...more,
        ...(more.includes("--id") ? [] : ["--id", "x"]),
      ],
      variables: { VICINITY_READY_FILE: "" },
    });
  const stations = async (): Promise<Station[]> =>
    (await near(client, ready.url, { ...NOWHERE, providers: "gtfs" })).results.stations;
  const served = (name: string, within_ms = HANG_MS): Promise<Station[]> =>
    eventually(
      async () => {
        const match = await stations();
        return match.some((station) => station.name.startsWith(`${name} `)) ? match : null;
      },
      { within_ms, what: name },
    );
  async function file(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(data_dir, name);
    await writeFile(path, bytes);
    return path;
  }

  test("it prints what was read, and the service serves it within five seconds", async () => {
    const stray = "trip_id,stop_id,stop_sequence\nT1,0,1\nT1,1,2\nT1,nowhere,3\n";
    const path = await file("a.zip", zipOf({ ...feedOf("First", 3), "stop_times.txt": stray }));
    const run = importing(path, "--json");
    assert.deepEqual(await run.ended, { code: 0, signal: null }, run.output().err);
    const { rejected, ...report } = JSON.parse(run.output().out) as Record<string, unknown>;
    assert.deepEqual(
      ["stations", "stops", "routes", "operators", "modes"].map((name) => report[name]),
      [2, 3, 1, 1, ["bus"]],
    );
    assert.ok(Array.isArray(rejected) && rejected.length > 0);
    const match = await served("First");
    assert.deepEqual(
      match.map(({ name, sources }) => [name, sources[0]!.feed_id, sources[0]!.source_id]),
      [
        ["First 0", "x", "0"],
        ["First 1", "x", "1"],
      ],
    );
  });

  test("the next import replaces it, and lines follow", async () => {
    const path = await file("b.zip", zipOf(feedOf("Second", 2)));
    const run = importing(path, "--region", "sea");
    assert.equal((await run.ended).code, 0, run.output().err);
    assert.match(run.output().out, /^2 stations of 2 stops, 1 routes, 1 operators · bus\n/);
    const match = await served("Second");
    assert.equal(match.length, 2);
    assert.equal(match[0]!.sources[0]!.region, "sea");
    const { results } = await client.nearby(ready, { ...NOWHERE, include: "lines" });
    assert.deepEqual(
      results.lines.map(({ id, station_ids }) => [id, station_ids]),
      [["x:R1", match.map(({ id }) => id).toSorted()]],
    );
  });

  const HOSTILE: readonly [what: string, bytes: () => Uint8Array, says: RegExp][] = [
    ["no archive", () => Buffer.from("PK nothing"), /zip/],
    [
      "a file without a column",
      () => zipOf({ ...feedOf("Bad", 2), "stops.txt": "stop_id\n1\n" }),
      /stops\.txt line 1\b/,
    ],
    [
      "a quote that never ends",
      () => zipOf({ ...feedOf("Bad", 2), "trips.txt": 'route_id,trip_id\nR1,T1\nR1,"T2\n' }),
      /trips\.txt line 3\b/,
    ],
    [
      "a size that lies",
      () =>
        makeZip(
          Object.entries(feedOf("Bad", 2)).map(([name, data]) => ({
            name,
            data,
            ...(name === "stops.txt" ? { size: 3 } : {}),
          })),
        ),
      /stops\.txt/,
    ],
  ];
  for (const [what, bytes, says] of HOSTILE)
    test(`refused in one line: ${what}`, async () => {
      const path = await file("hostile.zip", bytes());
      const run = importing(path, "--json");
      assert.equal((await run.ended).code, 1);
      const { out, err } = run.output();
      assert.equal(out, "");
      // Progress is reported before it, for users who wait.
      const [verdict, ...more] = err.split(/[\r\n]/).filter((line) => line.startsWith("vicinity:"));
      assert.deepEqual(more, []);
      assert.ok(verdict !== undefined, err);
      assert.ok(verdict.startsWith(`vicinity: ${path}: `), err);
      assert.match(verdict, says);
      assert.ok(err.endsWith(`${verdict}\n`), err);
      assert.ok((await stations()).every(({ name }) => name.startsWith("Second ")));
    });

  test("killed in the middle: the earlier version is served, and the store is intact", async () => {
    const path = await file("big.zip", zipOf(feedOf("Third", 20_000, CALLS)));
    const begun_ms = performance.now();
    assert.equal((await importing(path, "--id", "other").ended).code, 0);
    const whole_ms = performance.now() - begun_ms;
    let [killed, imported] = [0, 0];
    for (const share of sized([0, 0.4], [0, 0.15, 0.35, 0.55])) {
      const run = importing(path);
      // The line that it prints when it begins to read.
      while (run.output().err === "") await pause(1);
      await pause(whole_ms * share);
      run.child.kill("SIGKILL");
      const { signal } = await run.ended;
      if (signal === "SIGKILL") killed++;
      else imported++;
    }
    assert.ok(killed > 0, "every import was over before");
    const store = openAdminStorage({ data_dir, mode: "sandbox" });
    assert.ok("transit" in store);
    // A process may be killed after it has stored the feed and before it ends.
    const { version } = store.transit.listFeeds().find(({ feed_id }) => feed_id === "x")!;
    assert.ok(version >= 2 + imported && version <= 2 + imported + killed, `version ${version}`);
    store.close();
    const whole = importing(path, "--json");
    assert.equal((await whole.ended).code, 0, whole.output().err);
    assert.ok((await served("Third")).length > 100);
  });
});

test("killed while it imports, the service starts again and has them all", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const runs: Running[] = [];
  t.after(async () => {
    client.close();
    for (const { child, ended } of runs) {
      child.kill("SIGKILL");
      await ended;
    }
    await removeFolder(data_dir);
  });
  const path = join(data_dir, "big.zip");
  await writeFile(path, zipOf(feedOf("Big", 20_000, CALLS)));
  const config = join(data_dir, "vicinity.json");
  await writeFile(config, JSON.stringify({ sources: { gtfs: { feeds: [{ id: "big", path }] } } }));
  const args = ["serve", "--sandbox", "--config", config];
  const ask = { ...NOWHERE, providers: "gtfs" };
  for (const after_ms of sized([800], [600, 1000])) {
    const run = launch({ data_dir, args });
    runs.push(run);
    await new Promise((resolve) => void setTimeout(resolve, after_ms));
    run.child.kill("SIGKILL");
    assert.equal((await run.ended).signal, "SIGKILL", run.output().err);
  }
  const { running, ready } = await startProcess({ data_dir, args });
  runs.push(running);
  const match = await eventually(
    async () => {
      const body = await near(client, ready.url, ask);
      // Until it is there it is missing: that is not the same as nothing.
      if (body.total === 0) assert.equal(body.status, "partial");
      // Its lines run on no day, so that the answer about its stations is `partial` as well.
      return body.total > 0 ? body : null;
    },
    { within_ms: HANG_MS, what: "the feed" },
  );
  assert.ok(match.total > 100);
});

test("no feed can be fetched at the first start: partial, until the next attempt brings it", async (t) => {
  const upstream = await startSandbox({ now: timeOfTests, seed: 1, port: 0 });
  const data_dir = await createFolder();
  const client = createClient();
  t.after(async () => {
    client.close();
    await upstream.close();
    await removeFolder(data_dir);
  });
  const put = { method: "PUT", body: { fault: "http_500" } };
  await client.json(`${upstream.url}/__sandbox/faults/gtfs`, put);
  const feeds = [{ id: "paris", url: `${upstream.url}/upstreams/gtfs/paris.zip` }];
  const { service } = await start({ data_dir, settings: { sources: { gtfs: { feeds } } } });
  const sandbox_url = service.sandbox!.url;
  try {
    const ask = (providers: string) => near(client, service.url, { ...PARIS, providers });
    const alone = await ask("gtfs");
    assert.deepEqual([alone.status, alone.total], ["partial", 0]);
    const failed = alone.debug!.providers["gtfs"]!;
    assert.deepEqual([failed.status, failed.reason], ["unavailable", "http_500"]);
    const both = await ask("navitia,gtfs");
    assert.equal(both.status, "partial");
    assert.ok(both.total > 10);
    const lines = await client.nearby(service, { ...PARIS, include: "lines" });
    assert.equal(lines.status, "partial");
    await client.json(`${upstream.url}/__sandbox/faults`, { method: "DELETE" });
    await advance(client, sandbox_url, 700);
    const well = await ask("gtfs");
    assert.equal(well.status, "success", `${well.message}`);
    assert.ok(well.total > 10);
    // From now on an upstream that fails takes nothing away.
    await client.json(`${upstream.url}/__sandbox/faults/gtfs`, put);
    await advance(client, sandbox_url, 27 * 3600);
    assert.deepEqual((await ask("gtfs")).results.stations, well.results.stations);
  } finally {
    await service.close({ delay_ms: 0 });
  }
});
