/**
 * npm run bench -- explorer: what the first load weighs, when the page can be used, and what five
 * thousand things that move, under a map that is zoomed, cost the main thread, from a trace of the browser.
 */
import type { Browser } from "playwright-core";
import { createFolder, removeFolder, start } from "../test/integration/service/support.ts";
import { openBrowser, skip } from "../test/browser/support.ts";
import { at, readFrames, round, shiftOf, trace, untilMark } from "./frames.ts";

const THINGS = 5000;
const MOVES = 5;
const MOVE_MS = 2200;
const LOADS = 5;
const PARIS = "/?at=48.8566,2.3522";
const BUDGET = {
  first_load_kb: 300,
  requests: 25,
  list_ms: 1000,
  map_ms: 1500,
  shift: 0.05,
  script_ms: 8,
  task_ms: 50,
};
/** "Slow 3G" as the tools of browsers define it. */
const SLOW_LINE = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const SLOW_PROCESSOR = { rate: 4 };

if (skip !== false) {
  console.log(skip);
  process.exit(0);
}
const started = await start({ data_dir: await createFolder() });
const browser = await openBrowser();
const { url } = started.service;
const rows = [
  ...(await measureLoads(browser)),
  ...(await measureSlowLoad(browser)),
  ...(await measureMoves(browser, { zooms: false })),
  ...(await measureMoves(browser, { zooms: true })),
];
for (const { what, value, unit, bound } of rows) {
  const mark = bound === null ? " " : value <= bound ? "✔" : "✖";
  console.log(`${mark} ${what}: ${value} ${unit}${bound === null ? "" : ` (at most ${bound})`}`);
}
if (rows.some(({ value, bound }) => bound !== null && value > bound)) process.exitCode = 1;
await browser.close();
await started.service.close({ delay_ms: 0 });
await removeFolder(started.data_dir);

type Row = { what: string; value: number; unit: string; bound: number | null };

async function measureLoads(from: Browser): Promise<Row[]> {
  const loads: Awaited<ReturnType<typeof load>>[] = [];
  // The first one wakes the sources and has everything compressed.
  for (let n = 0; n <= LOADS; n += 1) {
    loads.push(await load(from));
    if (n === 0) await new Promise((resolve) => void setTimeout(resolve, 6000));
  }
  const [cold, ...warm] = loads;
  const sum = ({ bytes }: (typeof loads)[number]): number =>
    Math.round([...bytes.values()].reduce((a, b) => a + b, 0) / 102.4) / 10;
  const of = (name: string): number => middle(warm.map(({ marks }) => marks[name] ?? 0));
  const last = warm.at(-1)!;
  return [
    { what: "first load", value: sum(last), unit: "KB", bound: BUDGET.first_load_kb },
    { what: "requests", value: last.requests, unit: "", bound: BUDGET.requests },
    {
      what: "first load of a server just started",
      value: sum(cold!),
      unit: "KB",
      bound: BUDGET.first_load_kb,
    },
    ...[...last.bytes].map(([kind, value]) => ({
      what: `  of it ${kind}`,
      value: Math.round(value / 102.4) / 10,
      unit: "KB",
      bound: null,
    })),
    { what: "answers to input", value: of("ready"), unit: "ms", bound: null },
    { what: "results shown", value: of("answer"), unit: "ms", bound: BUDGET.list_ms },
    { what: "map drawn", value: of("map"), unit: "ms", bound: BUDGET.map_ms },
    { what: "layout shift", value: last.shift, unit: "", bound: BUDGET.shift },
  ];
}

/** A slow line and a slow processor: the list has to come before the library of the map is requested. */
async function measureSlowLoad(from: Browser): Promise<Row[]> {
  const context = await from.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_LINE);
  await session.send("Emulation.setCPUThrottlingRate", SLOW_PROCESSOR);
  page.setDefaultTimeout(120_000);
  await page.goto(url + PARIS);
  await untilMark(page, "vicinity-answer");
  await untilMark(page, "vicinity-map");
  const [list, library] = await page.evaluate(() => [
    performance.getEntriesByName("vicinity-answer")[0]?.startTime ?? 0,
    performance.getEntriesByType("resource").find(({ name }) => name.includes("/maplibre-gl/"))
      ?.startTime ?? 0,
  ]);
  const shift = await shiftOf(page);
  await context.close();
  return [
    {
      what: "slow line and processor: results shown",
      value: Math.round(list ?? 0),
      unit: "ms",
      bound: Math.round(library ?? 0),
    },
    { what: "slow line and processor: layout shift", value: shift, unit: "", bound: BUDGET.shift },
  ];
}

