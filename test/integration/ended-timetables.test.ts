/**
 * A timetable whose last day is over has ended, and one whose first has not come has not begun
 * (decisions, Ended timetables): its import, doctor, /v1/sources and every answer near it say so with
 * the day, by the timetable's own clocks, and none of them where it still runs.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import type { SourcesBody } from "#api/sources.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { importGtfs } from "#transit/index.ts";
import { type Service, startService } from "../../src/main/service.ts";
import { type FeedTexts, SMALL } from "../support/gtfs.ts";
import { connect, resultOf } from "../support/mcp.ts";
import { runsOnlyOn } from "../support/timetables.ts";
import { zipOf } from "../support/zip.ts";
import { run } from "../unit/cli/support.ts";
import { createClient, createFolder, eventually, removeFolder } from "./service/support.ts";

/** In Tokyo it is the next day already. */
const NOW_MS = Date.UTC(2026, 2, 9, 20);

type Timetabled = {
  id: string;
  zone: string;
  lat: number;
  lon: number;
  files: FeedTexts;
  /** null: it runs. */
  reason: string | null;
  /** What an import warns of; "": of nothing. */
  warning: string;
  /** What doctor says of the days. */
  until: string;
};

const NIGHT = "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n";
const CASES: readonly Timetabled[] = [
  {
    ...{ id: "over", zone: "Europe/Berlin", lat: 52.52, lon: 13.4 },
    files: runsOnlyOn("20251231"),
    reason: "ended_2025-12-31",
    warning: "it has ended on 2025-12-31: import a newer one",
    until: "until 2025-12-31: import a newer one",
  },
  {
    // Its last day is over by its own clocks, and not in UTC.
    ...{ id: "tokyo", zone: "Asia/Tokyo", lat: 35.68, lon: 139.76 },
    files: runsOnlyOn("20260309"),
    reason: "ended_2026-03-09",
    warning: "it has ended on 2026-03-09: import a newer one",
    until: "until 2026-03-09: import a newer one",
  },
  {
    // The last night of its last day reaches into the day after.
    ...{ id: "night", zone: "Europe/London", lat: 51.5, lon: -0.12 },
    files: {
      ...runsOnlyOn("20260308"),
      "stop_times.txt": `${NIGHT}T1,P1,1,44:30:00,44:30:00\nT1,A,2,45:00:00,45:00:00\n`,
    },
    reason: null,
    warning: "runs from 2026-03-08 until 2026-03-08",
    until: "until 2026-03-08 (ends today)",
  },
  {
    ...{ id: "future", zone: "Europe/Madrid", lat: 40.4, lon: -3.7 },
    files: runsOnlyOn("20260401"),
    reason: "begins_2026-04-01",
    warning: "it has not begun: no departures are shown before 2026-04-01",
    until: "until 2026-04-01",
  },
  {
    ...{ id: "never", zone: "Europe/Rome", lat: 41.9, lon: 12.5 },
    files: { "calendar.txt": "service_id,start_date,end_date,monday\nW,20200101,20191231,0\n" },
    reason: "never_runs",
    warning: "nothing in it runs on any day: no departures are shown",
    until: "which never run: import a newer one",
  },
  {
    ...{ id: "runs", zone: "Europe/Paris", lat: 48.85, lon: 2.35 },
    files: runsOnlyOn("20260309"),
    reason: null,
    warning: "runs from 2026-03-09 until 2026-03-09",
    until: "until 2026-03-09 (ends today)",
  },
];

/** What answers near it say; null: nothing is missing there. */
function sayingOf({ id, reason }: Timetabled): string | null {
  if (reason === null) return null;
  const [kind, day] = reason.split("_");
  const name = `the timetable ${id}`;
  if (kind === "ended") return `${name} has ended on ${day}`;
  if (kind === "begins") return `${name} has not begun: it begins on ${day}`;
  return `${name} is unreadable`;
}

function archiveOf({ zone, lat, lon, files }: Timetabled): Buffer {
  const texts: FeedTexts = {
    ...SMALL,
    "agency.txt": `agency_id,agency_name,agency_url,agency_timezone\nM,M,https://m.example/,${zone}\n`,
    "stops.txt": [
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station",
      `S,Central,${lat},${lon},1,`,
      `P1,Central,${lat + 0.0001},${lon},0,S`,
      `P2,Central,${lat + 0.0002},${lon},0,S`,
      `A,Alone,${lat + 0.01},${lon},,`,
    ].join("\n"),
    ...files,
  };
  return zipOf(texts);
}

/** What the command prints of each, and the store that it leaves. */
async function importAll(data_dir: string): Promise<Map<string, string>> {
  const printed = new Map<string, string>();
  for (const each of CASES) {
    const store = openAdminStorage({ data_dir, mode: "live" });
    if ("problem" in store) return assert.fail(store.problem);
    const { out } = await run(["import", "gtfs", "a.zip", "--id", each.id], {
      now: () => NOW_MS,
      importGtfs: async ({ feed_id, region }) => {
        const input = { feed_id, region, now_ms: NOW_MS };
        const result = await importGtfs({ bytes: archiveOf(each) }, input);
        if (!result.ok) return result;
        const origin = { imported_at_ms: NOW_MS, etag: null, last_modified: null };
        store.transit.putFeed(feed_id, result.pack, origin);
        return { ok: true, report: result.report };
      },
    });
    store.close();
    printed.set(each.id, out);
  }
  return printed;
}

