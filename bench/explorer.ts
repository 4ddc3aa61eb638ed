/**
 * npm run bench:explorer: what the first load weighs, when the page can be used, and what two
 * thousand things that move cost the main thread, from a trace of the browser.
 */
import { once, type EventEmitter } from "node:events";
import type { Browser, CDPSession, Page } from "playwright-core";
import { createFolder, removeFolder, start } from "../test/integration/service/support.ts";
import { openBrowser, skip } from "../test/browser/support.ts";

const THINGS = 2000;
const MOVES = 5;
const MOVE_MS = 2200;
const LOADS = 5;
const PARIS = "/?at=48.8566,2.3522";
const BUDGET = { first_load_kb: 350, interactive_ms: 1500, script_ms: 8, task_ms: 50 };

if (skip !== false) {
  console.log(skip);
  process.exit(0);
}
const started = await start({ data_dir: await createFolder() });
const browser = await openBrowser();
const { url } = started.service;
const rows = [...(await measureLoads(browser)), ...(await measureMoves(browser))];
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
  const loads: { bytes: Map<string, number>; marks: Record<string, number> }[] = [];
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
    { what: "answers to input", value: of("ready"), unit: "ms", bound: BUDGET.interactive_ms },
    { what: "results shown", value: of("answer"), unit: "ms", bound: BUDGET.interactive_ms },
    { what: "map drawn", value: of("map"), unit: "ms", bound: null },
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
  await context.close();
  const named = marks.map(([name, ms]) => [name.replace("vicinity-", ""), Math.round(ms)]);
  return { bytes, marks: Object.fromEntries(named) as Record<string, number> };
}

async function untilMark(page: Page, name: string): Promise<void> {
  await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, name);
}

async function measureMoves(from: Browser): Promise<Row[]> {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  let turn = 0;
  await page.route("**/v1/nearby?**", (route) => route.fulfill({ json: toAnswer((turn += 1)) }));
  await page.goto(`${url}${PARIS}&show=bicycle`);
  await untilMark(page, "vicinity-map");
  await new Promise((resolve) => void setTimeout(resolve, 3000));
  const session = await from.newBrowserCDPSession();
  const events = await trace(session, async () => {
    for (let n = 0; n < MOVES; n += 1) {
      await page.evaluate(() => {
        const shown = globalThis as unknown as { document: EventTarget };
        shown.document.dispatchEvent(new Event("visibilitychange"));
      });
      await new Promise((resolve) => void setTimeout(resolve, MOVE_MS));
    }
  });
  await context.close();
  const thread = mainThreadOf(events);
  const own = events.filter(({ pid, tid }) => pid === thread?.pid && tid === thread.tid);
  const frames = own.filter(({ name }) => name === "FireAnimationFrame").map(({ dur = 0 }) => dur);
  const tasks = own.filter(({ name }) => name === "RunTask").map(({ dur = 0 }) => dur / 1000);
  const scripts = frames.map((dur) => dur / 1000).toSorted((a, b) => a - b);
  const long = tasks.filter((ms) => ms > BUDGET.task_ms);
  return [
    { what: `frames with ${THINGS} things moving`, value: scripts.length, unit: "", bound: null },
    { what: "script a frame, p50", value: at(scripts, 0.5), unit: "ms", bound: null },
    { what: "script a frame, p95", value: at(scripts, 0.95), unit: "ms", bound: BUDGET.script_ms },
    { what: "script a frame, longest", value: at(scripts, 1), unit: "ms", bound: null },
    { what: "tasks over 50 ms", value: long.length, unit: "", bound: 0 },
    { what: "longest task", value: round(Math.max(...tasks)), unit: "ms", bound: BUDGET.task_ms },
  ];
}

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  args?: { name?: string };
};

async function trace(session: CDPSession, during: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const emitter = session as unknown as EventEmitter;
  session.on("Tracing.dataCollected", ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  );
  const includedCategories = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "toplevel",
  ];
  await session.send("Tracing.start", { traceConfig: { includedCategories } });
  await during();
  const complete = once(emitter, "Tracing.tracingComplete");
  await session.send("Tracing.end");
  await complete;
  return events;
}

/** Of the page: the one that fires most frames. */
function mainThreadOf(events: readonly TraceEvent[]): { pid: number; tid: number } | undefined {
  const counts = new Map<string, { pid: number; tid: number; count: number }>();
  for (const { name, pid, tid } of events) {
    if (name !== "FireAnimationFrame") continue;
    const known = counts.get(`${pid}/${tid}`) ?? { pid, tid, count: 0 };
    counts.set(`${pid}/${tid}`, { ...known, count: known.count + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0];
}

/** Bicycles on rings, a little further round each time. */
function toAnswer(turn: number): object {
  const vehicles = Array.from({ length: THINGS }, (_, n) => {
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

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function at(sorted: readonly number[], share: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return at(sorted, 0.5);
}
