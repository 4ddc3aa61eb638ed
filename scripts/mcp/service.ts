/** A sandbox service that outside judges may ask. */
import { join } from "node:path";
import { readEnv } from "#config/env.ts";
import { loadConfig } from "#config/load.ts";
import { startService, type Service } from "../../src/main/service.ts";

export async function startSandboxService(folder: string): Promise<Service> {
  const own = { PORT: "0", LOG_LEVEL: "silent", VICINITY_DATA_DIR: join(folder, "data") };
  const env = readEnv(own);
  if (!env.ok) throw new Error(env.message);
  const config = loadConfig({ mode: "sandbox", env: env.value });
  if (!config.ok) throw new Error(config.message);
  const service = await startService({ config: config.value, env: env.value, version: "judged" });
  if ("problem" in service) throw new Error(service.problem);
  return service;
}