/** Everything that goes over the wire until the map rests, in its compressed form. */
async function load(from: Browser) {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache) return;
    const { pathname } = new URL(response.url);
    const kind = pathname.startsWith("/v1")
      ? "answers"
      : pathname.includes("/maplibre-gl/")
        ? "map library"
        : "page";
    kinds.set(requestId, kind);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? "page";
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await page.goto(url + PARIS);
  await untilMark(page, "vicinity-answer");
  await untilMark(page, "vicinity-map");
  const marks = await page.evaluate(() =>
    performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime] as const),
  );
  const shift = await shiftOf(page);
  await context.close();
  const names = marks.map(([name, ms]) => [name.replace("vicinity-", ""), Math.round(ms)]);
  return {
    bytes,
    shift,
    requests: kinds.size,
    marks: Object.fromEntries(names) as Record<string, number>,
  };
}

/** With `zooms` the map is zoomed as well, of which most is the library's work. */
async function measureMoves(from: Browser, { zooms }: { zooms: boolean }): Promise<Row[]> {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  let turn = 0;
  // All of them on the first page; further ones are empty.
  await page.route("**/v1/nearby?**", (route) => {
    const first = !new URL(route.request().url()).searchParams.has("offset");
    return route.fulfill({ json: toAnswer(first ? (turn += 1) : turn, first ? THINGS : 0) });
  });
  await page.goto(`${url}${PARIS}&show=bicycle`);
  await untilMark(page, "vicinity-map");
  await new Promise((resolve) => void setTimeout(resolve, 3000));
  const session = await from.newBrowserCDPSession();
  await page.mouse.move(900, 400);
  const events = await trace(session, async () => {
    for (let n = 0; n < MOVES; n += 1) {
      await page.evaluate(() => {
        const listed = globalThis as unknown as { document: EventTarget };
        listed.document.dispatchEvent(new Event("visibilitychange"));
      });
      if (zooms) await page.mouse.wheel(0, n % 2 === 0 ? -240 : 240);
      await new Promise((resolve) => void setTimeout(resolve, MOVE_MS));
    }
  });
  await context.close();
  const { scripts, tasks } = readFrames(events);
  const long = tasks.filter((ms) => ms > BUDGET.task_ms);
  return [
    {
      what: `frames with ${THINGS} things moving${zooms ? " and the map zoomed" : ""}`,
      value: scripts.length,
      unit: "",
      bound: null,
    },
    { what: "script a frame, p50", value: at(scripts, 0.5), unit: "ms", bound: null },
    {
      what: "script a frame, p95",
      value: at(scripts, 0.95),
      unit: "ms",
      bound: zooms ? null : BUDGET.script_ms,
    },
    { what: "script a frame, longest", value: at(scripts, 1), unit: "ms", bound: null },
    { what: "tasks over 50 ms", value: long.length, unit: "", bound: 0 },
    { what: "longest task", value: round(Math.max(...tasks)), unit: "ms", bound: BUDGET.task_ms },
  ];
}

/** Bicycles on rings, a little further round each time. */
function toAnswer(turn: number, count: number): object {
  const vehicles = Array.from({ length: count }, (_, n) => {
    const angle = n * 2.399_96 + turn * 0.15;
    const away = Math.sqrt(n / THINGS) * 390;
    const lat = 48.8566 + (Math.cos(angle) * away) / 111_195;
    const lon = 2.3522 + (Math.sin(angle) * away) / 73_150;
    return {
      svc_id: `svc_vehicle_${n}`,
      source_id: `bench:${n}`,
      network_id: "bench",
      provenance: [],
      conflicts: [],
      resolution_status: "unresolved",
      source: {
        mode: "bicycle",
        location: { lat, lon },
        distance_meters: Math.round(away * 10) / 10,
        service_status: { state: "operational" },
        action_state: {},
        context_actions: [],
      },
    };
  });
  const results = { places: [], lines: [], stations: [], vehicles, alerts: [] };
  return { status: "success", total: THINGS, radius: 400, results };
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return at(sorted, 0.5);
}
