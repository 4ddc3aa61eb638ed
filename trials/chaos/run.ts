/** One run: a fleet at work, blows dealt to it, a quiet end; then the judgement of what was written down. */
import { createDice } from "../dice.ts";
import { checkAnswers } from "./check/answers.ts";
import { checkAvailability } from "./check/availability.ts";
import { checkDatasets } from "./check/datasets.ts";
import { checkFeeds, type FeedFile } from "./check/feeds.ts";
import { checkKeys } from "./check/keys.ts";
import { checkLimiter } from "./check/limiter.ts";
import { checkUsage, type Stored } from "./check/usage.ts";
import { type Fault, toVerdict, type Verdict } from "./check/verdict.ts";
import { type Asker, createAsker } from "./fleet/asker.ts";
import { nowMs, sleep } from "./fleet/clock.ts";
import type { Replica } from "./fleet/replica.ts";
import {
  createKey,
  LIMITED,
  LIMITED_PLAN,
  type NewKey,
  openStage,
  type Stage,
  UNBOUND_PLAN,
} from "./fleet/stage.ts";
import { type Blow, planBlows, strike, type Tempo } from "./nemesis.ts";
import { readStored } from "./stored.ts";
import { askMetered, askTooMuch, compare, type Crew, keep, probe, revoke } from "./work/callers.ts";
import { createHistory, type History } from "./work/history.ts";
import { warm } from "./work/warm.ts";

/** What a machine that does other things too may miss by its haste, and by nothing else. */
export type Bounds = {
  /** Of the ideal bucket, in calm. */
  tolerance: number;
  /** Until 99 in 100 replicas refuse a revoked key. */
  wanted_ms: number;
  /** What a shared store that is away may add to 99 of 100 questions. */
  added_ms: number;
};
export const BOUNDS: Bounds = { tolerance: 0.02, wanted_ms: 250, added_ms: 50 };

export type ChaosWish = {
  seconds: number;
  replicas: number;
  seed: number;
  engines: boolean;
  tempo: Tempo;
  bounds: Bounds;
  onFault(fault: Fault): void;
};

export type ChaosReport = {
  seed: number;
  seconds: number;
  replicas: number;
  blows: number;
  faults: Fault[];
  verdicts: Verdict[];
  /** What the replicas wrote to their error output, where something was found. */
  outputs: string[];
};

/** The fleet has so long to be itself again after a fault (goal 2: 2 s). */
const RECOVERY_MS = 2_000;
const KEYS = { bound_ms: 5_000, grace_ms: 60_000 };
/** At the end no caller asks any more. */
const DRAIN_DELAY_MS = 200;
const METERED_KEYS = 4;

export async function runChaos(wish: ChaosWish): Promise<ChaosReport> {
  const { seconds, replicas, seed, engines, tempo, bounds } = wish;
  const dice = createDice(seed);
  const blows = planBlows(dice, { lasts_ms: seconds * 1000, replicas, engines, tempo });
  const asker = createAsker();
  const counted = { from_ms: 0, wanted: new Set<string>() };
  const stage = await openStage({
    replicas,
    seed,
    engines,
    balancer: "once",
    // From here on feeds count: who joins a fleet that has read them asks for none.
    async onFirst(replica, simulator) {
      counted.wanted = await warm([replica], asker);
      await simulator.reset();
      counted.from_ms = nowMs();
    },
    settings: { server: { drain_delay_ms: DRAIN_DELAY_MS } },
  });
  try {
    const history = await record(stage, asker, { ...wish, blows });
    const files = await stage.simulator.readFiles(counted.wanted);
    asker.close();
    // Whatever a replica still has to hand over it hands over when it ends.
    await Promise.all(stage.replicas.map((each) => each.end()));
    const stored = await readStored(stage);
    const { from_ms } = counted;
    const verdicts = [
      ...judge(history, { stored, files, from_ms, replicas, engines, bounds }),
      judgeLives(stage.replicas),
    ];
    const bad = verdicts.some(({ findings }) => findings.length > 0);
    return {
      seed,
      seconds,
      replicas,
      blows: blows.length,
      faults: history.faults,
      verdicts,
      outputs: bad ? stage.replicas.map((each) => each.output()) : [],
    };
  } finally {
    await stage.close();
  }
}

/** Whatever is done to the others, a process ends when it is ended. */
function judgeLives(replicas: readonly Replica[]): Verdict {
  const findings = replicas.flatMap((replica) => replica.deaths());
  return toVerdict({ rule: "lives", findings, scanned: replicas.length, figures: {} });
}

async function record(
  stage: Stage,
  asker: Asker,
  wish: ChaosWish & { blows: readonly Blow[] },
): Promise<History> {
  const { seconds, seed, blows, tempo, onFault } = wish;
  await warm(stage.replicas, asker);
  const keys = await createKeys(stage.replicas[0]!);
  const history = createHistory(nowMs());
  const crew: Crew = { stage, asker, history, dice: createDice(seed, 1), keys };
  const works = [askMetered, askTooMuch, probe, compare, keep, revoke].map((work) => work(crew));
  const struck = strike(stage, blows, (fault) => {
    history.faults.push(fault);
    onFault(fault);
  });
  // A server that takes its time to start again does not shorten the quiet.
  await Promise.all([sleep(seconds * 1000), struck.then(() => sleep(tempo.quiet_ms))]);
  history.whole.to_ms = nowMs();
  await Promise.all(works.map((work) => work.stop()));
  return history;
}

async function createKeys(replica: Replica): Promise<Crew["keys"]> {
  const make = async (plan: string): Promise<NewKey> => {
    const made = await createKey(replica, plan);
    if (!made) throw new Error("no key can be made");
    return made;
  };
  const metered: NewKey[] = [];
  for (let i = 0; i < METERED_KEYS; i++) metered.push(await make(UNBOUND_PLAN));
  return { metered, limited: await make(LIMITED_PLAN), prober: await make(UNBOUND_PLAN) };
}

type Evidence = Pick<ChaosWish, "replicas" | "engines" | "bounds"> & {
  stored: Stored;
  files: readonly FeedFile[];
  /** Since when feeds are counted. */
  from_ms: number;
};

function judge(history: History, evidence: Evidence): Verdict[] {
  const { whole, faults } = history;
  const { stored, files, from_ms, replicas, engines, bounds } = evidence;
  const { tolerance, wanted_ms, added_ms } = bounds;
  const terms = { faults, recovery_ms: RECOVERY_MS };
  const verdicts = [
    checkUsage(history.attempts, stored),
    checkLimiter(history.demands, { ...terms, ...LIMITED, whole, tolerance }),
    checkKeys(history.revocations, history.uses, { faults, ...KEYS, wanted_ms }),
    checkDatasets(history.writes, history.reads, terms),
    checkFeeds(files, { ...terms, replicas, whole: { ...whole, from_ms } }),
    checkAvailability(history.probes, { ...terms, added_ms }),
  ];
  return replicas > 1 && engines ? [...verdicts, checkAnswers(history.answers)] : verdicts;
}
