/** The admin listener of a deployment: with the admin API where a token for it is configured. */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "#config/load.ts";
import type { Env } from "#config/env.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { type AdminDeps, buildAdmin } from "#http/admin.ts";
import { type AdminApi, createAdminApi } from "#http/admin/api.ts";
import type { Storage } from "#storage/open-storage.ts";
import type { AdjustableClock } from "#process/clock.ts";
import type { StoreWatch } from "#observe/store-watch.ts";
import type { OpenAccess } from "./open-access.ts";

export type AdminListenerDeps = Pick<AdminDeps, "metrics" | "drain"> & {
  options: { config: Pick<Config, "mode">; env: Pick<Env, "admin_host" | "admin_token"> };
  access: Pick<OpenAccess, "plans">;
  storage: Pick<Storage, "accounts" | "usage">;
  readiness: { ready: boolean };
  store_watch: Pick<StoreWatch, "problem">;
  clock: Pick<AdjustableClock, "wall">;
  log: Logger;
};

export function openAdmin(deps: AdminListenerDeps): ReturnType<typeof buildAdmin> {
  const { metrics, drain, readiness, store_watch } = deps;
  return buildAdmin({
    metrics,
    drain,
    ready: () => readiness.ready,
    problem: () => store_watch.problem,
    api: toApi(deps),
    host: deps.options.env.admin_host,
  });
}

/** null: without a token there is nothing that could be asked. */
function toApi({ options, access, storage, clock, log }: AdminListenerDeps): AdminApi | null {
  const { config, env } = options;
  if (env.admin_token === null) return null;
  return createAdminApi({
    accounts: storage.accounts,
    usage: storage.usage,
    get plans() {
      return access.plans.all;
    },
    // Ends of keys are moments that people know (decision 24).
    clock: { now: clock.wall },
    log,
    key_prefix: KEY_PREFIXES[config.mode],
    draw: randomBytes,
    token: env.admin_token,
    host: env.admin_host,
  });
}
