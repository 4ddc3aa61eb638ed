/** The whole service in live mode on a replay host, with a folder of its own that goes away. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { startService } from "../../../src/main/service.ts";
import { configurationFor } from "../configuration.ts";
import type { ReplaySystem } from "../host.ts";

/** What only hangs exceeds. */
const HANG_MS = 60_000;

export type ReplayService = { url: string; close(): Promise<void> };

export async function startReplayService(systems: readonly ReplaySystem[]): Promise<ReplayService> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-replay-"));
  const file = join(folder, "vicinity.json");
  // Some systems were captured twice, years apart; here each capture is judged on its own.
  const identity = { enabled: false };
  // No caller is left when it closes.
  const server = { drain_delay_ms: 0, drain_timeout_ms: 200 };
  // What is judged is what is answered, and not how busy the machine is meanwhile.
  const { sources, ...rest } = configurationFor(systems);
  const unhurried = { gbfs: { ...sources.gbfs, timeout_ms: HANG_MS } };
  const deadlines_ms = { nearby: HANG_MS };
  const settings = { ...rest, sources: unhurried, server, identity, deadlines_ms };
  writeFileSync(file, JSON.stringify(settings));
  const env = readEnv({
    PORT: "0",
    VICINITY_DATA_DIR: folder,
    VICINITY_CONTACT: "replay@example.org",
    LOG_LEVEL: "silent",
    VICINITY_ENFORCE_LIMITS: "0",
  });
  if (!env.ok) throw new Error(env.message);
  const config = loadConfig({ file, mode: "live", env: env.value });
  if (!config.ok) throw new Error(config.message);
  const service = await startService({ config: config.value, env: env.value, version: "replay" });
  if ("problem" in service) throw new Error(service.problem);
  // Before the survey is through, answers are rightly `partial`.
  await service.feeds.surveyed();
  const close = async (): Promise<void> => {
    await service.close({ delay_ms: 0 });
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: service.url, close };
}
