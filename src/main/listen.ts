/** The public listener and the one of operators, over what the service is made of. */
import type { AddressInfo } from "node:net";
import { countryAt } from "#app/country.ts";
import { createBrands } from "#app/legacy/brands.ts";
import { createLegacyVehicles } from "#app/legacy/vehicles.ts";
import { createLegacyWater } from "#app/legacy/water.ts";
import { createNearby } from "#app/nearby.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import { createFindOne } from "#app/nearby-one.ts";
import { createFindHeld } from "#app/places/held.ts";
import { createOpenStates, type StatesAt } from "#app/places/open-states.ts";
import { createSearches } from "#app/places/searches.ts";
import { createListSources, toCatalogueItem } from "#app/sources.ts";
import { createLookAtStation } from "#app/stations/look.ts";
import { createReadStation } from "#app/stations/read.ts";
import { StationWatch, WATCH_BOUNDS } from "#app/stations/watch.ts";
import type { Nearby, SourceItem } from "#app/types.ts";
import { buildPages, type Pages } from "#http/pages/site.ts";
import { Tiles } from "#http/pages/tiles.ts";
import type { TileFile } from "#ports/base-maps.ts";
import type { Claims } from "#ports/claims.ts";
import { toTileItem } from "./bases/list.ts";
import { createBaseMaps } from "#upstream/bases/maps.ts";
import type { Sandbox } from "../../sandbox/main.ts";
import type { ChangelogDocument } from "#api/changelog.ts";
import { findOperation } from "#api/operations.ts";
import { followSockets } from "#http/drain.ts";
import { CallerNames } from "#http/request-line.ts";
import { buildServer } from "#http/server.ts";
import type { ServingThread } from "#http/serving.ts";
import type { DatasetRead, Datasets, Repeated } from "#ports.ts";
import type { Config } from "#config/load.ts";
import { connectionsWithin, readDescriptorLimit } from "./descriptors.ts";
import { openAdmin } from "./access/admin.ts";
import type { OpenAccess } from "./access/open.ts";
import { openCapabilities } from "./capabilities/open.ts";
import { createTermsOf } from "./capabilities/terms.ts";
import { openMcp } from "./agents.ts";
import type { CoreInput, ServiceOptions, StartProblem } from "./bootstrap.ts";
import type { Core } from "./engine.ts";
import type { StoreWatch } from "./store-watch.ts";

export type Listeners = {
  url: string;
  admin_url: string;
  server: ReturnType<typeof buildServer>;
  /** Open connections of the server. */
  sockets: ReturnType<typeof followSockets>;
  admin: ReturnType<typeof openAdmin>;
  watch: StationWatch;
};

export type ListenInput = Core &
  Omit<CoreInput, "sandbox" | "shared"> & {
    access: OpenAccess;
    store_watch: StoreWatch;
    /** Claims of work that replicas share; null: this process is alone. */
    claims: Claims | null;
    pages: Pages | null;
    tile_file: TileFile | null;
    /** null: not published. */
    changelog: ChangelogDocument | null;
  };

export async function listen(input: ListenInput): Promise<Listeners | StartProblem> {
  const { env } = input.options;
  const watch = openWatch(input);
  const server = buildServer(toServerDeps(input, watch), toServerConfig(input.options));
  const sockets = followSockets(server.server);
  const admin = openAdmin(input);
  const bound = await Promise.allSettled([
    server.listen({ host: toBindable(env.host), port: env.port }),
    admin.listen({ host: toBindable(env.admin_host), port: env.admin_port }),
  ]);
  const failed = bound.find((each) => each.status === "rejected");
  if (failed) {
    // Whatever listens would keep the process alive, and its folder locked.
    await Promise.all([server.close(), admin.close()]);
    return { problem: describeFailure(failed.reason) };
  }
  return {
    server,
    sockets,
    admin,
    watch,
    url: addressOf(server, env.host),
    admin_url: addressOf(admin, env.admin_host),
  };
}

/** `localhost` may name either address family, or one that this machine lacks. */
function toBindable(host: string): string {
  return host === "localhost" ? "127.0.0.1" : host;
}

/** Bounds of one caller hold where limits are enforced, that of all callers always. */
function openWatch(input: ListenInput): StationWatch {
  const { world, feeds, clock, metrics, options } = input;
  const unenforced = { ...WATCH_BOUNDS, owner_max: null, block_max: null };
  const bounds = options.config.enforce_limits ? WATCH_BOUNDS : unenforced;
  const look = createLookAtStation({ world, feeds });
  const onFault = (error: unknown): void => input.onFault("watch over stations", error);
  const watch = new StationWatch({ clock, look, bounds, onFault });
  metrics.watch("svc_mcp_watched", () => [
    { labels: { what: "streams" }, value: watch.count.streams },
    { labels: { what: "stations" }, value: watch.count.stations },
  ]);
  return watch;
}

