/** One run: a fleet at work, blows dealt to it, a quiet end; then the judgement of what was written down. */
import { createDice } from "../fuzz/dice.ts";
import { checkAnswers } from "./check/answers.ts";
import { checkAvailability } from "./check/availability.ts";
import { checkDatasets } from "./check/datasets.ts";
import { checkFeeds, type FeedFile } from "./check/feeds.ts";
import { checkKeys } from "./check/keys.ts";
import { checkLimiter } from "./check/limiter.ts";
import { checkUsage, type Stored } from "./check/usage.ts";
import { type Fault, type Verdict } from "./check/verdict.ts";
import { createAsker } from "./fleet/asker.ts";
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
import { type Blow, planBlows, strike } from "./nemesis.ts";
import { readStored } from "./stored.ts";
import { askMetered, askTooMuch, compare, type Crew, keep, probe, revoke } from "./work/callers.ts";
import { createHistory, type History } from "./work/history.ts";
import { PLACES, toNearby } from "./work/places.ts";

export type ChaosWish = {
  seconds: number;
  replicas: number;
  seed: number;
  engines: boolean;
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
const KEYS = { bound_ms: 5_000, wanted_ms: 250, grace_ms: 60_000 };
const ADDED_MS = 50;
/** At the end nobody asks any more. */
const DRAIN_DELAY_MS = 200;
const METERED_KEYS = 4;
const WARM_MS = 60_000;

export async function runChaos(wish: ChaosWish): Promise<ChaosReport> {
  const { seconds, replicas, seed, engines } = wish;
  const dice = createDice(seed);
  const blows = planBlows(dice, { lasts_ms: seconds * 1000, replicas, engines });
  const stage = await openStage({
    ...{ replicas, seed, engines, balancer: "once" },
    settings: { server: { drain_delay_ms: DRAIN_DELAY_MS } },
  });
  try {
    const { history, files, wanted } = await record(stage, { ...wish, blows });
    // Whatever a replica still has to hand over it hands over when it ends.
    await Promise.all(stage.replicas.map((each) => each.end()));
    const stored = await readStored(stage);
    const verdicts = judge(history, { stored, files, replicas, engines });
    const bad = verdicts.some(({ findings }) => findings.length > 0);
    return {
      ...{ seed, seconds, replicas, blows: blows.length, faults: history.faults, verdicts },
      outputs: bad ? stage.replicas.map((each) => each.output()) : [],
      ...(wanted.size === 0 && { verdicts: [...verdicts, NOTHING_WANTED] }),
    };
  } finally {
    await stage.close();
  }
}

const NOTHING_WANTED: Verdict = {
  ...{ rule: "questions", findings: ["no source was asked for"], scanned: 0, figures: {} },
};

type Recorded = { history: History; files: FeedFile[]; wanted: ReadonlySet<string> };

async function record(
  stage: Stage,
  wish: ChaosWish & { blows: readonly Blow[] },
): Promise<Recorded> {
  const { seconds, seed, blows, onFault } = wish;
  const asker = createAsker();
  const wanted = await warm(stage.replicas, asker);
  const keys = await createKeys(stage.replicas[0]!);
  await stage.simulator.reset();
  const history = createHistory(nowMs());
  const crew: Crew = { stage, asker, history, dice: createDice(seed, 1), keys };
  const works = [askMetered, askTooMuch, probe, compare, keep, revoke].map((work) => work(crew));
  const struck = strike(stage, blows, (fault) => {
    history.faults.push(fault);
    onFault(fault);
  });
  await sleep(seconds * 1000);
  await struck;
  history.whole.to_ms = nowMs();
  await Promise.all(works.map((work) => work.stop()));
  const files = await stage.simulator.readFiles(wanted);
  asker.close();
  return { history, files, wanted };
}

/** Every replica answers in full everywhere; which systems these questions are about. */
async function warm(
  replicas: readonly Replica[],
  asker: ReturnType<typeof createAsker>,
): Promise<Set<string>> {
  const wanted = new Set<string>();
  const until_ms = nowMs() + WARM_MS;
  for (const { url } of replicas)
    for (const place of Object.values(PLACES))
      for (;;) {
        const { text } = await asker.ask(url + toNearby(place, "&limit=1&debug=true"));
        const body = JSON.parse(text.startsWith("{") ? text : "{}") as Told;
        if (body.status === "success") {
          for (const { source_id } of body.debug?.sources ?? []) wanted.add(source_id);
          break;
        }
        if (nowMs() > until_ms) throw new Error(`not warm: ${text.slice(0, 500)}`);
        await sleep(300);
      }
  return wanted;
}

type Told = { status?: string; debug?: { sources: { source_id: string }[] } };

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

type Evidence = { stored: Stored; files: readonly FeedFile[]; replicas: number; engines: boolean };

export function judge(history: History, { stored, files, replicas, engines }: Evidence): Verdict[] {
  const { whole, faults } = history;
  const terms = { faults, recovery_ms: RECOVERY_MS };
  const verdicts = [
    checkUsage(history.attempts, stored),
    checkLimiter(history.demands, { ...terms, ...LIMITED, whole }),
    checkKeys(history.revocations, history.uses, { faults, ...KEYS }),
    checkDatasets(history.writes, history.reads, terms),
    checkFeeds(files, { ...terms, replicas: engines ? replicas : 1, whole }),
    checkAvailability(history.probes, { ...terms, added_ms: ADDED_MS }),
  ];
  return replicas > 1 && engines ? [...verdicts, checkAnswers(history.answers)] : verdicts;
}
