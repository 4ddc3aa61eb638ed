/**
 * npm run bench -- departures: the next 20 departures around points of a city that three feeds serve,
 * one question after the other, while live data of all three come every 15 s. Seeded; prints what
 * importing and keeping the calls costs, what questions take in process, and how long the event loop
 * waits while a message of 2 MB is applied.
 */
import { cpus } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readArguments } from "../trials/arguments.ts";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import { importGtfs, openFeed } from "#transit/index.ts";
import type { Clock } from "#ports.ts";
import { Thread } from "#kit/run/thread.ts";
import { type Json, encodeMessage } from "../sandbox/gtfs-rt/encode.ts";
import { LiveData } from "#upstream/transit/live-transit.ts";
import type { LiveJob, LiveResult } from "#upstream/transit/live-job.ts";
import { zipOf } from "../test/support/zip.ts";
import { CENTRE, createCity, LINES, SPREAD, STOPS_A_LINE, textsOf } from "./transit-city.ts";
import { createRng } from "./world.ts";
import { noFault } from "../test/support/faults.ts";
import { openDepartures } from "../test/support/departures.ts";
import { NO_WALKS } from "../test/support/walks.ts";

const options = readArguments(process.argv.slice(2), {
  feeds: 3,
  calls: 500_000,
  seconds: 60,
  radius: 400,
});

const MB = 1024 * 1024;
/** A Wednesday, at noon in Paris. */
const NOW_MS = Date.UTC(2026, 10, 25, 11);
const POLL_S = 15;
const MESSAGE_BYTES = 2 * MB;

const clock = createClock();
const stored: HeldFeed[] = [];
const thread = new Thread<LiveJob, LiveResult>({
  onFault: noFault,
  worker_url: new URL("../src/main/workers/live.ts", import.meta.url),
  max_heap_mb: 512,
  job_timeout_ms: 30_000,
});

console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
const city = createCity();
const UPDATES = [0, 5, 10, 15].map(createUpdates);
for (let feed = 0; feed < options.feeds; feed++) stored.push(await load(`feed-${feed}`));
await ask();
await thread.close();

async function load(feed_id: string): Promise<HeldFeed> {
  const archive = zipOf(textsOf(city, feed_id, options.calls));
  const begun = performance.now();
  const imported = await importGtfs({ bytes: archive }, { feed_id, region: null, now_ms: NOW_MS });
  if (!imported.ok) throw new Error(imported.problem);
  const seconds = (performance.now() - begun) / 1_000;
  const bytes = new Uint8Array(new SharedArrayBuffer(imported.pack.length));
  bytes.set(imported.pack);
  const feed = openFeed(bytes)!;
  const { meta, columns } = feed.timetable!;
  const { calls, trips, profiles } = meta.counts;
  const size = Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
  console.log(
    `${feed_id}: ${calls} calls of ${trips} trips, ${profiles} profiles; imported in ${seconds.toFixed(2)} s; ${(size / calls).toFixed(2)} bytes a call`,
  );
  const live = new LiveData(
    { trip_updates: `https://feeds.example/${feed_id}`, max_age_s: 120, refresh_s: POLL_S },
    () => ({ feed_id, version: 1, bytes }),
    {
      run: () => Promise.resolve(toAnswer(messageAt(clock.now()))),
      clock,
      random: () => 0.5,
      thread,
      onFault: noFault,
      timeout_ms: 1_000,
    },
  );
  return {
    feed_id,
    version: 1,
    feed,
    live,
    failure: null,
    realtime: true,
    alerts: null,
    box: null,
  };
}

/** A message as of now: the header is new, and the updates are those of one of some minutes. */
function messageAt(now_ms: number): Uint8Array {
  const header = { gtfsRealtimeVersion: "2.0", timestamp: String(Math.floor(now_ms / 1_000)) };
  const updates = UPDATES[Math.floor(now_ms / (POLL_S * 1_000)) % UPDATES.length]!;
  return Buffer.concat([encodeMessage({ header }), updates]);
}

