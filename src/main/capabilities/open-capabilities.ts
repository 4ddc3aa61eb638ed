/** Composes the capabilities of a deployment (§4.8): what is asked, where it is kept, how long. */
import { hash, randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { type Begin, createExecute, type Execute } from "#app/capabilities/execute.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import { createReadDataset, type ReadDataset } from "#app/capabilities/dataset-read.ts";
import { createSearch, type SearchCapability } from "#app/capabilities/stored-search.ts";
import { retentionOf } from "#app/datasets/retention.ts";
import type { RenderNearby } from "#app/nearby-body.ts";
import type { Nearby } from "#app/answer-types.ts";
import type { Config } from "#config/load.ts";
import { ANONYMOUS_PLAN } from "#config/plan-settings.ts";
import type { Clock, Datasets } from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
import { throttled } from "#observe/throttle.ts";

export type Capabilities = {
  begin: Begin;
  execute: Execute;
  read: ReadDataset;
  search: SearchCapability;
};

export type CapabilityParts = {
  config: Pick<Config, "datasets" | "plans" | "enforce_limits">;
  nearby: Nearby;
  renderNearby: RenderNearby;
  datasets: Pick<Datasets, "put" | "read" | "keepOn" | "findRepeat" | "secret" | "knowsSecret">;
  /** Of the store that replicas share; null: this process is alone. */
  claims: Claims | null;
  termsOf: TermsOf;
  clock: Clock;
  log: Logger;
};

export function openCapabilities(parts: CapabilityParts): Capabilities {
  const { nearby, renderNearby, datasets, termsOf, clock, log, config } = parts;
  const { retention_ms, anonymous_bytes } = retentionOf(config.datasets);
  const enforced = config.enforce_limits;
  const anonymous = {
    retention_ms,
    // Plans may be replaced while the service runs.
    get datasets_max() {
      return enforced ? (config.plans[ANONYMOUS_PLAN]?.datasets ?? null) : null;
    },
  };
  const read = createReadDataset(
    datasets,
    anonymous,
    throttled((reason, omitted) => log.error({ reason, omitted }, "dataset store")),
  );
  const search = createSearch({
    nearby,
    renderNearby,
    datasets,
    termsOf,
    clock,
    hash: sha256,
    random: randomBytes,
    retention_ms,
    anonymous,
    enforced,
    anonymous_bytes,
    onFault: (err) => log.error({ err }, "capability"),
    pause: () => nextTurn(),
  });
  const { claims } = parts;
  const execution = createExecute({ search, read, datasets, claims, clock, hash: sha256 });
  return { ...execution, read, search };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}
