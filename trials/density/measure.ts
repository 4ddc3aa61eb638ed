/** One question of the trial, measured: processor time, longest stretch, memory, bytes. */
import { beginPeak, readPeak, readProcessor, usedBetween } from "./processor.ts";
import type { SentRequest, Stage } from "./stage.ts";
import type { Stretch } from "./stretches.ts";

export type Measured = {
  status: number;
  bytes: number;
  /** Of the serving thread and of all threads, a request. */
  main_ms: number;
  all_ms: number;
  /** Of the serving thread without a turn of its loop: the median of some requests. */
  longest_ms: number;
  /** The longest of them all, and what of it collections of garbage took. */
  most_ms: number;
  collections_ms: number;
  /** Resident memory that a request adds at its peak: the least of some. */
  rise_mb: number;
};

/** Requests of one question: as many as take this long, within bounds. */
const ENOUGH_MS = 400;
const MOST = 200;
/** Before that, whatever the form, so that the code is as fast as it becomes. */
const WARM_MS = 600;
const WARM_MOST = 200;
const LEAST = 4;
const STRETCHES = 9;

/** Null: the program ended meanwhile. `make` makes the request of a number, so that none is a repeat. */
export async function measure(
  stage: Stage,
  make: (number: number) => SentRequest,
  share: number,
): Promise<Measured | null> {
  const { pid, ask } = stage;
  let number = 0;
  const next = (): SentRequest => make(number++);
  // What is compiled, opened or cached once is not part of a question.
  const first = await used(stage, 1, next);
  if (first === null) return null;
  const warm = Math.max(1, Math.min(WARM_MOST, Math.round(WARM_MS / first.all_ms)));
  const warmed = await used(stage, warm, next);
  if (warmed === null) return null;
  const count = Math.max(LEAST, Math.min(MOST, (ENOUGH_MS * share) / warmed.all_ms));
  const usage = await used(stage, Math.round(count), next);
  const stretches: Stretch[] = [];
  const rises: number[] = [];
  let last = { status: 0, bytes: 0 };
  for (let i = 0; i < STRETCHES; i++) {
    const stretch = await stage.stretch(next());
    if (stretch === null) return null;
    stretches.push(stretch);
  }
  for (let i = 0; i < 3; i++) {
    const before_mb = beginPeak(pid);
    last = await ask(next());
    if (stage.ended() !== null) return null;
    rises.push(readPeak(pid) - before_mb);
  }
  if (usage === null) return null;
  stretches.sort((a, b) => a.longest_ms - b.longest_ms);
  const most = stretches.at(-1)!;
  return {
    ...usage,
    status: last.status,
    bytes: last.bytes,
    longest_ms: stretches[Math.floor(STRETCHES / 2)]!.longest_ms,
    most_ms: most.longest_ms,
    collections_ms: most.collections_ms,
    rise_mb: Math.max(0, Math.min(...rises)),
  };
}

async function used(
  { pid, ask }: Stage,
  count: number,
  next: () => SentRequest,
): Promise<{ main_ms: number; all_ms: number } | null> {
  const before = readProcessor(pid);
  for (let i = 0; i < count; i++) await ask(next());
  const after = readProcessor(pid);
  if (before === null || after === null) return null;
  const { main_ms, all_ms } = usedBetween(before, after);
  return { main_ms: main_ms / count, all_ms: Math.max(0.001, all_ms) / count };
}
