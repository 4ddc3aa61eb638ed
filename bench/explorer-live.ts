/**
 * npm run bench -- explorer-live: what a stream of five thousand things that all move costs the page:
 * script a frame, long tasks, shifts of the layout, and the memory of the page.
 */
import type { Browser, CDPSession } from "playwright-core";
import { createFolder, removeFolder, start } from "../test/integration/service/support.ts";
import {
  FakeLive,
  scooter,
  toDelta,
  toSnapshot,
  type FakeStream,
} from "../test/browser/live-fakes.ts";
import { openBrowser, skip } from "../test/browser/support.ts";
import type { LiveItemValue } from "#api/live.ts";
import { at, readFrames, round, shiftOf, trace, untilMark } from "./frames.ts";

const THINGS = Number(argument("things", "5000"));
const SECONDS = Number(argument("seconds", "20"));
/** How often all of them move; between, a tenth of them does. */
const ALL_MS = 4_000;
const SOME_MS = 500;
const BUDGET = { script_ms: 8, task_ms: 50, shift: 0.001, grown_mb: 5 };
const PARIS = { lat: 48.8566, lon: 2.3522 };

type Row = { what: string; value: number; unit: string; bound: number | null };

if (skip !== false) {
  console.log(skip);
  process.exit(0);
}
const started = await start({ data_dir: await createFolder(), cities: "paris" });
const browser = await openBrowser();
const fake = new FakeLive(started.service.url, move);
await fake.start();
const rows = await measure(browser, fake.url);
for (const { what, value, unit, bound } of rows) {
  const mark = bound === null ? " " : value <= bound ? "✔" : "✖";
  console.log(`${mark} ${what}: ${value} ${unit}${bound === null ? "" : ` (at most ${bound})`}`);
}
if (rows.some(({ value, bound }) => bound !== null && value > bound)) process.exitCode = 1;
await browser.close();
await fake.close();
await started.service.close({ delay_ms: 0 });
await removeFolder(started.data_dir);

/** Things on rings; all of them go round, a tenth more often. */
function move(stream: FakeStream): void {
  let turn = 0;
  const all = Array.from({ length: THINGS }, (_, n) => n);
  const place = (n: number): LiveItemValue => {
    const angle = n * 2.399_96 + turn * 0.01;
    const away = Math.sqrt(n / THINGS) * 900;
    const lat = PARIS.lat + (Math.cos(angle) * away) / 111_195;
    return scooter(`live:${n}`, lat, PARIS.lon + (Math.sin(angle) * away) / 73_150);
  };
  stream.send("snapshot", toSnapshot(all.map(place), { now_ms: Date.now() }), "a.b.0");
  const timer = setInterval(() => {
    if (!stream.isOpen()) {
      clearInterval(timer);
      return;
    }
    turn += 1;
    const isAll = turn % (ALL_MS / SOME_MS) === 0;
    const changed = all.filter((n) => isAll || n % 10 === turn % 10).map(place);
    stream.send("delta", toDelta(Date.now(), { changed }), `a.b.${turn}`);
  }, SOME_MS);
}

async function measure(from: Browser, url: string): Promise<Row[]> {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${url}/?at=${PARIS.lat},${PARIS.lon}&show=scooter&z=15`);
  await untilMark(page, "vicinity-map");
  await page.locator("#pulse button", { hasText: "Live" }).waitFor();
  await pause(4_000);
  const shift_before = await shiftOf(page);
  const heap = await context.newCDPSession(page);
  const heap_before = await heapOf(heap);
  const session = await from.newBrowserCDPSession();
  const events = await trace(session, () => pause(SECONDS * 1_000));
  const heap_after = await heapOf(heap);
  const shift = await shiftOf(page);
  const { scripts, tasks, between } = readFrames(events);
  await context.close();
  const long = tasks.filter((ms) => ms > BUDGET.task_ms);
  const row = (what: string, value: number, unit = "", bound: number | null = null): Row => ({
    ...{ what, value, unit, bound },
  });
  return [
    row(`frames in ${SECONDS} s with ${THINGS} things of a stream moving`, scripts.length),
    row("script a frame, p50", at(scripts, 0.5), "ms"),
    row("script a frame, p95", at(scripts, 0.95), "ms", BUDGET.script_ms),
    row("script a frame, longest", at(scripts, 1), "ms"),
    row("all work from frame to frame, painting included, p50", at(between, 0.5), "ms"),
    row("all work from frame to frame, painting included, p95", at(between, 0.95), "ms"),
    row("tasks over 50 ms", long.length, "", 0),
    row("longest task", round(Math.max(...tasks)), "ms", BUDGET.task_ms),
    row("layout shift since the first things", round(shift - shift_before), "", BUDGET.shift),
    row("memory of the page after", round(heap_after), "MB"),
    row("memory grown", round(heap_after - heap_before), "MB", BUDGET.grown_mb),
  ];
}

/** Megabytes in use after all that can be freed has been. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

function argument(name: string, otherwise: string): string {
  const at_name = process.argv.indexOf(`--${name}`);
  return at_name < 0 ? otherwise : (process.argv[at_name + 1] ?? otherwise);
}
