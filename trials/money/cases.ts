/** Cases of parallel money: crowds, addresses, retries, and what replicas know of each other. */
import { setTimeout as sleep } from "node:timers/promises";
import { ANONYMOUS_UNITS, type MoneyStage, type Plan, type Question, UNITS } from "./stage.ts";

const POINT = "lat=48.8566&lon=2.3522";
const CROWD = 100;
const RETRIES = 20;

export const OPERATIONS = [
  { name: "geocode", units: 1, toQuestion: () => ({ path: "/v1/geocode?q=Paris" }) },
  {
    name: "services",
    units: 3,
    toQuestion: () => ({ path: `/v1/services/nearby?${POINT}&types=toilets,parking,charging` }),
  },
  {
    name: "capabilities",
    units: 2,
    toQuestion: (n: number) => ({ path: "/v1/capabilities", body: toSearch(`${n} of a crowd`) }),
  },
] as const;

let searches = 0;
function toSearch(request_id: string): object {
  const correlation = { conversation_id: "c", interaction_id: "i", parent_request_id: null };
  return {
    contract_version: "1.0.0",
    correlation: { ...correlation, request_id: `${request_id} ${searches++}`, turn_id: null },
    request: { capability: "search_mobility", args: { lat: 48.8566, lon: 2.3522, limit: 5 } },
    freshness_policy: null,
  };
}

/** 100 at once on 10 units, over all replicas; how many pass, and the units that they cost. */
export async function askCrowd(
  stage: MoneyStage,
  { plan, operation }: { plan: Plan; operation: (typeof OPERATIONS)[number] },
): Promise<{ passed: number; units: number }> {
  const key = await stage.makeKey(plan);
  const crowd = Array.from({ length: CROWD }, (_, n) => {
    const url = stage.urls[n % stage.urls.length]!;
    return stage.ask(url, { ...operation.toQuestion(n), key });
  });
  const passed = (await Promise.all(crowd)).filter(({ status }) => status === 200).length;
  return { passed, units: passed * operation.units };
}

/** Whether a request of the crowd was refused, though there are units for all. */
export async function askAddress(stage: MoneyStage, from: string): Promise<number> {
  const question: Question = { path: `/v1/parking/nearby?${POINT}`, from };
  const url = stage.urls[0]!;
  const crowd = Array.from({ length: ANONYMOUS_UNITS }, () => stage.ask(url, question));
  return (await Promise.all(crowd)).filter(({ text }) => text.includes("quota_exhausted")).length;
}

/** The same search, half of the times at each replica at once; observations, and units charged. */
export async function retry(stage: MoneyStage): Promise<{ observations: number; units: number }> {
  const key = await stage.makeKey("plain");
  const question = { path: "/v1/capabilities", body: toSearch("retried"), key };
  const crowd = Array.from({ length: RETRIES }, (_, n) =>
    stage.ask(stage.urls[n % stage.urls.length]!, question),
  );
  const texts = (await Promise.all(crowd)).map(({ text }) => text);
  await sleep(2_000);
  const used = await Promise.all(stage.urls.map((url) => stage.usedAt(url, { key })));
  return { observations: new Set(texts).size, units: Math.max(...used) };
}

/** Milliseconds until the last replica counts what the first one has answered. */
export async function measureLag(stage: MoneyStage): Promise<number> {
  const key = await stage.makeKey("plain");
  await stage.ask(stage.urls[0]!, { path: "/v1/geocode?q=Paris", key });
  const begun_ms = performance.now();
  while ((await stage.usedAt(stage.urls.at(-1)!, { key })) === 0) await sleep(5);
  return performance.now() - begun_ms;
}

/** One after the other, by turns, at a rate; units of `UNITS` that two replicas gave. */
export async function askInTurn(stage: MoneyStage, plan: Plan, per_s: number): Promise<number> {
  const key = await stage.makeKey(plan);
  let passed = 0;
  for (let n = 0; n < 4 * UNITS; n++) {
    const url = stage.urls[n % stage.urls.length]!;
    const { status } = await stage.ask(url, { path: "/v1/geocode?q=Paris", key });
    if (status === 200) passed += 1;
    await sleep(1_000 / per_s);
  }
  return passed;
}
