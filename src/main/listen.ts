/** The public listener and the one of operators, over what the service is made of. */
import { countryAt } from "#app/country.ts";
import type { Location } from "#kit/geo.ts";
import { createBrands } from "#app/legacy/legacy-brands.ts";
import { createLegacyVehicles } from "#app/legacy/legacy-vehicles.ts";
import { createLegacyWater } from "#app/legacy/water-search.ts";
import { createNearby } from "#app/nearby.ts";
import { createFindIntended } from "#app/nearby-beyond.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import { createReadPlaceHistory } from "#app/history/place-history.ts";
import { createFindOne, createFindPlaceById } from "#app/nearby-one.ts";
import { createFindHeldType, createFindRetained, type HeldDeps } from "#app/places/held.ts";
import { createOpenStates, type StatesAt } from "#app/places/open-states.ts";
import { createSearches } from "#app/places/searches.ts";
import { createReadQuality } from "#app/quality-reply.ts";
import { createFindSource, createListSources, toCatalogueItem } from "#app/source-list.ts";
import type { LiveHub } from "#app/live/live-hub.ts";
import { createLookAtStation } from "#app/stations/look.ts";
import { createLookAtThing } from "#app/stations/look-at-thing.ts";
import { createReadStation } from "#app/stations/station-read.ts";
import { boundsOf, StationWatch } from "#app/stations/watch.ts";
import type { Nearby, SourceItem } from "#app/answer-types.ts";
import type { Claims } from "#ports/claims.ts";
import { toTileItem } from "#app/places/base-items.ts";
import { createOnFoot, type OnFoot } from "#app/walk/on-foot.ts";
import { createFindMobility } from "#app/walk/reach-mobility.ts";
import { createFindServices } from "#app/walk/reach-services.ts";
import { createFindTransit } from "#app/walk/reach-transit.ts";
import { withinTime } from "#app/walk/within-time.ts";
import { createWalks } from "#upstream/bases/walks.ts";
import type { Walks, WaysBetween } from "#ports/walks.ts";
import { connectionBounds } from "#http/descriptors.ts";
import { CallerNames } from "#http/request-line.ts";
import type { buildServer } from "#http/server.ts";
import { resumeAfter } from "#http/serving-datasets.ts";
import type { Datasets } from "#ports.ts";
import { openCapabilities } from "./capabilities/open-capabilities.ts";
import { createTermsOf } from "#app/capabilities/terms.ts";
import { openMcp } from "./agents.ts";
import { openGbfs } from "./open-gbfs.ts";
import { openLiveTiles } from "./live-tiles.ts";
import type { OpenFeeds } from "./open-feeds.ts";
import { openCounts } from "./open-counts.ts";
import { servePages } from "./open-pages.ts";
import type { Inputs, Made, ServiceOptions } from "./parts/given.ts";

/** Parts that answer requests. */
export const ANSWERING = [
  ...(["changelog", "storage", "shared", "tracing", "tiles", "metrics"] as const),
  ...(["history", "quality"] as const),
  ...(["feeds", "places", "transit", "weather", "catalogues", "bases", "whereabouts"] as const),
  ...(["access", "pages", "drain"] as const),
] as const;

/** And those that the listener of operators needs as well. */
export const SERVED = [...ANSWERING, "store_watch", "readiness"] as const;

export type Answering = Pick<Made & { feeds: OpenFeeds }, (typeof ANSWERING)[number]>;
export type Served = Pick<Made & { feeds: OpenFeeds }, (typeof SERVED)[number]>;
type Input = Inputs & Answering;

/** Bounds of one caller hold where limits are enforced, that of all callers always. */
export function openWatch(
  { feeds, clock, metrics, options, onFault }: Input,
  live: LiveHub,
): StationWatch {
  const watch = new StationWatch({
    clock,
    live,
    look: createLookAtStation(feeds),
    bounds: boundsOf(options.config.enforce_limits),
    onFault: (error) => onFault("watch over stations", error),
  });
  metrics.watch("svc_mcp_watched", () => [
    { labels: { what: "streams" }, value: watch.count.streams },
    { labels: { what: "stations" }, value: watch.count.stations },
  ]);
  return watch;
}

