/** What a page costs a frame: from a trace of the browser, and from its own entries. */
import { once, type EventEmitter } from "node:events";
import type { EntryType } from "node:perf_hooks";
import type { CDPSession, Page } from "playwright-core";

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  /** When it began, microseconds. */
  ts: number;
  dur?: number;
  /** Processor time of the thread. */
  tdur?: number;
  args?: { name?: string };
};

export async function trace(
  session: CDPSession,
  during: () => Promise<void>,
): Promise<TraceEvent[]> {
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

/** Processor time where the trace has it, so that other work of the machine does not count. */
function timeOf({ tdur, dur = 0 }: TraceEvent): number {
  return tdur ?? dur;
}

/** Of the page: the one that fires most frames. */
function mainThreadOf(events: readonly TraceEvent[]): { pid: number; tid: number } | undefined {
  const counts = new Map<string, { pid: number; tid: number; count: number }>();
  for (const { name, pid, tid } of events) {
    if (name !== "FireAnimationFrame") continue;
    const known_count = counts.get(`${pid}/${tid}`) ?? { pid, tid, count: 0 };
    counts.set(`${pid}/${tid}`, { ...known_count, count: known_count.count + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0];
}

export type Frames = {
  scripts: number[];
  tasks: number[];
  /** Of all that the thread does from one frame to the next, painting included, ascending. */
  between: number[];
};

function sumBetween(events: readonly TraceEvent[]): number[] {
  const sorted = events.toSorted((a, b) => a.ts - b.ts);
  const sums: number[] = [];
  let sum = 0;
  for (const event of sorted) {
    if (event.name === "RunTask") sum += timeOf(event) / 1000;
    if (event.name !== "FireAnimationFrame") continue;
    sums.push(sum);
    sum = 0;
  }
  return sums.slice(1).toSorted((a, b) => a - b);
}

/**
 * Script of each frame, ascending, and every task of the main thread, milliseconds of processor time.
 */
export function readFrames(events: readonly TraceEvent[]): Frames {
  const thread = mainThreadOf(events);
  const own_events = events.filter(({ pid, tid }) => pid === thread?.pid && tid === thread.tid);
  const timesOf = (event_name: string): number[] =>
    own_events.filter(({ name }) => name === event_name).map((event) => timeOf(event) / 1000);
  const scripts = timesOf("FireAnimationFrame").toSorted((a, b) => a - b);
  return { scripts, tasks: timesOf("RunTask"), between: sumBetween(own_events) };
}

/** Sum of the layout shifts so far, those that follow an input left out. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = { value: number; hadRecentInput: boolean };
        const observer = new PerformanceObserver((list) => {
          const shifts = list.getEntries() as unknown as Shift[];
          const sum = shifts.reduce((all, one) => all + (one.hadRecentInput ? 0 : one.value), 0);
          resolve(Math.round(sum * 1000) / 1000);
        });
        observer.observe({ type: "layout-shift" as EntryType, buffered: true });
        setTimeout(() => {
          resolve(0);
        }, 500);
      }),
  );
}

export async function untilMark(page: Page, name: string): Promise<void> {
  await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, name);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function at(sorted: readonly number[], share: number): number {
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
