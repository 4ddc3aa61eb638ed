/** A Prometheus on the loopback that scrapes every two seconds and evaluates the shortened rules. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../test/support/at-exit.ts";
import { nowMs, sleep } from "../chaos/fleet/clock.ts";
import { findPort } from "../chaos/fleet/replica.ts";
import { shorten } from "./rules.ts";

export const SHIPPED_RULES = new URL("../../deploy/prometheus/alerts.yaml", import.meta.url);
const START_MS = 60_000;

type Sample = { labels: Readonly<Record<string, string>>; value: number };

export type Prometheus = {
  query(expression: string): Promise<Sample[]>;
  /** Names of the alerts that fire. */
  listFiring(): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
};

export function hasPrometheus(): boolean {
  try {
    for (const program of ["prometheus", "promtool"])
      execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** `admin_ports`: of the replicas; `factor`: what the minutes of the rules are divided by. */
export async function startPrometheus(
  admin_ports: readonly number[],
  factor: number,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-prometheus-"));
  const port = await findPort();
  const file = writeConfiguration(folder, { admin_ports, factor });
  const child = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let message = "";
  child.once("error", (error) => (message += error.message));
  child.stderr.on(
    "data",
    (chunk: Buffer) => (message = (message + chunk.toString()).slice(-4_000)),
  );
  const forget = atExit(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const url = `http://127.0.0.1:${port}`;
  const until_ms = nowMs() + START_MS;
  while (!(await isReady(url))) {
    if (nowMs() > until_ms || child.exitCode !== null) throw new Error(`prometheus: ${message}`);
    await sleep(100);
  }
  const ask = (expression: string): Promise<Sample[]> => query(url, expression);
  return {
    query: ask,
    async listFiring() {
      const alerts = await ask('ALERTS{alertstate="firing"}');
      return new Set(alerts.map(({ labels }) => labels["alertname"] ?? ""));
    },
    async close() {
      forget();
      const gone = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await gone;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Wish = { admin_ports: readonly number[]; factor: number };

/** JSON is YAML. The job has the name that the shipped rules and scrape.yaml give it. */
function writeConfiguration(folder: string, { admin_ports, factor }: Wish): string {
  const rules = join(folder, "alerts.yaml");
  writeFileSync(rules, shorten(readFileSync(SHIPPED_RULES, "utf8"), factor));
  const file = join(folder, "prometheus.json");
  writeFileSync(
    file,
    JSON.stringify({
      // A service whose loop is a second behind is to be scraped nonetheless.
      global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
      rule_files: [rules],
      scrape_configs: [
        {
          job_name: "vicinity",
          static_configs: [{ targets: admin_ports.map((port) => `127.0.0.1:${port}`) }],
        },
      ],
    }),
  );
  return file;
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/-/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

type Result = { data?: { result: { metric: Record<string, string>; value: [number, string] }[] } };

async function query(url: string, expression: string): Promise<Sample[]> {
  const reply = await fetch(`${url}/api/v1/query`, {
    method: "POST",
    body: new URLSearchParams({ query: expression }),
  });
  const { data } = (await reply.json()) as Result;
  if (!data) throw new Error(`prometheus refuses ${expression}: ${reply.status}`);
  return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
}
