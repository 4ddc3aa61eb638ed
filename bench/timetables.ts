/**
 * `npm run bench -- timetables [--national]`: a made timetable (national-feed.ts) imported as a process
 * does that, with its time, its most memory and the size of its pack; then departures of the day at
 * random stations, in process, and those of some stations compared with what was made. `--national`:
 * 50 million calls at 670,000 stops, which need 2 GB of the folder for temporary files for some minutes.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import { Budget, openFeed, type OpenFeed } from "#transit/index.ts";
import { readEnv } from "#config/env.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { TimetableImports } from "#main/timetable-imports.ts";
import { noFault } from "../test/support/faults.ts";
import { openDepartures } from "../test/support/departures.ts";
import { NO_WALKS } from "../test/support/walks.ts";
import { readArguments } from "../trials/arguments.ts";
import {
  FIRST_DAY,
  type MadeFeed,
  makeNationalFeed,
  TIME_ZONE,
  type Truth,
} from "./national-feed.ts";
import { createRng } from "./world.ts";

const options = readArguments(process.argv.slice(2), {
  national: false,
  calls: 1_000_000,
  profiles: 2,
  seed: 1,
  questions: 4_000,
  folder: tmpdir(),
  // Of the processes that it starts.
  step: null,
  archive: null,
  patterns: 130_000,
});

const MB = 1e6;
const DAY_MS = 86_400_000;
const WARM_UP = 500;
const NATIONAL_CALLS = 50_000_000;
const NATIONAL_STOPS = 670_000;
/** Of the archive, with the texts of Germany: 25 of 52. */
const BYTES_A_CALL = 40;
/** A Wednesday, at eight in the morning there. */
const NOW_MS = (FIRST_DAY + 2) * DAY_MS + 7 * 3_600_000;

/** `read_mb`: the most memory until it is read, `peak_mb`: until it is stored. */
type Imported = { seconds: number; cpu_s: number; read_mb: number; peak_mb: number };

/** Each in a process of its own, whose memory is its own. */
const steps: Readonly<Record<string, (archive: string) => Promise<unknown>>> = {
  async make(archive) {
    const { truth, ...facts } = await makeNationalFeed(archive, shapeOf());
    writeFileSync(`${archive}.json`, JSON.stringify(truth));
    return facts;
  },
  import: importFeed,
  async ask(archive) {
    const pack = await readStored(archive);
    const feed = openFeed(pack)!;
    const truth = JSON.parse(readFileSync(`${archive}.json`, "utf8")) as Truth;
    return { pack_mb: pack.length / MB, lines: [compare(feed, truth), await ask(feed)] };
  },
};

if (options.step === undefined) await main();
else console.log(JSON.stringify(await steps[options.step]!(options.archive!)));

