/**
 * Departures of Navitia, Transitland and MOTIS over real sockets, where a deployment has no timetables
 * of its own: held against GET /__sandbox/truth/departures, and while they fail.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { DeparturesBodyValue } from "#api/departures.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/main.ts";
import { within } from "../../support/size.ts";
import { toUtc, type True } from "./departures-support.ts";
import {
  advance,
  type Client,
  closeAll,
  createClient,
  createFolder,
  start,
  type Started,
  timeOfTests,
} from "./support.ts";

type Departure = DeparturesBodyValue["results"]["departures"][number];
type At = { lat: number; lon: number };
type StationBody = Omit<DeparturesBodyValue, "query_origin" | "radius"> & {
  station: Departure["station"];
  kind: "departures" | "arrivals";
};

const PARIS: At = { lat: 48.8566, lon: 2.3522 };
const BERLIN: At = { lat: 52.52, lon: 13.405 };
/** Platforms are drawn at most so far from their station. */
const PIN_M = 60;
const RADIUS_M = 300;
const LIMIT = 100;

/** The only one that is asked; all others, and own timetables, are switched off. */
const ONLY = {
  navitia: { transitland: { enabled: false }, gtfs: { enabled: false } },
  transitland: { navitia: { enabled: false }, gtfs: { enabled: false } },
  motis: {
    navitia: { enabled: false },
    transitland: { enabled: false },
    gtfs: { enabled: false },
  },
};

const CASES: readonly {
  provider: keyof typeof ONLY;
  at: At;
  /** Its name in the simulator's faults. */
  fault: string;
  /** Runs that do not take place are listed. */
  isWhole: boolean;
  arrivals: boolean;
}[] = [
  { provider: "navitia", at: PARIS, fault: "navitia", isWhole: false, arrivals: true },
  { provider: "transitland", at: PARIS, fault: "transitland", isWhole: true, arrivals: false },
  { provider: "motis", at: BERLIN, fault: "motis", isWhole: true, arrivals: true },
];

const FAULTS: readonly [fault: string, status: RegExp][] = [
  ["timeout", /^timeout$/],
  ["http_500", /^unavailable$/],
  ["http_401", /^unauthorized$/],
  ["garbage", /^error$/],
  ["empty", /^error$/],
];

for (const { provider, at, fault: part, isWhole, arrivals } of CASES)
  describe(`departures of ${provider}`, () => {
    const client = createClient();
    let upstream: Sandbox;
    let started: Started;
    before(async () => {
      upstream = await startSandbox({
        now: timeOfTests,
        seed: 1,
        port: 0,
        cities: ["paris", "berlin"],
      });
      const { url, ...secrets } =
        upstream.upstreams()[provider === "motis" ? "motis_stops" : provider]!;
      const brief =
        provider === "motis"
          ? { stops_timeout_ms: 2_000 }
          : { timeout_ms: 2_000, retry: undefined };
      const own = { ...secrets, url, ...brief };
      const settings = { sources: { ...ONLY[provider], [provider]: own } };
      started = await start({ data_dir: await createFolder(), settings, still: true });
    });
    after(async () => {
      await closeAll(client, started);
      await upstream.close();
    });

    const near = (where: At, more: Record<string, string> = {}): Promise<DeparturesBodyValue> =>
      client.json(addressOf(started, "nearby", { ...toTexts(where), ...more }));

    test("what is answered is the truth, live where the service says so", async () => {
      await align(client, started, upstream);
      const body = await near(at, { radius: String(RADIUS_M), within: "25" });
      assert.equal(body.status, "success", JSON.stringify(body));
      const departures = body.results.departures;
      assert.ok(departures.length > 5, `${departures.length} departures`);
      const all = { radius: RADIUS_M + PIN_M, ...body.window };
      const actual = await truthOf(client, upstream, at, all);
      const truth = provider === "motis" ? actual.map(asPlanned) : actual;
      const entries = new Set(truth.map(trueKey));
      for (const departure of departures)
        assert.ok(entries.has(keyOf(departure)), keyOf(departure));
      assert.ok(departures.some(({ realtime }) => realtime === "live"));
      assert.ok(departures.some(({ realtime }) => realtime === "unknown"));
      for (const { realtime, expected_at, delay_seconds } of departures)
        if (realtime !== "live") assert.deepEqual([expected_at, delay_seconds], [null, null]);
      // A list that ends early says so.
      if (body.total > LIMIT || body.notices) return;
      const inner = truth.filter(({ station }) => station.distance_m <= RADIUS_M - PIN_M);
      const keys = new Set(departures.map(keyOf));
      const missing = inner.filter((each) => isWhole || !isOff(each)).map(trueKey);
      assert.deepEqual(
        missing.filter((key) => !keys.has(key)),
        [],
      );
    });

    test("a station that an answer has named is asked about by its id", async () => {
      await align(client, started, upstream);
      const around = await near(at, { radius: String(RADIUS_M), within: "25" });
      const { station } = around.results.departures[0]!;
      const body = await client.json<StationBody>(addressOf(started, station.id, { within: "25" }));
      assert.equal(body.status, "success", JSON.stringify(body));
      assert.deepEqual([body.station.id, body.kind], [station.id, "departures"]);
      const own_departures = around.results.departures.filter(
        (each) => each.station.id === station.id,
      );
      const keys = new Set(body.results.departures.map(keyOf));
      assert.deepEqual(
        own_departures.map(keyOf).filter((key) => !keys.has(key)),
        [],
      );
      for (const each of body.results.departures) assert.equal(each.station.distance_meters, null);
      const other = addressOf(started, station.id, { within: "25", arrivals: "true" });
      const arriving = await client.json<StationBody>(other);
      assert.equal(arriving.kind, "arrivals");
      assert.equal(arriving.status, arrivals ? "success" : "partial", JSON.stringify(arriving));
      const unknown = `svc_transport_station_${"a".repeat(20)}`;
      assert.equal((await client.call(addressOf(started, unknown, {}))).status, 404);
    });

    test("stations of GET /v1/transport/nearby have the same ids", async () => {
      await align(client, started, upstream);
      const token = provider === "motis" ? "gtfs" : provider;
      const query = { ...toTexts(at), radius: "900", providers: token, limit: "200" };
      const listed = await client.json<{ results: { stations: { id: string }[] } }>(
        `${started.service.url}/v1/transport/nearby?${new URLSearchParams(query).toString()}`,
      );
      const ids = listed.results.stations.map(({ id }) => id);
      assert.ok(ids.length > 3, `${ids.length} stations`);
      for (const id of ids) {
        const { status, text } = await client.call(addressOf(started, id, { within: "1" }));
        assert.equal(status, 200, `${id}: ${text}`);
      }
      // MOTIS does not name the stations from which nothing leaves, so that another publisher leads.
      if (provider === "motis") return;
      const body = await near(at, { radius: String(RADIUS_M - PIN_M), within: "25" });
      for (const { station } of body.results.departures)
        assert.ok(ids.includes(station.id), station.name);
    });

    for (const [i, [fault, status]] of FAULTS.entries())
      test(`while it fails (${fault}) nothing is made up, and it is said`, async () => {
        // No request was made here before, so nothing is held.
        const where = { lat: at.lat + (i + 1) * 0.0004, lon: at.lon };
        const faults = `${upstream.url}/__sandbox/faults`;
        await client.json(`${faults}/${part}`, { method: "PUT", body: { fault } });
        const begun = performance.now();
        const during = await near(where, { radius: "301", debug: "true" });
        assert.ok(performance.now() - begun < within(6_000), fault);
        assert.equal(during.status, "partial", JSON.stringify(during));
        assert.deepEqual([during.results.departures, during.total], [[], 0]);
        assert.match(during.debug!.providers[provider]!.status, status);
        await client.json(faults, { method: "DELETE" });
        // Breakers close again.
        await align(client, started, upstream);
        const later = await near(where, { radius: "301" });
        assert.equal(later.status, "success", JSON.stringify(later));
      });
  });

