/** The world, the feeds that fill it, and the sources that are asked per request, with what each reads at the start. */
import { join } from "node:path";
import { IN_TURNS } from "#app/places/name-turns.ts";
import { openCatalogues } from "#app/catalogues.ts";
import { openPlaces } from "#app/places/open-places.ts";
import { openSourceHistory } from "#app/source-history.ts";
import { openSourceQuality } from "#app/source-quality.ts";
import { listNotAsked, listUnbounded } from "#app/source-warnings.ts";
import { openTransit } from "#app/transit/open-transit.ts";
import { openWeather } from "#app/weather/open-weather.ts";
import { createWhereabouts } from "#app/whereabouts.ts";
import { listAddresses } from "#config/hosts.ts";
import { listNeeded, simulated } from "#config/simulated.ts";
import { measureCapacity, measureMemory } from "#osm/reader/capacity.ts";
import { watchDescriptors } from "#http/descriptors.ts";
import { createMetrics } from "#http/metrics.ts";
import { watchBasePages } from "#observe/base-meter.ts";
import { watchCatalogues } from "#observe/catalogue-meter.ts";
import { openFleetMeter } from "#observe/fleet-meter.ts";
import { importFacts, watchImports } from "#observe/import-meter.ts";
import { noteCatalogues } from "#observe/lookup-events.ts";
import { watchSpace } from "#observe/store-watch.ts";
import type { Part } from "#process/parts.ts";
import { baseFolder, createBaseStore, withFiles } from "#storage/base-files.ts";
import { threadImport } from "#transit/archive/archive-thread.ts";
import { createImportLanes } from "#transit/archive/import-lanes.ts";
import { createGazetteer, NO_GAZETTEER } from "#upstream/bases/gazetteer.ts";
import { SearchThread } from "#upstream/bases/search-thread.ts";
import { megabytes } from "#upstream/bases/page-cache.ts";
import { BaseShelf, NO_BASES } from "#upstream/bases/shelf.ts";
import { createSimulatedBase } from "#upstream/bases/simulated.ts";
import { listSystems } from "#upstream/feeds/configured.ts";
import { Spending } from "#upstream/lookup/lookup-limits.ts";
import { withObjects } from "#upstream/bases/object-bases.ts";
import { openNetwork } from "#upstream/network.ts";
import { openFeeds } from "../open-feeds.ts";
import { WORKERS } from "../workers.ts";
import { toLookupDeps } from "./lookups.ts";
import type { Inputs } from "./given.ts";
import { part } from "./parts.ts";

export function listSourceParts(input: Inputs): Part[] {
  return [
    ...listWaysOut(input),
    ...listBaseParts(input),
    ...listOpened(input),
    ...listMeters(input),
    ...listRead(),
  ];
}

/** How sources are reached, and what is noted of it. */
function listWaysOut(input: Inputs): Part[] {
  const { options, clock, log, onFault } = input;
  const { config, version, http_limits } = options;
  return [
    part("metrics", [], createMetrics, { close: (metrics) => metrics.close() }),
    part("fleet", ["metrics", "storage", "shared"], openFleetMeter),
    part("network", [], () => openNetwork({ config, version, http_limits, clock, onFault }), {
      label: "connections to sources",
      close: (network) => network.close(),
    }),
    part(
      "history",
      ["storage"],
      ({ storage: { documents } }) => {
        const onUnkept = (): void => log.warn("the history of sources could not be written");
        return openSourceHistory({ clock, documents, onUnkept });
      },
      { close: (history) => history.close() },
    ),
    part(
      "quality",
      ["storage"],
      ({ storage: { documents } }) => {
        const onUnkept = (): void => log.warn("the quality of sources could not be written");
        return openSourceQuality({ clock, documents, onUnkept });
      },
      { close: (quality) => quality.close() },
    ),
    part(
      "spending",
      ["storage", "shared"],
      ({ storage: { spend }, shared }) => new Spending(clock, shared?.spendOver(spend) ?? spend),
      { label: "counts of paid calls", close: (spending) => spending.close() },
    ),
    part(
      "lookups",
      [
        ...(["storage", "shared", "tracing", "metrics", "fleet", "network"] as const),
        ...(["history", "quality", "spending"] as const),
      ],
      (parts) => toLookupDeps(input, parts),
    ),
  ];
}