async function startOn(data_dir: string): Promise<Service> {
  const file = join(data_dir, "vicinity.json");
  writeFileSync(file, JSON.stringify({ sources: { gtfs: {}, openbase: { gazetteer: false } } }));
  const env = readEnv({
    ...{ PORT: "0", LOG_LEVEL: "silent", VICINITY_DATA_DIR: data_dir },
    ...{ VICINITY_CONTACT: "tests@example.org", VICINITY_ENFORCE_LIMITS: "0" },
  });
  if (!env.ok) return assert.fail(env.message);
  const loaded = loadConfig({ mode: "live", env: env.value, file });
  if (!loaded.ok) return assert.fail(loaded.message);
  const begun = performance.now();
  const now = (): number => Math.floor(NOW_MS + performance.now() - begun);
  const time = { now, watch: () => undefined };
  const started = await startService({
    config: loaded.value,
    env: env.value,
    version: "1.1.0",
    time,
  });
  return "problem" in started ? assert.fail(started.problem) : started;
}

describe("the days of a timetable are said alike everywhere", () => {
  const client = createClient();
  let data_dir = "";
  let printed = new Map<string, string>();
  let service: Service | null = null;
  let url = "";
  before(async () => {
    data_dir = await createFolder();
    printed = await importAll(data_dir);
    service = await startOn(data_dir);
    ({ url } = service);
    await eventually(
      async () => {
        const { sources } = await client.json<SourcesBody>(`${url}/v1/sources`);
        const read = sources.filter(({ timetable }) => timetable);
        return read.length === CASES.length ? read : null;
      },
      { within_ms: 60_000, what: "the reading of the store" },
    );
  });
  after(async () => {
    client.close();
    await service?.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });

  type Answer = {
    status: string;
    message?: string;
    notices?: { message: string }[];
    results: { stations?: { id: string }[] };
  };
  const ask = (path: string): Promise<Answer> => client.json<Answer>(`${url}${path}`);

  for (const each of CASES) {
    const { id, lat, lon, reason, warning, until } = each;
    const saying = sayingOf(each);
    const at = `lat=${lat}&lon=${lon}`;
    const hold = (answer: Answer, what: string): void => {
      if (saying === null) {
        assert.notEqual(answer.status, "partial", `${what}: ${answer.message}`);
        return;
      }
      const advice = "asking again changes nothing until the operator acts";
      assert.equal(answer.status, "partial", what);
      assert.equal(answer.message, `The answer may be incomplete: ${saying}; ${advice}.`, what);
    };

    test(`${id}: its import warns`, () => {
      const line = printed.get(id)!.split("\n")[1]!;
      assert.equal(line, warning);
    });

    test(`${id}: /v1/sources and doctor`, async () => {
      const { sources } = await client.json<SourcesBody>(`${url}/v1/sources`);
      const source = sources.find((one) => one.id === `gtfs:${id}`)!;
      assert.equal(source.problem?.reason ?? null, reason);
      assert.equal(source.state, reason === null ? "ok" : "error");
      const { out, code } = await run(["doctor", "--all", "--url", url], {
        fetch,
        now: () => NOW_MS,
      });
      assert.equal(code, 1, "some have ended");
      const lines = out.split("\n").filter((line) => line.includes(`gtfs:${id}`));
      const stated = lines.filter((line) => line.startsWith(`gtfs:${id}: `));
      const days = stated.find((line) => line.includes(" trips, "))!;
      assert.equal(days.slice(days.indexOf(until)), until);
      const problems = stated.filter((line) => line !== days);
      assert.deepEqual(problems, source.problem ? [`gtfs:${id}: ${source.problem.message}`] : []);
      const row = lines.find((line) => !line.startsWith("gtfs:"))!;
      assert.ok(row.startsWith(source.problem ? `error: ${source.problem.word}` : "ok"), row);
    });

    test(`${id}: answers near it`, async () => {
      const transport = await ask(`/v1/transport/nearby?${at}`);
      hold(transport, "transport");
      const station = transport.results.stations![0]!.id;
      hold(await ask(`/v1/departures/nearby?${at}`), "departures");
      hold(await ask(`/v1/departures/${station}`), "departures of a station");
      hold(await ask(`/v1/nearby?${at}&include=lines`), "lines");
    });

    test(`${id}: tools for agents`, async () => {
      const mcp = await connect(url);
      for (const name of ["find_transit_stations", "find_departures"]) {
        const called = await mcp.callTool({ name, arguments: { lat, lon } });
        hold(resultOf(called) as unknown as Answer, name);
      }
      await mcp.close();
    });
  }

  test("elsewhere nothing is missing", async () => {
    for (const path of ["/v1/transport/nearby", "/v1/departures/nearby"]) {
      const answer = JSON.stringify(await ask(`${path}?lat=60.17&lon=24.94`));
      for (const { id } of CASES) assert.ok(!answer.includes(`the timetable ${id}`), answer);
    }
  });
});
