/**
 * Departures while timetables or their live data fail: every fault of the simulator on every file
 * leaves what was decided, within the deadline, and heals.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { FAULT_KINDS, LIVE_FAULT_KINDS } from "../../../sandbox/faults.ts";
import { HANG_MS, sized, within } from "../../support/size.ts";
import {
  alignTo,
  askBoth,
  assertSame,
  type Compared,
  type Departure,
  type Pair,
  type Seen,
  type True,
  untilDay,
} from "./departures-support.ts";
import { onStage, putFault } from "./fault-stage.ts";
import { advance, type Client, eventually, serviceFor } from "./support.ts";

const SEED = randomInt(2 ** 32);
const BERLIN = { lat: 52.52, lon: 13.405 };
const FILES = ["trip_updates", "vehicle_positions", "alerts"] as const;
type File = (typeof FILES)[number];
type Kind = (typeof FAULT_KINDS)[number] | (typeof LIVE_FAULT_KINDS)[number];

/**
 * What is decided of a fault of a file that lasts. `late`: nothing but the time of the answer changes;
 * `failed`: nothing is known of what the file says, which is named, and the other files are used as they
 * are; `silent`: it says nothing that can be used; `ahead`: a clock that is wrong is no reason to doubt
 * what it says.
 */
const DECIDED: Readonly<Record<Exclude<Kind, "none">, "late" | "failed" | "silent" | "ahead">> = {
  slow: "late",
  http_500: "failed",
  http_429: "failed",
  http_401: "failed",
  garbage: "failed",
  truncated: "failed",
  empty: "failed",
  huge: "failed",
  reset: "failed",
  stalled: "failed",
  last_week: "silent",
  wrong_trips: "silent",
  no_entities: "silent",
  future: "ahead",
  timeout: "failed",
};
const KINDS = Object.keys(DECIDED) as (keyof typeof DECIDED)[];
/** One of each way to fail: the others differ in what the HTTP client makes of them. */
const SAMPLE: ReadonlySet<Kind> = new Set(["slow", "http_500", "garbage", "timeout"]);
/** Faults that are about trips leave the other files as they are. */
const OF_TRIPS: ReadonlySet<Kind> = new Set(["last_week", "wrong_trips", "no_entities", "future"]);

const DEADLINE_MS = 3_000;

describe(`live data that fail, seed ${SEED}`, () => {
  const served = serviceFor({
    cities: "berlin",
    variables: { SANDBOX_SEED: String(SEED) },
    settings: { deadlines_ms: { departures: DEADLINE_MS } },
  });
  const pairOf = (): Pair => {
    const { service } = served.started;
    return { service, sandbox: service.sandbox! };
  };

  for (const file of FILES)
    for (const kind of KINDS) {
      if (file !== "trip_updates" && OF_TRIPS.has(kind)) continue;
      if (file !== "trip_updates" && !sized(SAMPLE, new Set(KINDS)).has(kind)) continue;
      test(`${file}: ${kind} is ${DECIDED[kind]}`, async (t) => {
        const { client } = served;
        const pair = pairOf();
        const clear = () =>
          client.json(`${pair.sandbox.url}/__sandbox/faults`, { method: "DELETE" });
        t.after(clear);
        await untilDay(client, pair);
        await checkCalm(client, pair, `before ${kind}`);
        await putFault(
          { client, sandbox: served.started.service.sandbox! },
          `gtfs-rt:berlin:${file}`,
          {
            fault: kind,
          },
        );
        await checkDecided(client, pair, { file, decided: DECIDED[kind], what: kind });
        await clear();
        await alignTo(client, pair, 600);
        await checkCalm(client, pair, `after ${kind}`);
      });
    }

  test("every kind of fault has its decision", () => {
    const all = [...FAULT_KINDS, ...LIVE_FAULT_KINDS].filter((kind) => kind !== "none");
    assert.deepEqual(KINDS.toSorted(), all.toSorted());
  });
});

async function checkCalm(client: Client, pair: Pair, what: string): Promise<void> {
  const minute = await alignTo(client, pair);
  // What is fetched in the background may still be on its way.
  await eventually(
    async () => {
      const both = await askBoth(client, pair, BERLIN);
      if (both.body.status === "partial") return null;
      assertSame(both, minute, `${what}, seed ${SEED}`);
      return true;
    },
    { within_ms: HANG_MS / 2, what },
  );
}

type Expected = { file: File; decided: (typeof DECIDED)[keyof typeof DECIDED]; what: string };

async function checkDecided(client: Client, pair: Pair, { file, decided, what }: Expected) {
  const minute = await alignTo(client, pair, 120);
  const isLost = decided === "failed" || decided === "silent";
  const isSilent = isLost && file === "trip_updates";
  const begun_ms = performance.now();
  const both = await askBoth(client, pair, BERLIN, isSilent ? ["berlin"] : []);
  const took_ms = performance.now() - begun_ms;
  assert.ok(took_ms < DEADLINE_MS + within(500), `${what}: ${took_ms} ms`);
  const { status, total, notices = [], message } = both.body;
  assert.ok(total > 0, `${what}: planned departures are still there`);
  if (decided === "failed") {
    assert.equal(status, "partial", what);
    const text = JSON.stringify([message, notices]);
    assert.ok(text.includes(`the live data of berlin (${file.replace("_", " ")})`), text);
    assert.doesNotMatch(text, /berlin-rail/, what);
    assert.equal(notices.length, 1, text);
  } else assert.equal(status, "success", `${what}: ${message}`);
  if (isSilent) {
    for (const { expected_at, realtime, status: happens } of both.body.results.departures)
      assert.deepEqual(
        [expected_at, realtime === "live", happens],
        [null, false, "scheduled"],
        what,
      );
    if (decided === "failed") await checkAlerts(client, pair, { both, what });
  }
  const isWithout = isSilent || (isLost && file === "alerts");
  if (decided === "ahead") assertAhead(both, minute, what);
  else assertSame(isWithout ? withoutAlerts(both) : both, minute, `${what}, seed ${SEED}`);
}