/** Delays of the trips that are under way, as many as make a message of 2 MB. */
function createUpdates(minute: number): Uint8Array {
  const now_ms = NOW_MS + minute * 60_000;
  const trips = Math.ceil(options.calls / (LINES * 2 * STOPS_A_LINE));
  const entity: Json[] = [];
  let bytes = 0;
  const noon_s = (now_ms - Date.UTC(2026, 10, 24, 23)) / 1_000;
  const middle = Math.floor(((noon_s - 5 * 3_600) * trips) / (19 * 3_600));
  for (let away = 0; bytes < MESSAGE_BYTES && away < trips; away++)
    for (let line = 0; line < LINES && bytes < MESSAGE_BYTES; line++)
      for (const way of [0, 1]) {
        const trip = (middle + (away % 2 === 0 ? away / 2 : -(away + 1) / 2) + trips) % trips;
        const tripId = `${line}-${way}-${trip}`;
        const stopTimeUpdate = city.lines[line]!.map((_, n): Json => ({
          stopSequence: n + 1,
          departure: { delay: ((line * 7 + n * 13 + minute * 20) % 300) - 30 },
        }));
        entity.push({
          id: tripId,
          tripUpdate: { trip: { tripId, startDate: "20261125" }, stopTimeUpdate },
        });
        bytes += 40 + stopTimeUpdate.length * 8;
      }
  return encodeMessage({ entity });
}

function toAnswer(body: Uint8Array) {
  const nothing = {
    etag: null,
    last_modified: null,
    max_age_s: null,
    content_type: null,
    link: null,
  };
  const value = { kind: "body", body, url: "", ...nothing } as const;
  return { status: "ok", fetched_at_ms: clock.now(), cache: "miss", value } as const;
}

async function ask(): Promise<void> {
  const departures = openDepartures({
    finders: [feedDepartures(() => stored)],
    clock,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  const rng = createRng(11);
  const question = () => ({
    lat: CENTRE.lat + (rng() - 0.5) * SPREAD * 0.8,
    lon: CENTRE.lon + (rng() - 0.5) * SPREAD * 0.8,
    ...{ radius: options.radius, within: 60, limit: 20, debug: false },
    ...{ modes: undefined, lines: undefined, language: undefined },
    ...NO_WALKS,
  });
  const { signal } = new AbortController();
  const one = (wish: ReturnType<typeof question>) =>
    departures.nearby({
      question: wish,
      now_ms: clock.now(),
      deadline_ms: clock.now() + 60_000,
      signal,
    });
  for (let i = 0; i < 500; i++) await one(question());
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const times: number[] = [];
  let match = 0;
  const end_ms = performance.now() + options.seconds * 1_000;
  while (performance.now() < end_ms) {
    const wish = question();
    const begun = performance.now();
    const { body } = await one(wish);
    times.push(performance.now() - begun);
    match += (body as { total: number }).total;
    // Other callers, and what the thread has read, come in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  loop.disable();
  const questions = times.length;
  times.sort((a, b) => a - b);
  const at = (share: number): string => times[Math.floor(share * times.length)]!.toFixed(3);
  console.log(
    `${questions} questions within ${options.radius} m: ${(match / questions).toFixed(0)} departures in the hour on average; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${times.at(-1)!.toFixed(1)} ms`,
  );
  console.log(
    `event loop while messages of ${(messageAt(clock.now()).length / MB).toFixed(1)} MB came: p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, most ${(loop.max / 1e6).toFixed(1)} ms`,
  );
  for (const { feed_id, live } of stored) {
    const { table } = live!.state(clock.now());
    console.log(`${feed_id}: ${table?.meta.counts.matched ?? 0} runs live`);
  }
}

/** As fast as the real one, from the noon of the timetables on. */
function createClock(): Clock {
  const begun_ms = performance.now();
  return {
    now: () => NOW_MS + Math.floor(performance.now() - begun_ms),
    schedule: () => () => {},
    sleep: async () => {},
  };
}
