/** What `vicinity doctor --node` looks at, in the order in which it is shown. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkBaseMemory } from "#cli/base-checks.ts";
import type { Io } from "#cli/io.ts";
import type { Env, RunMode } from "#config/env.ts";
import type { Config } from "#config/load.ts";
import type { Loaded } from "#config/config-result.ts";
import { guard } from "#kit/guard.ts";
import { parseJson } from "#kit/json.ts";
import { isObject } from "#core/members/member-rules.ts";
import { type Check, toCheck } from "#storage/inspect/inspection-check.ts";
import { checkDatabases, checkImports, isInUse, listPlans } from "#storage/inspect/databases.ts";
import {
  checkBackupFolder,
  checkDisk,
  checkPermissions,
  readRunning,
} from "#storage/inspect/folder.ts";
import { checkJournals } from "#storage/inspect/journals.ts";
import { checkLocks } from "#storage/inspect/locks.ts";
import { inspectPostgres, type PostgresFindings } from "#storage/inspect/postgres.ts";
import type { Running } from "#storage/running.ts";
import { EMBEDDED_SCHEMAS } from "#storage/schema-versions.ts";

export type NodeInput = {
  env: Env;
  mode: RunMode;
  /** Version of this program. */
  version: string;
  /** The configuration as a start would read it now. */
  config: Loaded<Config>;
  io: Pick<Io, "fetch" | "now">;
};

const SECOND_MS = 1_000;
/** Beyond it limits and published times of replicas disagree (docs/fleet.md, Clocks). */
const CLOCK_WARN_MS = 2 * SECOND_MS;
const CLOCK_FAIL_MS = 60 * SECOND_MS;

export async function checkNode(input: NodeInput): Promise<Check[]> {
  const { env, mode, config } = input;
  const folder = join(env.data_dir, mode);
  const address = env.store_url === null ? null : { url: env.store_url, mode };
  const postgres = address && (await inspectPostgres(address));
  if (!existsSync(folder)) return checkWithoutFolder(folder, config, postgres);
  const running = isInUse(folder) === true ? readRunning(folder) : null;
  return [
    checkService(folder, running),
    ...(running ? [checkLocks(folder, running.pid, Object.keys(EMBEDDED_SCHEMAS))] : []),
    checkPermissions(env.data_dir, folder),
    checkDisk(folder),
    ...checkDatabases(folder),
    ...checkJournals(folder),
    ...(postgres?.checks ?? []),
    ...checkImports(folder),
    ...checkBaseMemory(config),
    checkConfig(config),
    ...(running ? [checkVersion(input, running), checkDigest(config, running)] : []),
    checkPlans(config, postgres ? postgres.plans : listPlans(folder)),
    ...(await checkClocks(input, running, postgres)),
    ...checkReplicas(env),
    checkBackupFolder(folder, input.io.now()),
  ];
}

/** In a fleet accounts are elsewhere, and a replica makes its folder at its first start. */
function checkWithoutFolder(
  folder: string,
  config: Loaded<Config>,
  postgres: PostgresFindings | null,
): Check[] {
  const text = `there is no data folder ${folder}`;
  if (postgres === null) return [toCheck("folder", "failing", text), checkConfig(config)];
  return [
    toCheck("folder", "warning", `${text}: the first start makes it`),
    ...postgres.checks,
    checkConfig(config),
    ...(postgres.plans ? [checkPlans(config, postgres.plans)] : []),
  ];
}

function checkService(folder: string, running: Running | null): Check {
  const inUse = isInUse(folder);
  if (inUse === null) return toCheck("service", "unknown", "the lock of the folder cannot be read");
  if (!inUse) return toCheck("service", "ok", "none has the data folder open");
  if (running === null)
    return toCheck("service", "unknown", "one has the data folder open, and does not say which");
  const { pid, url, started_at } = running;
  return toCheck("service", "ok", `process ${pid} at ${url} since ${started_at}`);
}

