/** What answers requests: access, the watches over store and clock, and the listeners. */
import { join } from "node:path";
import { forgetExpired } from "#app/datasets/retention.ts";
import { createDrainState } from "#http/drain.ts";
import { Shedder } from "#http/shedding.ts";
import { countDecisions, countUsage } from "#observe/access-meter.ts";
import { ClockWatch } from "#observe/clock-watch.ts";
import { countLimits } from "#observe/fleet-ports.ts";
import { NodeFacts } from "#observe/node-facts.ts";
import { writeReadyFile } from "#observe/ready-file.ts";
import { watchReplicas } from "#observe/replica-watch.ts";
import { StoreWatch } from "#observe/store-watch.ts";
import type { Part } from "#process/parts.ts";
import { findPublicKey } from "#storage/sandbox-keys.ts";
import { moveLeftJournals } from "#storage/threads/left-journals.ts";
import { RECOVERY } from "#storage/usage/writer.ts";
import { openAccess } from "../access/open-access.ts";
import { SERVED } from "../listen.ts";
import { listen } from "../listeners.ts";
import { openPages } from "../open-pages.ts";
import type { Inputs } from "./given.ts";
import { part } from "./parts.ts";

export function listServingParts(input: Inputs): Part[] {
  return [...listAccess(input), ...listWatches(input), ...listListeners(input)];
}

function listAccess({ options, clock, log, onFault, together }: Inputs): Part[] {
  const { config, env } = options;
  return [
    // What a killed process left may be counted already, which only the ledger can decide.
    part(
      "usage_counted",
      ["storage", "keys"],
      async ({ storage: { usage, ledger } }) => {
        await usage.start();
        if (ledger) await moveLeftJournals(join(env.data_dir, config.mode), ledger, onFault);
      },
      { label: "usage", background: true },
    ),
    part("recovered", ["usage_counted"], () => null, RECOVERY),
    part(
      "shedding",
      ["metrics"],
      ({ metrics }) => {
        const shedder = new Shedder({ inflight: metrics.inflight });
        metrics.watchShed(() => shedder.state().shed);
        return shedder;
      },
      { close: (shedder) => shedder.close() },
    ),
    part(
      "access",
      ["shedding", "storage", "shared", "metrics", "fleet", "recovered"],
      ({ shedding, storage, shared, metrics, fleet }) => {
        const usage = countUsage(storage.usage, metrics, clock.wall);
        const access = openAccess({
          ...{ config, clock, log, onFault, together },
          shedder: shedding,
          storage: { ...storage, usage },
          limiter: shared ? countLimits(shared.limiter, shared.isAway, fleet) : undefined,
          decisions: countDecisions(metrics),
        });
        access.plans.watch(metrics);
        return access;
      },
      { label: "callers", close: (access) => access.close() },
    ),
  ];
}

function listWatches({ time, clock, random, log }: Inputs): Part[] {
  return [
    part(
      "expiry",
      ["storage", "access"],
      ({ storage: { datasets, health } }) => {
        datasets.start();
        const reasonOf = (): string | null =>
          health.find(({ failing }) => failing !== null)?.failing?.reason ?? null;
        return forgetExpired(datasets, clock, () =>
          log.error({ reason: reasonOf() }, "expired datasets cannot be forgotten"),
        );
      },
      { label: "expiry of datasets", close: (stop) => stop() },
    ),
    part(
      "store_watch",
      ["storage", "metrics", "access"],
      ({ storage: { files }, metrics }) => new StoreWatch({ files, clock, log, metrics }),
      { label: "names of files", close: (watch) => watch.close() },
    ),
    part(
      "clock_watch",
      ["metrics", "access"],
      ({ metrics }) => new ClockWatch({ time, clock, metrics, log, random }),
      { label: "clock", close: (watch) => watch.close() },
    ),
  ];
}

function listListeners(input: Inputs): Part[] {
  const { options, clock, log, onFault } = input;
  const { config, env, version, commit = null } = options;
  return [
    part("pages", ["sandbox", "keys"], ({ sandbox, keys: { keys } }) =>
      openPages(input, sandbox, findPublicKey(keys)),
    ),
    part("drain", [], createDrainState),
    part("listeners", SERVED, (parts) => listen(input, parts), {
      close: (listeners) => listeners.close(),
    }),
    part("ready_file", ["listeners", "sandbox"], ({ listeners, sandbox }) =>
      writeReadyFile(env.ready_file, { ...listeners, sandbox_url: sandbox?.url ?? null }),
    ),
    part(
      "facts",
      ["listeners", "storage", "metrics", "ready_file"],
      ({ listeners: { url, admin_url }, storage, metrics }) =>
        new NodeFacts({
          build: { version, commit },
          digest: config.digest,
          where: { url, admin_url, started_at: new Date(clock.now()).toISOString() },
          folder: join(env.data_dir, config.mode),
          ...{ storage, metrics, log },
        }),
      { close: (facts) => facts.close() },
    ),
    part(
      "replicas",
      ["facts", "storage", "shared", "bases", "metrics", "surveyed", "registers_read", "base_made"],
      (parts) =>
        watchReplicas({
          ...{ ...parts, clock, log, onFault },
          port: env.port,
          configured: config.sources.gtfs.feeds,
        }),
      { background: true, close: (watch) => watch?.close() },
    ),
    part("announced", ["listeners", "facts"], ({ listeners: { url, admin_url }, facts }) => {
      const file = config.file ?? "defaults";
      log.info({ url, admin_url, mode: config.mode, file, ...facts.describe() }, "listening");
      return null;
    }),
  ];
}
