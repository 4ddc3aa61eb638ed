/**
 * What is needed before anything is read: the changelog, traces, the map file, and the stores, those of
 * this process and those it shares with the other replicas of a fleet.
 */
import { existsSync } from "node:fs";
import type { Logger } from "pino";
import { findCityProblem } from "../../../sandbox/world/cities.ts";
import { createTelemetry, loadTelemetry } from "#observe/open-telemetry.ts";
import { throttled } from "#observe/throttle.ts";
import { createTracing } from "#observe/tracing.ts";
import type { Part, StartProblem } from "#process/parts.ts";
import { toLine } from "#storage/error-line.ts";
import { closeStores, openStores } from "#storage/store-deployment.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import type { HealthEvent } from "#storage/store-health.ts";
import { openShared } from "#storage/valkey/open-valkey.ts";
import { isUrl } from "#upstream/feeds/configured.ts";
import { openTileFile } from "#upstream/pmtiles/pmtiles-file.ts";
import { readChangelog } from "../open-changelog.ts";
import type { Inputs, ServiceOptions } from "./given.ts";
import { part } from "./parts.ts";

const WAITS =
  "the store is away at the start: callers without a key are served, and it is joined when it comes";

export function listStoreParts({ options, clock, log, onFault }: Inputs): Part[] {
  const { config, env, version } = options;
  const onHealth = (event: HealthEvent): void => sayHealth(log, event);
  return [
    part("checked", [], () => findMissing(options)),
    part("changelog", ["checked"], () => readChangelog(config.changelog)),
    part("telemetry", ["checked"], () => (env.traces === null ? null : loadTelemetry())),
    part(
      "storage",
      ["changelog", "telemetry"],
      () =>
        openStores(
          { data_dir: env.data_dir, mode: config.mode, store_url: env.store_url },
          // Stores break and come back while the service runs.
          {
            clock,
            onFault: throttled((error, omitted) =>
              log.error({ reason: toLine(error), omitted }, "store"),
            ),
            onHealth,
            onDefect: onFault,
            onNote: (line) => log.warn({ store: "data folder" }, line),
            onMigrated: (migration) => log.info(migration, "store migrated"),
            onMade: () => log.info({ store: "postgresql" }, "the tables of the store were made"),
            onWaiting: (event) => log.warn(event, WAITS),
            onJoined: (event) => log.info(event, "the store that was waited for is there"),
          },
        ),
      { label: "stores", close: closeStores },
    ),
    part(
      "shared",
      ["storage"],
      () =>
        env.shared_url === null
          ? null
          : openShared({
              url: env.shared_url,
              mode: config.mode,
              release: version,
              insurance: createMemoryLimiter(),
              onRefused: (event) => log.warn(event, "shared store refuses"),
              onHealth,
              onFault,
            }),
      { label: "shared store", close: (shared) => shared?.close() },
    ),
    part(
      "tracing",
      ["telemetry", "storage"],
      ({ telemetry }) => {
        if (telemetry === null || env.traces === null) return null;
        const onProblem = (message: string): void => log.warn({ message }, "traces");
        return createTracing(createTelemetry(telemetry, { ...env.traces, version, onProblem }));
      },
      { label: "traces", close: (tracing) => tracing?.close() },
    ),
    part(
      "tiles",
      ["storage"],
      () =>
        config.explorer.enabled && config.explorer.pmtiles !== null
          ? openTileFile(config.explorer.pmtiles, (err) => log.error({ err }, "explorer.pmtiles"))
          : null,
      { close: (file) => file?.close() },
    ),
  ];
}

/** One line when writes to a store begin to fail, and one when they succeed again. */
function sayHealth(log: Logger, event: HealthEvent): void {
  const { state, ...members } = event;
  if (state === "back") log.info(members, "store back");
  else log.error(members, "store away");
}

function findMissing({ config, env }: ServiceOptions): StartProblem | null {
  const city = config.mode === "sandbox" ? findCityProblem(env.sandbox_cities ?? []) : null;
  if (city !== null) return { problem: `SANDBOX_CITIES: ${city}` };
  const { catalogue } = config.sources.gbfs;
  if (catalogue === null || isUrl(catalogue) || existsSync(catalogue)) return null;
  return { problem: `config: sources.gbfs.catalogue: no such file ${catalogue}` };
}
