/**
 * npm run bench -- hostile-departures [--rounds 20]: departures near timetables and realtime files that
 * unfold to far more than they weigh (test/support/hostile-timetables.ts). Each is imported into a
 * service of its own, or fetched by it, and asked over HTTP and through MCP: processor time of the
 * process a question, against a plain empty /v1/nearby of the same service; the longest time without an
 * answer of /livez; memory. Then the same in process, for what an import without bounds has left.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../trials/arguments.ts";
import { feedDepartures } from "#app/transit/feed-departures.ts";
import type { Clock } from "#ports.ts";
import {
  additionsOf,
  archiveOf,
  type Crowd,
  ENDED_THE_PROCESS,
  HOSTILE_PLACE,
  unboundedFeed,
  UNFOLDED_FOR_LONG,
  WITHIN_THE_BOUNDS,
} from "../test/support/hostile-timetables.ts";
import { heldOf, packFeed } from "../test/support/transit.ts";
import { openDepartures } from "../test/support/departures.ts";
import { NO_WALKS } from "../test/support/walks.ts";

const { rounds, only } = readArguments(process.argv.slice(2), { rounds: 20, only: null });
const PROGRAM = new URL("../bin/vicinity", import.meta.url).pathname;
const ADDED_RUNS = 290_000;
const MB = 1024 * 1024;
const PLACE = `lat=${HOSTILE_PLACE.lat}&lon=${HOSTILE_PLACE.lon}`;
const ORDINARY: Crowd = { stops: 10, rows: 1, headway_s: 600 };

/** Made ahead: it takes seconds, in which a service would give up. */
let added: Uint8Array = new Uint8Array(0);
const host = createServer((request, response) => {
  const name = request.url!.slice(1);
  response.end(name === "live" ? added : archives[name]);
});
const archives: Record<string, Buffer> = {
  ended: archiveOf(ENDED_THE_PROCESS),
  long: archiveOf(UNFOLDED_FOR_LONG),
  bounds: archiveOf(WITHIN_THE_BOUNDS),
  ordinary: archiveOf(ORDINARY),
};
await new Promise<void>((resolve) => void host.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

for (const name of only ? [] : ["ended", "long", "bounds"])
  await measure(`${name}, imported`, { archive: name });
if (!only) await measure("bounds, by URL", { url: `${origin}/bounds` });
added = additionsOf(ADDED_RUNS, Math.floor(Date.now() / 1_000));
await measure(`${ADDED_RUNS} added runs`, { url: `${origin}/ordinary`, live: `${origin}/live` });
host.close();
host.closeAllConnections();
for (const [name, crowd] of Object.entries({
  ENDED_THE_PROCESS,
  UNFOLDED_FOR_LONG,
  WITHIN_THE_BOUNDS,
}))
  await askHere(name, crowd);

type Deployment = { archive?: string; url?: string; live?: string };

async function measure(name: string, { archive, url, live }: Deployment): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-hostile-"));
  const feeds = url
    ? [{ id: "x", url, ...(live && { realtime: { trip_updates: live, max_age_s: 600 } }) }]
    : [];
  const config = { egress: { allow_private: true }, sources: { gtfs: { enabled: true, feeds } } };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const ready_file = join(folder, "ready.json");
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    VICINITY_DATA_DIR: folder,
    VICINITY_CONFIG: join(folder, "config.json"),
    VICINITY_READY_FILE: ready_file,
    VICINITY_ENFORCE_LIMITS: "0",
    VICINITY_CONTACT: "ops@example.org",
  };
  if (archive) {
    writeFileSync(join(folder, "f.zip"), archives[archive]!);
    const reported = spawnSync(PROGRAM, ["import", "gtfs", join(folder, "f.zip"), "--id", "x"], {
      env,
    });
    console.log(reported.stdout.toString().trim());
  }
  const child = spawn(PROGRAM, ["serve"], { env, stdio: "ignore" });
  const { url: base, admin_url, pid } = await until(() => readJson(ready_file));
  const ask = async (path: string): Promise<string> => (await fetch(base + path)).text();
  await until(async () => {
    const { sources } = JSON.parse(await ask("/v1/sources")) as { sources: { id: string }[] };
    return sources.some(({ id }) => id === "gtfs:x") || null;
  });
  const watch = watchProbe(`${admin_url}/livez`);
  const departures = `/v1/departures/nearby?${PLACE}&radius=400`;
  if (live) await until(async () => (await ask(departures)).includes('"added"') || null);
  const first = JSON.parse(await ask(departures)) as {
    results: { departures: { station: { id: string } }[] };
  };
  const station = first.results.departures[0]?.station.id;
  const questions: Record<string, () => Promise<string>> = {
    "departures/nearby": () => ask(departures),
    "2 km, 6 hours": () => ask(`/v1/departures/nearby?${PLACE}&radius=2000&within=360&limit=100`),
    ...(station && { "departures/{id}": () => ask(`/v1/departures/${station}?within=360`) }),
    arrivals: () => ask(`/v1/departures/${station ?? "none"}?within=360&arrivals=true`),
    "transport/nearby": () => ask(`/v1/transport/nearby?${PLACE}&radius=400&limit=200`),
    "nearby, lines": () => ask(`/v1/nearby?${PLACE}&include=lines`),
    "MCP find_departures": () => callTool(base, "find_departures", { ...HOSTILE_PLACE }),
    ...(station && { "MCP get_place": () => callTool(base, "get_place", { id: station }) }),
  };
  const plain = await cost(pid, () => ask("/v1/nearby?lat=10&lon=-140"));
  console.log(
    `${name}: plain empty nearby ${plain.all_ms.toFixed(2)} ms, ${rssOf(pid)} MB resident`,
  );
  for (const [what, run] of Object.entries(questions)) {
    const { all_ms, main_ms, wall_ms, text } = await cost(pid, run, watch.reset);
    const total = /"total":(\d+)/.exec(text.replaceAll("\\", ""))?.[1] ?? "-";
    console.log(
      `  ${what}: ${all_ms.toFixed(1)} ms (main ${main_ms.toFixed(1)}), longest ${wall_ms.toFixed(0)} ms, livez ${watch.longest_ms().toFixed(0)} ms, ${rssOf(pid)} MB, total ${total}`,
    );
  }
  watch.stop();
  child.kill("SIGKILL");
  await new Promise((resolve) => void child.once("close", resolve));
  rmSync(folder, { recursive: true, force: true });
}

