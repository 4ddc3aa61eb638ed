/**
 * Units and prices when requests come at once (docs/accounts.md): crowds on the last units, addresses
 * with units for all, retries, over one replica and over two.
 */
import { readArguments } from "./arguments.ts";
import { askAddress, askCrowd, askInTurn, measureLag, OPERATIONS, retry } from "./money/cases.ts";
import { type MoneyStage, openMoneyStage, type Plan, UNITS } from "./money/stage.ts";

/** What a replica may know later than it was answered, ms: read each second, moved each quarter. */
const LAG_MOST_MS = 1_500;

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { rounds: 8 });
  let findings = 0;
  for (const replicas of [1, 2]) {
    console.log(`${replicas === 1 ? "one replica" : "two replicas"}:`);
    const stage = await openMoneyStage(replicas);
    try {
      findings += await judge(stage, values.rounds);
    } finally {
      await stage.close();
    }
  }
  return findings;
}

async function judge(stage: MoneyStage, rounds: number): Promise<number> {
  let findings = 0;
  const report = (what: string, figures: readonly number[], isRight: (one: number) => boolean) => {
    const wrong = figures.filter((one) => !isRight(one)).length;
    findings += wrong;
    const mark = wrong === 0 ? "" : `  <- ${wrong} wrong`;
    console.log(`  ${what}: ${figures.map((one) => Math.round(one)).join(" ")}${mark}`);
  };
  const isAlone = stage.urls.length === 1;
  for (const plan of isAlone ? (["plain"] as const) : (["exact", "plain"] as const))
    for (const operation of OPERATIONS) {
      const passed = await repeat(rounds, async () => {
        return (await askCrowd(stage, { plan, operation })).passed;
      });
      const most = Math.floor(UNITS / operation.units);
      const bound = plan === "plain" && !isAlone ? 2 * most : most;
      const what = `100 at once on ${UNITS} units, ${operation.name} (${operation.units}), plan ${plan}, passed`;
      report(what, passed, (one) => one >= most && one <= bound);
    }
  const refused = await repeat(rounds, (n) => askAddress(stage, `127.0.${n + 1}.1`));
  report("50 at once on the 50 units of an address, refused", refused, (one) => one === 0);
  const retries = await repeat(rounds, () => retry(stage));
  report(
    "20 times the same search, units",
    retries.map(({ units }) => units),
    (one) => one === 2,
  );
  const observations = retries.map((each) => each.observations);
  report("20 times the same search, observations", observations, (one) => one === 1);
  if (isAlone) return findings;
  const lags = await repeat(2 * rounds, () => measureLag(stage));
  report("units of one replica known to the other after ms", lags, (one) => one <= LAG_MOST_MS);
  for (const [plan, per_s] of [
    ["plain", 5],
    ["plain", 50],
    ["exact", 50],
  ] as [Plan, number][]) {
    const passed = await repeat(2, () => askInTurn(stage, plan, per_s));
    // Beyond the quota: what one replica admits until it knows of the other.
    const bound = plan === "exact" ? UNITS : UNITS + Math.ceil((per_s / 2) * (LAG_MOST_MS / 1_000));
    report(
      `by turns at ${per_s} a second, plan ${plan}, passed`,
      passed,
      (one) => one >= UNITS && one <= bound,
    );
  }
  return findings;
}

async function repeat<T>(times: number, one: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let n = 0; n < times; n++) all.push(await one(n));
  return all;
}