function checkConfig(config: Loaded<Config>): Check {
  if (!config.ok) return toCheck("config", "failing", config.message);
  const { file, digest } = config.value;
  return toCheck("config", "ok", `${file ?? "defaults"}, ${digest.config}, plans ${digest.plans}`);
}

function checkVersion({ version }: NodeInput, running: Running): Check {
  const text = `${running.version}, commit ${running.commit}`;
  if (running.version === version) return toCheck("version", "ok", text);
  return toCheck("version", "warning", `${text} runs, this program is ${version}`);
}

/** Whether a restart or a reload would change what is served. */
function checkDigest(config: Loaded<Config>, running: Running): Check {
  const name = "running config";
  if (!config.ok) return toCheck(name, "unknown", `${running.config}, and the file is not valid`);
  const { digest } = config.value;
  if (digest.plans !== running.plans)
    return toCheck(name, "warning", `the plans differ from the file: reload it (SIGHUP)`);
  if (digest.config === running.config) return toCheck(name, "ok", "as the file has it");
  const { restart = [] } = running;
  const waits = restart.length === 0 ? "" : ` (${restart.join(", ")} waits for it)`;
  const text = `${running.config} runs, the file and this environment give ${digest.config}`;
  return toCheck(name, "warning", `${text}: restart it${waits}`);
}

function checkPlans(config: Loaded<Config>, plans: ReadonlyMap<string, number> | null): Check {
  if (plans === null || !config.ok)
    return toCheck("plans", "unknown", "accounts or plans cannot be read");
  const { plans: known_plans } = config.value;
  const missing = [...plans].filter(([name]) => !Object.hasOwn(known_plans, name));
  if (missing.length === 0) return toCheck("plans", "ok", "those of all accounts are configured");
  const lines = missing.map(([name, accounts]) => `${name} (${accounts} accounts)`);
  return toCheck("plans", "failing", `not configured, served as the least: ${lines.join(", ")}`);
}

/** Over which store the replicas of a fleet compare what they serve by (docs/fleet.md). */
function checkReplicas({ shared_url, store_url }: Env): Check[] {
  if (shared_url === null && store_url === null) return [];
  const over = shared_url === null ? "PostgreSQL" : "Valkey";
  return [toCheck("replicas", "ok", `compared over ${over} (svc_replicas_differ)`)];
}

/** This machine's clock against that of the service, which may be ahead, and that of the store. */
async function checkClocks(
  { io }: NodeInput,
  running: Running | null,
  postgres: PostgresFindings | null,
): Promise<Check[]> {
  const matches: (readonly [name: string, ahead_ms: number | null])[] = [
    ...(running ? [["service", await readAhead(io, running.url)] as const] : []),
    ...(postgres ? [["postgres", postgres.ahead_ms] as const] : []),
  ];
  return matches.map(([name, ahead_ms]) => {
    const check = `clock ${name}`;
    if (ahead_ms === null) return toCheck(check, "unknown", "it does not report its time");
    const off_s = Math.round(ahead_ms / SECOND_MS);
    const text = off_s === 0 ? "as that of this machine" : `${off_s} s ahead of this machine`;
    const off_ms = Math.abs(ahead_ms);
    if (off_ms > CLOCK_FAIL_MS) return toCheck(check, "failing", text);
    return toCheck(check, off_ms > CLOCK_WARN_MS ? "warning" : "ok", text);
  });
}

const HEALTH_MS = 2_000;

/** How far the service's time is ahead, ms; null: it does not answer. */
async function readAhead({ fetch, now }: NodeInput["io"], url: string): Promise<number | null> {
  const ask = async (): Promise<number | null> => {
    const reply = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) });
    const body = parseJson(await reply.text());
    const time = isObject(body) ? body["time"] : undefined;
    return typeof time === "string" ? Date.parse(time) - now() : null;
  };
  return await guard(ask, () => null);
}