export function toServerDeps(
  input: Input,
  { watch, live }: { watch: StationWatch; live: LiveHub },
): Parameters<typeof buildServer>[0] {
  const { options, clock, log, metrics, places, transit, weather, whereabouts, access } = input;
  const { world, feeds } = input.feeds;
  const { countries, territories, timezones } = whereabouts;
  const { config, version } = options;
  const openStates = createOpenStates({ countries: countries.load, timezones, territories });
  const walks = createWalks(input.bases);
  const nearby = openNearby(input, { openStates, walks });
  const renderNearby = createRenderNearby();
  const others = listOthers(input);
  const of = { findFeed: feeds.find, others, now: clock.now };
  const termsOf = createTermsOf({ ...config.sources, registers: places.entries }, of);
  const capabilities = openCapabilities({
    config: {
      ...config,
      get plans() {
        return access.plans.all;
      },
    },
    nearby,
    renderNearby,
    clock,
    log,
    termsOf,
    datasets: resumeAfter(input.storage.datasets, input.serving),
    claims: findClaims(input),
  });
  const counts = openCounts(input);
  const findPlace = createFindPlaceById({ world, nearby, renderNearby });
  const searches = createSearches({
    ...places,
    noteServices: (items) => counts.noteServices(items),
    clock,
    walks,
    countries: countries.load,
    openStates,
    ask: places.geocoding,
    transit: transit.finders,
    departures: transit.departures,
    timetabled: transit.timetabled,
    access: transit.access,
    timezones,
  });
  const sources = createListSources({
    world,
    now: clock.now,
    feeds: feeds.snapshot,
    others,
    countries: () => countries.find,
    terms: config.sources.gbfs,
  });
  input.history.follow(sources);
  const findSource = createFindSource({ ...of, terms: config.sources.gbfs });
  return {
    clock,
    wall: clock.wall,
    log,
    metrics,
    mode: config.mode,
    drain: input.drain,
    nearby,
    renderNearby,
    tracing: input.tracing,
    serving: input.serving,
    capabilities,
    searches,
    ...{ findPlace, readPlaceHistory: createReadPlaceHistory({ world, counts }) },
    onFoot: openOnFoot(input, walks),
    changelog: input.changelog.document,
    weather,
    mcp: openMcp({
      ...{ config, version, clock, log, searches, termsOf, capabilities, watch, live },
      ...{ nearby, renderNearby },
      walks: withinTime(walks, clock, config.deadlines_ms.walk),
      findOne: createFindOne({ world, nearby, renderNearby }),
      weather: weather.soon,
      readStation: createReadStation({ world, nearby, renderNearby }),
      lookAtThing: createLookAtThing({ world, feeds }),
      findIntended: createFindIntended(world),
      timezones,
      statedZone: (id) => world.find(id)?.shard?.statics.meta.system?.timezone ?? null,
    }),
    deployment: { maps: places.maps },
    sources,
    history: input.history,
    readQuality: createReadQuality({ ...input, findSource, now: clock.now }),
    legacy: openLegacy(input),
    gbfs: openGbfs(input, termsOf),
    liveTiles: openLiveTiles(input, { held: openHeld(input), openStates }),
    gate: access.gate,
    live,
    callers: new CallerNames(access.addressOf, () => secretOf(input.storage.datasets)),
    profile: access.profile,
    photon: places.photon,
    pages: servePages(input, findPlace),
  };
}

/** Sources that are no systems. */
function listOthers({ clock, places, transit, weather, catalogues, tiles }: Input) {
  const listed = [...catalogues.listed, ...transit.catalogues];
  return (): SourceItem[] => [
    ...[places, transit, weather].flatMap((each) => each.listSources(clock.now())),
    ...listed.map((each) => toCatalogueItem(each, clock.now())),
    ...(tiles ? [toTileItem(tiles, clock.now())] : []),
  ];
}

function openLegacy({ options, clock, feeds: opened, places, whereabouts }: Input) {
  const { water_fallback } = options.config.legacy;
  const { world, feeds } = opened;
  return {
    water: createLegacyWater({ clock, ...places.water, fallback: water_fallback }),
    vehicles: createLegacyVehicles({
      world,
      feeds,
      clock,
      countries: whereabouts.countries.load,
      brands: createBrands(feeds.snapshot, clock.now),
    }),
  };
}

/** An answer is found again only where others share the datasets; null: this process is alone. */
function findClaims({ storage: { fleet, claims }, shared }: Input): Claims | null {
  return claims ?? (fleet && (shared?.claims ?? fleet.claims));
}

/** That of the deployment; null while its store has not been reached, and one of this process is in its place. */
function secretOf(datasets: Pick<Datasets, "secret" | "knowsSecret">): Uint8Array | null {
  return datasets.knowsSecret?.() === false ? null : datasets.secret;
}

/** What holds services is read as for `include=places` of /v1/nearby. */
function openHeld({ places, whereabouts: { countries } }: Input): HeldDeps {
  const countryOf = ({ lat, lon }: Location): string | null =>
    countries.find && countryAt(countries.find, lat, lon);
  return {
    ...places,
    askedElsewhere: (circle) => places.askedElsewhere(countryOf(circle)),
    askedAround: (circle) => places.askedAround(countryOf(circle)),
  };
}

function openOnFoot(input: Input, walks: Walks & WaysBetween): OnFoot {
  const { feeds, clock, transit, whereabouts } = input;
  const { countries } = whereabouts;
  return createOnFoot({
    clock,
    walks,
    held: [
      createFindServices(createFindHeldType(openHeld(input))),
      createFindMobility({ world: feeds.world, feeds: feeds.feeds, countries: countries.load }),
      createFindTransit({ clock, finders: transit.finders, timetabled: transit.timetabled }),
    ],
  });
}

function openNearby(
  input: Input,
  { openStates, walks }: { openStates: StatesAt; walks: Walks },
): Nearby {
  const { feeds, clock, whereabouts, transit } = input;
  const { world } = feeds;
  const { countries } = whereabouts;
  return createNearby({
    world,
    feeds: feeds.feeds,
    clock,
    countries: countries.load,
    findLines: transit.findLines,
    findRetained: createFindRetained(openHeld(input)),
    openStates,
    walks,
  });
}

export function toServerConfig({
  config,
  version,
}: ServiceOptions): Parameters<typeof buildServer>[1] {
  return {
    deadlines_ms: config.deadlines_ms,
    trusted_proxies: config.server.trusted_proxies,
    version,
    service: "vicinity",
    token_sunset: config.deprecation.token_sunset,
    mcp: config.mcp,
    drain_delay_ms: config.server.drain_delay_ms,
    connections: connectionBounds(config.server),
  };
}