/** Alerts are those of a feed whose trips are known. */
async function checkAlerts(
  client: Client,
  pair: Pair,
  { both, what }: { both: Compared; what: string },
): Promise<void> {
  const { truth } = await askBoth(client, pair, BERLIN);
  const wanted = new Map(truth.map((each) => [callOf(each), each.alerts]));
  for (const departure of both.body.results.departures) {
    const { alerts } = departure;
    const entry = wanted.get(callOf(departure));
    if (entry) assert.deepEqual(alerts.toSorted(), entry.toSorted(), what);
  }
}

type Called = {
  station: Departure["station"] | True["station"];
  sources: readonly (Seen | Departure["sources"][number])[];
};

function callOf({ station, sources: [source] }: Called): string {
  const { feed_id, trip_id, service_date } = source!;
  const { name, location } = station;
  return JSON.stringify([name, location.lat, location.lon, feed_id, trip_id, service_date]);
}

/** Without alerts: the truth has none where a feed is silent, and the answer none where they fail. */
function withoutAlerts({ body, truth }: Compared): Compared {
  const { departures } = body.results;
  const listed = departures.map((each) => ({ ...each, alerts: [] }));
  const results = { ...body.results, departures: listed };
  return { body: { ...body, results }, truth: truth.map((each) => ({ ...each, alerts: [] })) };
}

/** The same but for when it was observed, which is not later than it may be. */
function assertAhead({ body, truth }: Compared, minute: string, what: string): void {
  const departures = body.results.departures.map((each) => {
    if (each.observed_at === null) return each;
    assert.ok(Date.parse(each.observed_at) <= Date.parse(minute) + 125_000, each.observed_at);
    return { ...each, observed_at: minute };
  });
  assertSame({ body: { ...body, results: { ...body.results, departures } }, truth }, minute, what);
}

/** Faults of files that are no answer at all; a slow archive is no failure, and a late one is waited for. */
const ARCHIVE_FAULTS = sized(
  ["http_500", "truncated", "garbage"] as const,
  ["http_500", "http_429", "http_401", "garbage", "truncated", "empty", "huge", "reset"] as const,
);

describe("an archive that fails", () => {
  for (const fault of ARCHIVE_FAULTS)
    test(`${fault}: at the first start it is named, then it comes, and later it stays as held`, async () => {
      const plan = {
        routes: ["/v1/departures/nearby"],
        settings: (sandbox: Sandbox) => ({
          sources: {
            gtfs: { feeds: sandbox.gtfsFeeds().filter(({ id }) => id.startsWith("berlin")) },
          },
        }),
        judged: false,
        prepare: (control: Parameters<typeof putFault>[0]) =>
          putFault(control, "gtfs:berlin", { fault }),
      };
      await onStage(plan, async ({ client, sandbox, service }) => {
        const pair: Pair = { service, sandbox };
        await tried(client, pair);
        const first = await askBoth(client, pair, BERLIN);
        assert.equal(first.body.status, "partial");
        assert.match(first.body.message ?? "", /the timetable berlin\b/);
        const rail = first.body.results.departures.flatMap(({ sources }) => sources);
        assert.ok(rail.every(({ feed_id }) => feed_id === "berlin-rail"));
        await client.json(`${sandbox.url}/__sandbox/faults`, { method: "DELETE" });
        await healed(client, pair, `${fault}: it came`);
        await putFault({ client, sandbox }, "gtfs:berlin", { fault });
        await advance(client, sandbox.url, 30 * 3600);
        await untilDay(client, pair);
        const minute = await alignTo(client, pair);
        const stored = await askBoth(client, pair, BERLIN);
        assert.equal(stored.body.status, "success", stored.body.message ?? fault);
        assertSame(stored, minute, `${fault}: as held`);
      });
    });
});

/** Until feeds were tried for the first time they are neither there nor missing. */
function tried(client: Client, pair: Pair): Promise<unknown> {
  return eventually(
    async () => {
      const { body } = await askBoth(client, pair, BERLIN);
      return body.results.departures.length > 0 || /berlin\b/.test(body.message ?? "") || null;
    },
    { within_ms: HANG_MS, what: "the feeds were tried" },
  );
}

/** It is tried again ever more rarely; the attempt that failed may not be over yet. */
function healed(client: Client, pair: Pair, what: string): Promise<unknown> {
  return eventually(
    async () => {
      const minute = await alignTo(client, pair, 900);
      const both = await askBoth(client, pair, BERLIN);
      if (both.body.status !== "success") return null;
      assertSame(both, minute, what);
      return true;
    },
    { within_ms: HANG_MS, what },
  );
}
