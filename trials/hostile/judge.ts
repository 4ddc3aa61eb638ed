/** One hostile case from its publication to its end, and what is wrong with what was seen. */
import { caseOf } from "./host.ts";
import type { Load, Taken } from "./load.ts";
import type { Delay } from "./probe.ts";
import { sleep } from "./program.ts";
import type { Seen, Stage } from "./stage.ts";

export type Observed = {
  name: string;
  what: string;
  bytes: number;
  /** How the system was reported while it was hostile; null: never, in the time it had. */
  outcome: Seen["outcome"];
  /** The longest answer near the hostile system that did not wait for it. */
  slowest_near_ms: number;
  healthy: Taken;
  delay: Delay | null;
  control: Delay | null;
  memory_mb: number;
  /** null: nothing had failed, so there was nothing to recover from; Infinity: not in time. */
  recovered_ms: number | null;
  ended: string | null;
};

const ASK_EVERY_MS = 250;
/** A failing file is asked for again after 5 s at the latest, when a caller asks. */
const RECOVERY_MS = 10_000;

export async function runCase(
  stage: Stage,
  load: Load,
  options: {
    name: string;
    system: string;
    seconds: number;
    at_start: Delay | null;
    /** How long a healed system may take to be shown. */
    recovery_ms?: number;
  },
): Promise<Observed> {
  const { name, system, seconds } = options;
  const { what, both, from_start } = caseOf(name);
  const neighbour = system.replace("hostile", "neighbour");
  const of = both ? [system, neighbour] : [system];
  let bytes = 0;
  for (const each of of)
    bytes += await stage.order({ order: "publish", system: each, case_name: name });
  // What making the files cost is not the program's.
  load.take();
  stage.program.peakMemory_mb();
  await Promise.all([stage.program.readDelay(), stage.controlDelay()]);
  const hostile = await askUntil(stage, system, {
    // A system that was not found at the start is not reported by name.
    within_ms: from_start ? 1_000 : seconds * 1000,
    isEnough: ({ outcome }) => outcome !== null && outcome.status !== "timeout",
  });
  // With what has come of it: answers are made of hostile data now, where it was accepted.
  const near: Seen[] = [];
  for (let i = 0; i < 4 && stage.program.ended() === null; i++) near.push(await stage.ask(system));
  for (const each of of) await stage.order({ order: "heal", system: each });
  const outcome = hostile?.outcome ?? null;
  // A system that was not found at the start is looked for again after half a minute and more.
  const fails = outcome?.status !== "ok" && !from_start;
  const isRecovered = outcome?.reason?.startsWith("system_alerts") ? isRead : isHealthy;
  const recovered_ms = fails
    ? await recover(stage, system, {
        within_ms: options.recovery_ms ?? RECOVERY_MS,
        isEnough: isRecovered,
      })
    : null;
  const delay = stage.program.ended() === null ? await stage.program.readDelay() : null;
  const worst = from_start && delay && options.at_start ? worseOf(delay, options.at_start) : delay;
  return {
    name,
    what,
    bytes,
    outcome,
    recovered_ms,
    delay: worst,
    slowest_near_ms: Math.max(0, ...near.map(({ elapsed_ms }) => elapsed_ms)),
    healthy: load.take(),
    control: await stage.controlDelay(),
    memory_mb: stage.program.peakMemory_mb(),
    ended: stage.program.ended(),
  };
}

function worseOf(a: Delay, b: Delay): Delay {
  return a.p999_ms >= b.p999_ms ? a : b;
}

async function recover(
  stage: Stage,
  system: string,
  goal: { within_ms: number; isEnough: (seen: Seen) => boolean },
): Promise<number> {
  const begun = performance.now();
  const seen = await askUntil(stage, system, goal);
  return seen && goal.isEnough(seen) ? performance.now() - begun : Infinity;
}

const isHealthy = ({ is_healthy }: Seen): boolean => is_healthy;
/** Where only the alerts were refused, the stations of the hostile version remain until they are due. */
const isRead = ({ outcome }: Seen): boolean => outcome?.status === "ok";

/** The last answer; null: there was none. */
async function askUntil(
  stage: Stage,
  system: string,
  { within_ms, isEnough }: { within_ms: number; isEnough: (seen: Seen) => boolean },
): Promise<Seen | null> {
  const until = performance.now() + within_ms;
  let last: Seen | null = null;
  while (performance.now() < until && stage.program.ended() === null) {
    last = await stage.ask(system);
    if (isEnough(last)) return last;
    await sleep(ASK_EVERY_MS);
  }
  return last;
}

export type Bounds = { wait_ms: number; delay_ms: number; memory_mb: number };

/** In words; none: the case is as it should be. */
export function judge(seen: Observed, bounds: Bounds): string[] {
  const { healthy, delay, control, memory_mb, recovered_ms, outcome, ended } = seen;
  if (ended !== null) return [ended];
  const problems: string[] = [];
  const say = (is_wrong: boolean, problem: string): void =>
    void (is_wrong && problems.push(problem));
  say(
    healthy.failed.length > 0,
    `${healthy.failed.length} healthy answers wrong: ${healthy.failed[0]}`,
  );
  say(healthy.max_ms > bounds.wait_ms, `a healthy answer took ${ms(healthy.max_ms)}`);
  say(delay === null, "the event loop did not answer for 20 s");
  const late_ms = delay?.run_p999_ms ?? 0;
  const allowed_ms = bounds.delay_ms + (control?.run_p999_ms ?? 0);
  say(late_ms > allowed_ms, `event loop late by ${ms(late_ms)} (p99.9 since the start)`);
  say(memory_mb > bounds.memory_mb, `${Math.round(memory_mb)} MB resident`);
  say(
    outcome === null && !caseOf(seen.name)?.from_start,
    "nothing was ever reported of the hostile system",
  );
  say(recovered_ms === Infinity, `not healthy ${RECOVERY_MS / 1000} s after its files were`);
  return problems;
}

export function ms(value: number): string {
  return value === Infinity ? "never" : `${Math.round(value)} ms`;
}
