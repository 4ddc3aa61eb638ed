/**
 * npm run bench -- limits [--seconds 10]: rates over HTTP, in real time, by the whole service with
 * limits enforced. A keyed client and an anonymous address ask at ten times their rate: how many are
 * admitted, compared with burst + rate × time. Meanwhile clients of several plans ask as fast as they
 * are allowed and wait exactly as long as `Retry-After` says: how many of those retries are admitted.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../trials/arguments.ts";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { ANONYMOUS_PLAN, SHIPPED_PLANS } from "#config/plan-settings.ts";
import { startService } from "../src/main/service.ts";

const stated = readArguments(process.argv.slice(2), { seconds: 60 });
const seconds = stated.seconds;
const TIMES = 10;
/** Rates at which `Retry-After` is one second, and several; units enough for a minute. */
const WAITING = { wait_20: 20, wait_5: 5, wait_1: 1, wait_third: 1 / 3 };
const BURST = 10;
const FREE = SHIPPED_PLANS.find(({ name }) => name === ANONYMOUS_PLAN)!;
const PATH = "/v1/nearby?lat=48.8566&lon=2.3522&limit=1";

const folder = mkdtempSync(join(tmpdir(), "vicinity-bench-"));
const service = await startBenchService();
const { port } = new URL(service.url);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const keyOf = (plan: string): string => service.keys.find((each) => each.plan === plan)!.key;
type Client = { key: string | null; from: string };
type Answer = { status: number; retry_after_s: number | null };

const developer = SHIPPED_PLANS.find(({ name }) => name === "developer")!;
const results = await Promise.all([
  flood("keyed, developer", { key: keyOf("developer"), from: "127.0.0.1" }, developer),
  flood("anonymous, one address", { key: null, from: "127.0.0.1" }, FREE),
  ...Object.keys(WAITING).map((plan) => askAndWait(plan, { key: keyOf(plan), from: "127.0.0.1" })),
  askAndWait("anonymous", { key: null, from: "127.0.2.1" }),
]);
console.log(`node ${process.version}, ${seconds} s`);
for (const line of results) console.log(line);
agent.destroy();
await service.close({ delay_ms: 0 });
rmSync(folder, { recursive: true });

/** Ten times as often as allowed, whatever is answered. */
async function flood(
  name: string,
  client: Client,
  { rate_per_s, burst }: { rate_per_s: number | null; burst: number | null },
): Promise<string> {
  const [rate, most] = [rate_per_s!, burst!];
  const step_ms = 1000 / (rate * TIMES);
  const answers: Promise<Answer>[] = [];
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor((performance.now() - began) / step_ms) + 1;
    while (answers.length < due) answers.push(ask(client));
    await sleep(Math.max(1, began + due * step_ms - performance.now()));
  }
  const lasted_s = (performance.now() - began) / 1000;
  const all = await Promise.all(answers);
  const count = (status: number): number => all.filter((each) => each.status === status).length;
  const ideal = most + rate * lasted_s;
  const [admitted, refused] = [count(200), count(429)];
  const stated_waits = all.filter(
    ({ status, retry_after_s }) => status === 429 && retry_after_s! >= 1,
  );
  return (
    `${name}: ${all.length} asked in ${lasted_s.toFixed(2)} s, ${admitted} admitted, ideal ${ideal.toFixed(1)}, ` +
    `ratio ${(admitted / ideal).toFixed(4)}; ${refused} refused, ${stated_waits.length} of them with Retry-After, ` +
    `${all.length - admitted - refused} otherwise`
  );
}

/** Asks one question after the other; a refused one is retried after exactly its `Retry-After`. */
async function askAndWait(name: string, client: Client): Promise<string> {
  const until = performance.now() + seconds * 1000;
  let [query, retries, admitted] = [0, 0, 0];
  let waited_s: number | null = null;
  const waits = new Map<number, number>();
  while (performance.now() < until) {
    const { status, retry_after_s } = await ask(client);
    query++;
    if (status !== 200 && status !== 429) throw new Error(`status ${status}`);
    if (waited_s !== null) {
      retries++;
      if (status === 200) admitted++;
    }
    waited_s = status === 429 ? retry_after_s : null;
    if (waited_s === null) continue;
    waits.set(waited_s, (waits.get(waited_s) ?? 0) + 1);
    await sleepExactly(waited_s * 1000);
  }
  const stated_waits = [...waits].map(([s, times]) => `${times} × ${s} s`).join(", ");
  return `${name}: ${query} asked, waits stated: ${stated_waits}; ${admitted} of ${retries} retries admitted`;
}

function ask({ key, from }: Client): Promise<Answer> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const how = { port, path: PATH, headers, agent, localAddress: from };
    const query = request({ host: "127.0.0.1", ...how }, (response) => {
      response.resume();
      const wait = response.headers["retry-after"];
      const retry_after_s = wait === undefined ? null : Number(wait);
      response.once("end", () => resolve({ status: response.statusCode!, retry_after_s }));
    });
    query.once("error", reject);
    query.end();
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Timers come up to a millisecond early, before the stated wait is over. */
async function sleepExactly(ms: number): Promise<void> {
  const until = performance.now() + ms;
  for (let left = ms; left > 0; left = until - performance.now()) await sleep(Math.ceil(left));
}

async function startBenchService() {
  const file = join(folder, "config.json");
  const terms = { units: 1e9, period: "month", hard: true };
  const most = { nearby_limit_max: 100, nearby_offset_max: 1000, datasets: 1000 };
  const plans = Object.fromEntries(
    Object.entries(WAITING).map(([name, rate_per_s]) => [
      name,
      { rate_per_s, burst: BURST, ...terms, ...most },
    ]),
  );
  writeFileSync(file, JSON.stringify({ plans }));
  const env = readEnv({
    PORT: "0",
    ADMIN_PORT: "0",
    SANDBOX_PORT: "0",
    LOG_LEVEL: "silent",
    VICINITY_DATA_DIR: join(folder, "data"),
    VICINITY_ENFORCE_LIMITS: "1",
  });
  if (!env.ok) throw new Error(env.message);
  const config = loadConfig({ mode: "sandbox", env: env.value, file });
  if (!config.ok) throw new Error(config.message);
  const started = await startService({ config: config.value, env: env.value, version: "bench" });
  if ("problem" in started) throw new Error(started.problem);
  return started;
}