test("own timetables answer first: no call is made for what they know", async () => {
  const client = createClient();
  const started = await start({ data_dir: await createFolder(), cities: "paris" });
  try {
    const own = { ...toTexts(PARIS), debug: "true", within: "25" };
    const body = await client.json<DeparturesBodyValue>(addressOf(started, "nearby", own));
    assert.equal(body.status, "success", JSON.stringify(body));
    assert.ok(body.results.departures.length > 5);
    const names = Object.keys(body.debug!.providers);
    assert.ok(names.includes("gtfs"));
    assert.deepEqual(
      names.filter((key) => /^(navitia|transitland|motis)/.test(key)),
      [],
    );
    const paths = await client.json<{ paths: object }>(
      `${started.service.sandbox!.url}/__sandbox/paths`,
    );
    assert.match(JSON.stringify(paths), /upstreams\/gtfs/);
    assert.doesNotMatch(JSON.stringify(paths), /navitia|transitland/);
  } finally {
    await closeAll(client, started);
  }
});

function addressOf({ service }: Started, what: string, query: Record<string, string>): string {
  const search = new URLSearchParams({ limit: String(LIMIT), ...query });
  return `${service.url}/v1/departures/${what}?${search.toString()}`;
}

const toTexts = ({ lat, lon }: At): Record<string, string> => ({
  lat: String(lat),
  lon: String(lon),
});

/** Both clocks just after the beginning of the same minute. */
async function align(client: Client, { service }: Started, upstream: Sandbox): Promise<void> {
  const sandbox = service.sandbox!;
  const next_ms = (Math.floor(Math.max(sandbox.now(), upstream.now()) / 60_000) + 3) * 60_000 + 250;
  for (const each of [upstream, sandbox])
    await advance(client, each.url, (next_ms - each.now()) / 1_000);
}

async function truthOf(
  client: Client,
  upstream: Sandbox,
  at: At,
  request: { radius: number; from: string; to: string },
): Promise<True[]> {
  const query = new URLSearchParams({ ...toTexts(at), ...request, radius: String(request.radius) });
  const { departures } = await client.json<{ departures: True[] }>(
    `${upstream.url}/__sandbox/truth/departures?${query.toString()}`,
  );
  return departures;
}

const isOff = ({ status }: True): boolean => status === "cancelled" || status === "skipped";

/** Line, times and fate. */
const keyOf = ({ line, planned_at, expected_at, status }: Departure): string =>
  [line.short_name ?? line.long_name, toUtc(planned_at), toUtc(expected_at), status].join(" ");

const trueKey = ({ line, planned_at, expected_at, status }: True): string =>
  [line.short_name || line.long_name, planned_at, expected_at, status].join(" ");

/** MOTIS does not say that a run is in no timetable: it is planned for when it is expected. */
const asPlanned = (each: True): True =>
  each.status === "added" ? { ...each, planned_at: each.expected_at, status: "scheduled" } : each;
