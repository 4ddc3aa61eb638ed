/** Composes the capabilities of a deployment (§4.8): what is asked, where it is kept, how long. */
import { hash, randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createExecute, type Execute, type IsRepeat } from "#app/capabilities/execute.ts";
import type { TermsOf } from "#app/capabilities/observation.ts";
import { createReadDataset, type ReadDataset } from "#app/capabilities/read.ts";
import { createSearch, type SearchCapability } from "#app/capabilities/search.ts";
import type { RenderNearby } from "#app/nearby-body.ts";
import type { Nearby } from "#app/types.ts";
import type { Config } from "#config/load.ts";
import type { Clock, Datasets } from "#ports.ts";
import { throttled } from "../log.ts";

export type Capabilities = {
  execute: Execute;
  isRepeat: IsRepeat;
  read: ReadDataset;
  search: SearchCapability;
};

export type CapabilityParts = {
  config: Pick<Config, "datasets">;
  nearby: Nearby;
  renderNearby: RenderNearby;
  datasets: Pick<Datasets, "put" | "read" | "findRepeat" | "secret">;
  termsOf: TermsOf;
  clock: Clock;
  log: Logger;
};

const HOUR_MS = 3_600_000;
const MB = 1024 * 1024;

export function openCapabilities(parts: CapabilityParts): Capabilities {
  const { nearby, renderNearby, datasets, termsOf, clock, log, config } = parts;
  const { anonymous_h, keyed_h, anonymous_mb } = config.datasets;
  const read = createReadDataset(
    datasets,
    throttled((reason, unsaid) => log.error({ reason, unsaid }, "dataset store")),
  );
  const search = createSearch({
    nearby,
    renderNearby,
    datasets,
    termsOf,
    clock,
    hash: sha256,
    random: randomBytes,
    retention_ms: { anonymous: anonymous_h * HOUR_MS, keyed: keyed_h * HOUR_MS },
    anonymous_bytes: anonymous_mb * MB,
    onFault: (err) => log.error({ err }, "capability"),
  });
  return { ...createExecute({ search, read, datasets, hash: sha256 }), read, search };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}