async function main(): Promise<void> {
  const calls = shapeOf().calls;
  const { bavail, bsize } = statfsSync(options.folder);
  if (calls * BYTES_A_CALL > bavail * bsize) {
    console.log(`${options.folder}: needs ${Math.ceil((calls * BYTES_A_CALL) / MB)} MB of disk`);
    return;
  }
  const folder = mkdtempSync(join(options.folder, "vicinity-timetables-"));
  const archive = join(folder, "feed.zip");
  try {
    console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
    const { rows, bytes } = run<Omit<MadeFeed, "truth">>("make", archive);
    console.log(
      `${rows.calls} calls of ${rows.trips} trips at ${rows.stops} stops; stop_times ${(bytes / MB).toFixed(0)} MB, archive ${(statSync(archive).size / MB).toFixed(0)} MB`,
    );
    const { seconds, cpu_s, read_mb, peak_mb } = run<Imported>("import", archive);
    console.log(
      `imported in ${seconds.toFixed(1)} s (${cpu_s.toFixed(1)} s of processor time), at most ${read_mb.toFixed(0)} MB resident, ${peak_mb.toFixed(0)} MB until it is stored`,
    );
    const { pack_mb, lines } = run<{ pack_mb: number; lines: string[] }>("ask", archive);
    console.log(
      `pack ${pack_mb.toFixed(0)} MB, ${((pack_mb * MB) / rows.calls).toFixed(2)} bytes a call`,
    );
    for (const line of lines) console.log(line);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function shapeOf() {
  const calls = options.national ? NATIONAL_CALLS : options.calls;
  const share = calls / NATIONAL_CALLS;
  return {
    calls,
    stops: Math.ceil(NATIONAL_STOPS * share),
    trips: Math.ceil(2_100_000 * share),
    patterns: Math.ceil(options.patterns * share),
    profiles: options.profiles,
    days: 90,
    seed: options.seed,
  };
}

function run<T>(step: string, archive: string): T {
  const args = [...process.argv.slice(1), "--step", step, "--archive", archive];
  const out = execFileSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(out) as T;
}

/** As `vicinity import gtfs` does it, and stored. */
async function importFeed(archive: string): Promise<Imported> {
  const place = { data_dir: `${archive}.data`, mode: "live" } as const;
  let read_mb = 0;
  const imports = new TimetableImports({
    capacity: () => Promise.resolve({ memory_bytes: totalmem(), disk_bytes: null }),
    openStore: () => openAdminStorage(place),
    sayUnstored(_, put) {
      read_mb = peakOf();
      return put();
    },
    onFault: noFault,
  });
  const env = readEnv({});
  if (!env.ok) throw new Error(env.message);
  const begun = performance.now();
  const result = await imports.run({
    ...{ path: archive, feed_id: "made", region: null, box: null, sandbox: false },
    ...{ env: env.value, onProgress: () => {} },
  });
  const seconds = (performance.now() - begun) / 1_000;
  if (!result.ok) throw new Error(result.problem);
  const { user, system } = process.cpuUsage();
  return { seconds, cpu_s: (user + system) / 1e6, read_mb, peak_mb: peakOf() };
}

/** The most memory that the process has had. */
function peakOf(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024) / MB;
}

async function readStored(archive: string): Promise<Uint8Array> {
  const store = openAdminStorage({ data_dir: `${archive}.data`, mode: "live" });
  if ("problem" in store) throw new Error(store.problem);
  const pack = await store.transit.readFeed("made");
  store.close();
  return pack!;
}

/** Every departure of every day of some stations, and no other. */
function compare(feed: OpenFeed, truth: Truth): string {
  const { timetable } = feed;
  let count = 0;
  for (const { station, departures } of truth) {
    const from_ms = timetable!.dayStart_ms(FIRST_DAY)!;
    const query = { kind: "departures" as const, from_ms, to_ms: from_ms + 100 * DAY_MS };
    const budget = new Budget({ looks: Infinity, keeps: Infinity });
    const calls = timetable!.list(feed.findStation(station)!, query, budget);
    const got = calls.map(({ planned_ms, trip }) => `${planned_ms} ${timetable!.trip(trip).id}`);
    const expected = departures.map(
      ({ day, at_s, trip }) => `${timetable!.dayStart_ms(day)! + at_s * 1_000} ${trip}`,
    );
    if (got.sort().join("\n") !== expected.sort().join("\n"))
      throw new Error(`${station}: ${got.length} departures, ${expected.length} expected`);
    count += got.length;
  }
  return `${count} departures of ${truth.length} stations in 90 days: those that were made`;
}

async function ask(feed: OpenFeed): Promise<string> {
  const nothing = {
    version: 1,
    failure: null,
    live: null,
    realtime: null,
    alerts: null,
    box: null,
  };
  const feeds = [{ feed_id: "made", feed, ...nothing }];
  const clock = { now: () => NOW_MS, schedule: () => () => {}, sleep: async () => {} };
  const departures = openDepartures({
    finders: [feedDepartures(() => feeds)],
    clock,
    timezones: () => Promise.resolve(() => TIME_ZONE),
  });
  const rng = createRng(11);
  const { signal } = new AbortController();
  const times: number[] = [];
  const costs: number[] = [];
  let found = 0;
  for (let i = -WARM_UP; i < options.questions; i++) {
    const { lat, lon } = feed.station(Math.floor(rng() * feed.count));
    const question = {
      ...{ lat, lon, radius: 400, within: 60, limit: 20, debug: false },
      ...{ modes: undefined, lines: undefined, language: undefined },
      ...NO_WALKS,
    };
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const deadline_ms = NOW_MS + 60_000;
    const { body } = await departures.nearby({ question, now_ms: NOW_MS, deadline_ms, signal });
    if (i < 0) continue;
    times.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    costs.push((user + system) / 1_000);
    found += (body as { total: number }).total;
  }
  for (const list of [times, costs]) list.sort((a, b) => a - b);
  const at = (list: readonly number[], share: number): string =>
    list[Math.floor(share * list.length)]!.toFixed(2);
  return `${times.length} questions within 400 m of a station: ${(found / times.length).toFixed(0)} departures in the hour on average; p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms; of processor time p50 ${at(costs, 0.5)}, p99 ${at(costs, 0.99)} ms`;
}
