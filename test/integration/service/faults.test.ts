/**
 * Every fault of the simulator on GBFS files, providers of places and the sources of the legacy routes
 * (reliability 3.2 a to g): each fault, each state and each kind of lane once; `npm run trials -- faults`
 * runs all with all, by the clock. The answer is decided, within its deadline, made of what is held or
 * of what the others know, never an empty list, and whole again when the fault ends.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sized, within } from "../../support/size.ts";
import { FAULTS, STATES } from "./fault-matrix.ts";
import type { FaultName } from "./place-fault-lanes.ts";
import { feedJob, legacyJob, placeJob, testJobs } from "./fault-tests.ts";
import { advance, type Body, createClient, createFolder, start, removeFolder } from "./support.ts";

/** They run into the time that a file may take, which is short for them alone. */
const WAITING: readonly FaultName[] = ["timeout", "late"];
const PROMPT = (Object.keys(FAULTS) as FaultName[]).filter((name) => !WAITING.includes(name));

/** Some wait and some work, so a few at once. */
const feeds = [
  feedJob(WAITING, "warm"),
  ...STATES.map((state, i) => feedJob([...PROMPT.slice(i * 3), ...PROMPT.slice(0, i * 3)], state)),
];
/** Their providers fail in different ways. */
const places = [
  placeJob(["http_500", "http_429", "garbage", "truncated", "http_401"], "google_maps, openaedmap"),
  placeJob(["empty", "huge", "reset"], "photon, the others"),
  placeJob(["http_401", "http_429", "garbage"], "pelias, geodae, ocpi"),
];
/** Apart from the others, which work all the time and would eat its deadline. */
const waiting = [
  placeJob("timeout", "photon, the open map"),
  placeJob("slow", "nominatim"),
  placeJob("late", "photon, the others"),
];
/** One of each decided status. */
const legacy = [
  legacyJob("timeout", "met_norway, gbfs in part"),
  legacyJob("http_500", "openweathermap, gbfs"),
  legacyJob("http_429", "open_meteo, paris_opendata"),
  legacyJob("http_500", "open_meteo, all water"),
];

testJobs(
  [
    { jobs: [...feeds, ...legacy], at_once: 3, apart_ms: 0 },
    { jobs: places, at_once: 2, apart_ms: 0 },
    { jobs: waiting, at_once: 6, apart_ms: 300 },
  ],
  250,
);

/** A busy machine reads the other system of the city within it. */
const DEADLINE_MS = sized(4_000, 300);

test("a file that may take longer than the question: answered at the deadline, read after it", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const { service } = await start({
    cities: "all",
    data_dir,
    settings: {
      deadlines_ms: { nearby: DEADLINE_MS },
      sources: { gbfs: { timeout_ms: 600_000 } },
    },
  });
  t.after(async () => {
    client.close();
    const begun = performance.now();
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
    assert.ok(performance.now() - begun < within(2_000), "a refresh under way held up the end");
  });
  const sandbox = service.sandbox!;
  const put = (fault: object): Promise<unknown> =>
    client.json(`${sandbox.url}/__sandbox/faults/gbfs:cape-town-glyer`, {
      method: "PUT",
      body: { path: "vehicle_status", ...fault },
    });
  const ask = async (): Promise<{ body: Body; elapsed_ms: number }> => {
    const begun = performance.now();
    const { lat, lon } = sandbox.cities().find((city) => city.country === "ZA")!;
    const body = await client.nearby(service, { lat, lon, debug: true });
    return { body, elapsed_ms: performance.now() - begun };
  };
  const sourceOf = (body: Body): string | undefined =>
    body.debug!.sources.find((source) => source.source_id === "cape-town-glyer")?.status;

  await put({ fault: "slow", delay_ms: DEADLINE_MS * 2 });
  const late = await ask();
  assert.equal(late.body.status, "partial");
  assert.equal(sourceOf(late.body), "timeout");
  assert.ok(late.elapsed_ms <= within(DEADLINE_MS + 100), `${late.elapsed_ms} ms`);
  assert.ok(late.body.results.stations.length > 0, "the other system of the city");
  await service.feeds.settle();
  const next = await ask();
  assert.equal(next.body.status, "success", "the refresh went on without the query");

  await put({ fault: "timeout" });
  // It waits for the file, longer than this test does.
  void advance(client, sandbox.url, 130).catch(() => undefined);
  const stored = await ask();
  assert.equal(stored.body.status, "partial");
  assert.ok(stored.elapsed_ms <= within(DEADLINE_MS + 100), `${stored.elapsed_ms} ms`);
  assert.equal(stored.body.total, next.body.total);
  await client.json(`${sandbox.url}/__sandbox/faults`, { method: "DELETE" });
});