type Cost = { all_ms: number; main_ms: number; wall_ms: number; text: string };

/** Processor time of a question, of the process and of its serving thread, and the longest wait. */
async function cost(
  pid: number,
  run: () => Promise<string>,
  onWarm = (): void => undefined,
): Promise<Cost> {
  for (let i = 0; i < 20; i++) await run();
  onWarm();
  const before = [ticksOf(`/proc/${pid}/stat`), ticksOf(`/proc/${pid}/task/${pid}/stat`)] as const;
  let text = "";
  let wall_ms = 0;
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    text = await run();
    wall_ms = Math.max(wall_ms, performance.now() - begun);
  }
  const all_ms = ((ticksOf(`/proc/${pid}/stat`) - before[0]) * 10) / rounds;
  const main_ms = ((ticksOf(`/proc/${pid}/task/${pid}/stat`) - before[1]) * 10) / rounds;
  return { all_ms, main_ms, wall_ms, text };
}

/** Ticks of 10 ms, of the program and of the system for it. */
function ticksOf(path: string): number {
  const fields = readFileSync(path, "utf8").split(") ")[1]!.split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function rssOf(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1];
  return Math.round(Number(kb) / 1024);
}

function watchProbe(url: string) {
  let longest = 0;
  const state = { isOn: true };
  void (async () => {
    while (state.isOn) {
      const begun = performance.now();
      await fetch(url).then(
        (reply) => reply.text(),
        () => null,
      );
      longest = Math.max(longest, performance.now() - begun);
      await new Promise((resolve) => void setTimeout(resolve, 10));
    }
  })();
  return {
    reset: (): void => void (longest = 0),
    longest_ms: (): number => longest,
    stop: (): void => void (state.isOn = false),
  };
}

async function callTool(base: string, name: string, input: object): Promise<string> {
  const reply = await fetch(`${base}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  return reply.text();
}

function readJson(path: string): { url: string; admin_url: string; pid: number } | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as {
      url: string;
      admin_url: string;
      pid: number;
    };
  } catch {
    return null;
  }
}

async function until<T>(find: () => T | null | Promise<T | null>): Promise<T> {
  for (let i = 0; i < 1_200; i++) {
    const match = await find();
    if (match !== null) return match;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error("it did not come");
}

/** Of a pack that no import would make any more; also the longest time between two turns of the loop. */
async function askHere(name: string, crowd: Crowd): Promise<void> {
  const now_ms = Date.now();
  const clock: Clock = { now: () => now_ms, schedule: () => () => {}, sleep: async () => {} };
  const stored = heldOf("f", packFeed(unboundedFeed(crowd)));
  const departures = openDepartures({
    finders: [feedDepartures(() => [stored])],
    clock,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
  });
  const { signal } = new AbortController();
  const wish = {
    ...{ limit: 20, debug: false, modes: undefined, lines: undefined, language: undefined },
    ...NO_WALKS,
  };
  const costs: number[] = [];
  const turns: number[] = [];
  let heap = 0;
  for (let i = 0; i < rounds; i++) {
    const state = { isOver: false };
    const begun = process.cpuUsage();
    const answer = departures
      .nearby({
        question: { ...HOSTILE_PLACE, radius: 400, within: 360, ...wish },
        ...{ now_ms, deadline_ms: now_ms + 3_000, signal },
      })
      .then(() => (state.isOver = true));
    let longest = 0;
    for (let last = performance.now(); !state.isOver; last = performance.now()) {
      await new Promise((resolve) => void setImmediate(resolve));
      longest = Math.max(longest, performance.now() - last);
    }
    await answer;
    const { user, system } = process.cpuUsage(begun);
    costs.push((user + system) / 1_000);
    turns.push(longest);
    heap = Math.max(heap, process.memoryUsage().heapUsed);
  }
  const middle = (values: number[]): string =>
    values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(1);
  console.log(
    `${name}, without the bounds of an import: ${middle(costs)} ms a question, ${middle(turns)} ms at a time (medians), heap at most ${(heap / MB).toFixed(0)} MB`,
  );
}