/** Bases, the gazetteer, and what they say of where a place is. */
function listBaseParts({ options, clock, log, onFault }: Inputs): Part[] {
  const { config, env, version } = options;
  const folder = join(env.data_dir, config.mode);
  const gazetteer_folder = join(folder, "gazetteer");
  return [
    part("sources", ["sandbox"], ({ sandbox }) => simulated(config.sources, sandbox)),
    part(
      "name_thread",
      ["sources"],
      ({ sources: { openbase } }) =>
        openbase.enabled
          ? new SearchThread({ worker_url: WORKERS.search, onFault, inTurns: IN_TURNS })
          : null,
      { close: (thread) => thread?.close() },
    ),
    part(
      "bases",
      ["sources", "storage", "network", "name_thread"],
      ({ sources: { openbase }, storage, network: { runFeeds: run }, name_thread }) =>
        openbase.enabled
          ? new BaseShelf({
              store: withObjects(withFiles(storage.bases, openbase.files), openbase.objects, {
                ...{ run, clock, log },
              }),
              ...{ clock, log },
              memory_bytes: megabytes(openbase.memory_mb),
              onGone: ({ geocoder }) => geocoder?.page && name_thread?.letGo(geocoder.page),
            })
          : NO_BASES,
      { close: (bases) => bases.close() },
    ),
    part(
      "gazetteer",
      ["sources"],
      ({ sources: { openbase } }) =>
        openbase.enabled && openbase.gazetteer
          ? createGazetteer({
              store: createBaseStore(gazetteer_folder),
              maker: { url: WORKERS.gazetteer, args: [gazetteer_folder] },
              log,
            })
          : NO_GAZETTEER,
      { close: (gazetteer) => gazetteer.close() },
    ),
    part(
      "simulated_base",
      ["sources", "sandbox", "bases", "storage"],
      ({ sources, sandbox, bases, storage }) =>
        createSimulatedBase({
          extract: (sources.openbase.enabled && sandbox?.extract) || null,
          bases,
          store: storage.bases,
          store_folder: baseFolder(folder),
          folder,
          version,
          worker_url: WORKERS.simulated_base,
          clock,
          log,
        }),
      { close: (base) => base.close() },
    ),
    part("whereabouts", ["bases"], ({ bases }) =>
      createWhereabouts(bases, (error) => onFault("whereabouts", error)),
    ),
  ];
}

/** Feeds and sources that are open, and have read nothing yet. */
function listOpened(input: Inputs): Part[] {
  const { options, clock, log, onFault, serving, reads } = input;
  const { config, env } = options;
  const folder = join(env.data_dir, config.mode);
  return [
    part(
      "feeds",
      [
        ...(["storage", "shared", "tracing", "network", "metrics", "fleet"] as const),
        ...(["history", "quality", "whereabouts"] as const),
      ],
      (parts) => openFeeds(input, parts),
      { close: (feeds) => feeds.close() },
    ),
    part(
      "places",
      ["sources", "lookups", "bases", "gazetteer", "name_thread", "whereabouts"],
      ({ sources, lookups, whereabouts, ...parts }) =>
        openPlaces(
          { ...config, sources },
          { ...lookups, ...parts, countries: whereabouts.countries.load },
        ),
      { close: (places) => places.close() },
    ),
    part(
      "transit",
      ["sources", "sandbox", "lookups", "feeds", "whereabouts", "storage", "history"],
      ({ sources, sandbox, lookups, feeds, whereabouts, storage, history }, started) => {
        const { timetables } = listNeeded(sources, sandbox);
        return openTransit(
          { sources },
          {
            ...lookups,
            ...feeds,
            countries: whereabouts.countries.load,
            documents: storage.documents,
            onEvent: noteCatalogues(log, history),
            onTimetable: history.note,
            log,
            serving,
            store: storage.transit,
            importFeed: threadImport({
              worker_url: WORKERS.import,
              onFault,
              capacity: () => measureCapacity(folder),
              lanes: createImportLanes("service", {
                most: sources.gtfs.imports_at_once,
                memory_bytes: measureMemory(),
              }),
            }),
            fetched_folder: join(folder, "fetched"),
            imports: reads,
            live_worker: WORKERS.live,
            catalogue_worker: WORKERS.catalogue,
            ...(sandbox && {
              untilTurn: (id) => (timetables.includes(id) ? Promise.resolve() : started("turn")),
            }),
          },
        );
      },
      { label: "timetables", close: (transit) => transit.close() },
    ),
    part("weather", ["sources", "lookups", "whereabouts"], ({ sources, lookups, whereabouts }) =>
      openWeather(
        { ...config, sources },
        {
          ...lookups,
          countries: whereabouts.countries.load,
          timezones: whereabouts.timezones,
        },
      ),
    ),
    part(
      "catalogues",
      ["sources", "feeds", "network", "storage", "history"],
      ({ sources, feeds: { world, add }, network, storage, history }) =>
        openCatalogues(sources, {
          clock,
          onFault,
          documents: storage.documents,
          onEvent: noteCatalogues(log, history),
          run: network.runFeeds,
          world,
          add,
        }),
      { close: (catalogues) => catalogues.close() },
    ),
  ];
}