function toServerDeps(input: ListenInput, watch: StationWatch): Parameters<typeof buildServer>[0] {
  const { options, clock, log, metrics, world, feeds, places, transit, weather } = input;
  const { whereabouts, access, catalogues } = input;
  const { countries, territories, timezones } = whereabouts;
  const { config } = options;
  const openStates = createOpenStates({ countries: countries.load, timezones, territories });
  const nearby = openNearby(input, openStates);
  const renderNearby = createRenderNearby();
  const listed = [...catalogues.listed, ...transit.catalogues];
  const others = (): SourceItem[] => [
    ...[places, transit, weather].flatMap((each) => each.listSources(clock.now())),
    ...listed.map((each) => toCatalogueItem(each, clock.now())),
    ...(input.tile_file ? [toTileItem(input.tile_file, clock.now())] : []),
  ];
  const of = { findFeed: feeds.find, others, now: clock.now };
  const termsOf = createTermsOf(config.sources, of);
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
    claims: input.claims,
  });
  const searches = createSearches({
    ...places,
    clock,
    countries: countries.load,
    openStates,
    ask: places.geocoding,
    transit: transit.finders,
    departures: transit.departures,
    timetabled: transit.timetabled,
    timezones,
  });
  const { version } = options;
  const sources = createListSources({
    world,
    now: clock.now,
    feeds: feeds.snapshot,
    others,
    countries: () => countries.find,
    terms: config.sources.gbfs,
  });
  input.history.follow(sources);
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
    changelog: input.changelog,
    weather,
    mcp: openMcp({
      ...{ config, version, clock, log, searches, termsOf, capabilities, watch },
      ...{ nearby, renderNearby },
      findOne: createFindOne({ world, nearby, renderNearby }),
      weather: weather.soon,
      readStation: createReadStation({ world, nearby, renderNearby }),
      timezones,
      statedZone: (id) => world.find(id)?.shard?.statics.meta.system?.timezone ?? null,
    }),
    deployment: { maps: places.maps },
    sources,
    history: input.history,
    legacy: openLegacy(input),
    gate: access.gate,
    callers: new CallerNames(access.addressOf, () => secretOf(input.storage.datasets)),
    profile: access.profile,
    photon: places.photon,
    pages: input.pages && {
      site: input.pages,
      gate: access.page_gate,
      tiles: new Tiles(createBaseMaps(input.bases, input.tile_file), {
        onFault: (error) => input.onFault("tiles", error),
        serving: input.serving,
      }),
    },
  };
}

function openLegacy({ options, clock, world, feeds, places, whereabouts }: ListenInput) {
  const { water_fallback } = options.config.legacy;
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

/** That of the deployment; null while its store has not been reached, and one of this process is in its place. */
function secretOf(datasets: Pick<Datasets, "secret" | "knowsSecret">): Uint8Array | null {
  return datasets.knowsSecret?.() === false ? null : datasets.secret;
}

/** A store whose callers are worked for again when it has answered. */
function resumeAfter(datasets: Datasets, serving: ServingThread) {
  return {
    get secret() {
      return datasets.secret;
    },
    knowsSecret: () => datasets.knowsSecret?.() ?? true,
    put: serving.resuming((each: Parameters<Datasets["put"]>[0]) => datasets.put(each)),
    read: serving.resuming<Parameters<Datasets["read"]>, DatasetRead>((...of) =>
      datasets.read(...of),
    ),
    keepOn: serving.resuming<Parameters<Datasets["keepOn"]>, boolean>((...of) =>
      datasets.keepOn(...of),
    ),
    findRepeat: serving.resuming<Parameters<Datasets["findRepeat"]>, Repeated | null>((...of) =>
      datasets.findRepeat(...of),
    ),
  } satisfies Partial<Datasets>;
}

function openNearby(
  { world, feeds, clock, whereabouts: { countries }, places, transit }: ListenInput,
  openStates: StatesAt,
): Nearby {
  const askedElsewhere = ({ lat, lon }: { lat: number; lon: number }) =>
    places.askedElsewhere(countries.find && countryAt(countries.find, lat, lon));
  return createNearby({
    world,
    feeds,
    clock,
    countries: countries.load,
    findLines: transit.findLines,
    findHeld: createFindHeld({ ...places, askedElsewhere }),
    openStates,
  });
}

function toServerConfig({
  config,
  version,
}: ListenInput["options"]): Parameters<typeof buildServer>[1] {
  return {
    deadlines_ms: config.deadlines_ms,
    trusted_proxies: config.server.trusted_proxies,
    version,
    service: "vicinity",
    token_sunset: config.deprecation.token_sunset,
    mcp: config.mcp,
    drain_delay_ms: config.server.drain_delay_ms,
    connections: toBounds(config.server),
  };
}

/** As many as configured, and fewer where the system allows the process fewer descriptors. */
function toBounds(server: Config["server"]): Parameters<typeof buildServer>[1]["connections"] {
  const { max_connections, max_connections_per_address, write_timeout_ms } = server;
  const possible = connectionsWithin(readDescriptorLimit());
  return {
    max_connections: Math.min(max_connections, possible),
    max_connections_per_address,
    write_timeout_ms,
  };
}

function describeFailure(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

function addressOf(server: { server: { address(): unknown } }, host: string): string {
  const { port } = server.server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The pages of this deployment, by its configuration and its mode; null: switched off. */
export function openPages(
  { config, env, version, onFault }: ServiceOptions & Pick<CoreInput, "onFault">,
  sandbox: Sandbox | null,
  key: string | null,
): Pages | null {
  const { enabled, style, style_hosts, start } = config.explorer;
  if (!enabled) return null;
  const plans = sandbox?.plans() ?? [];
  const [first] = plans;
  const first_city = first ? { lat: first.lat, lon: first.lon } : null;
  const pages = {
    mode: config.mode,
    version,
    style,
    style_hosts,
    start: start ?? first_city,
    cities: plans,
    salt: `${version} ${sandbox ? env.sandbox_seed : ""}`,
    weather: findOperation("getWeather").path,
    units: config.weather.units,
    reference: { key, changelog: config.changelog.published },
  };
  return buildPages(pages, (error) => onFault("pages", error));
}