function listMeters({ options: { config }, clock, log, faults }: Inputs): Part[] {
  return [
    part("readiness", ["catalogues"], ({ catalogues: { listed } }) => ({
      ready: listed.length === 0,
    })),
    part(
      "meters",
      ["metrics", "transit", "bases", "catalogues", "storage"],
      ({ metrics, transit, bases, catalogues, storage }) => {
        metrics.watch("svc_defects_total", () => [{ labels: {}, value: faults() }]);
        watchBasePages(metrics, bases);
        watchImports(metrics, importFacts({ transit, bases }, clock.now));
        watchCatalogues(metrics, [...catalogues.listed, ...transit.catalogues], clock.now);
        watchSpace(metrics, storage);
        watchDescriptors(metrics);
        return null;
      },
    ),
    part("warnings", ["places", "transit", "weather"], ({ places, transit, weather }) => {
      for (const source of listUnbounded(config))
        log.warn(
          { source },
          `sources.${source}.calls_per_day is not set: its key has no bound a day`,
        );
      for (const { message, ...members } of listNotAsked([places, transit, weather]))
        log.warn(members, `not asked: ${message}`);
      return null;
    }),
  ];
}

/** What is read, the most of it in the background. */
function listRead(): Part[] {
  const background = true;
  return [
    part(
      "systems",
      ["sources", "sandbox", "network", "feeds"],
      async ({ sources, sandbox, network, feeds: { add, feeds } }, started) => {
        const systems = listSystems(sources, sandbox);
        const own = [...listAddresses(sources).map((url) => ({ url })), ...systems];
        network.allow(own, { own: true });
        await add(systems);
        const { countries } = listNeeded(sources, sandbox);
        feeds.start(sandbox && { countries, until: started("turn") });
        return null;
      },
    ),
    part(
      "bases_read",
      ["bases", "simulated_base"],
      async ({ bases, simulated_base }) => {
        await simulated_base.clear();
        await bases.start();
      },
      { label: "bases", background },
    ),
    part("registers_read", ["places", "systems"], ({ places }) => places.start(), {
      label: "registers",
      background,
    }),
    part("timetables_read", ["transit", "systems"], ({ transit }) => transit.start(), {
      label: "timetables",
      background,
    }),
    part("recalled", ["catalogues", "systems"], ({ catalogues }) => catalogues.recall()),
    part(
      "catalogues_read",
      ["catalogues", "recalled", "readiness"],
      async ({ catalogues, readiness }) => {
        try {
          await catalogues.start();
        } finally {
          readiness.ready = true;
        }
      },
      { label: "catalogues", background },
    ),
    part("surveyed", ["catalogues_read", "feeds"], ({ feeds: { feeds } }) => feeds.surveyed(), {
      background,
    }),
    // Only now, since it takes all of a core.
    part(
      "base_made",
      ["turn", "bases_read", "timetables_read", "simulated_base"],
      ({ simulated_base }) => simulated_base.provide(),
      { label: "simulated base", background },
    ),
  ];
}
