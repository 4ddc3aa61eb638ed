/**
 * The sources of places of a deployment, put together: who knows which kind, in the order in which
 * they lead where two see the same thing (decisions, Urban services).
 */
import type { Sandbox } from "../../../sandbox/main.ts";
import type { Finder, PlaceQuestion } from "#app/places/finder.ts";
import { aroundFinder, registryFinder, tileFinder } from "#app/places/finders.ts";
import type { GeocodingDeps } from "#app/places/geocoding.ts";
import type { SourceItem } from "#app/types.ts";
import type { Config } from "#config/load.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { Descriptor } from "#providers/define.ts";
import googleMaps from "#providers/google_maps/index.ts";
import inpostProvider from "#providers/inpost/index.ts";
import { inpost, INPOST_COUNTRIES } from "#providers/inpost/points.ts";
import nominatim from "#providers/nominatim/index.ts";
import { openChargeMap } from "#providers/openchargemap/poi.ts";
import openChargeMapProvider from "#providers/openchargemap/index.ts";
import openstreetmap from "#providers/openstreetmap/index.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import ocpiProvider from "#providers/ocpi/index.ts";
import openAedMapProvider from "#providers/openaedmap/index.ts";
import pelias from "#providers/pelias/index.ts";
import photon from "#providers/photon/index.ts";
import refugeProvider from "#providers/refuge_restrooms/index.ts";
import { refugeRestrooms } from "#providers/refuge_restrooms/restrooms.ts";
import type { AskDeps } from "#upstream/lookup/ask.ts";
import { createAskTiles } from "#upstream/lookup/tiles.ts";
import type { Tiles } from "#world/places/tiles.ts";
import { type LookupHealth, type Listed, toSourceItem } from "./health.ts";
import { exactly, nameMaps, openGeocoding, openGoogle, publishedBy } from "./maps.ts";
import { askOf, notConfigured, type Places, treat } from "./parts.ts";
import { openRegistries, type OpenRegistry, type RegistryDeps } from "./registries.ts";
import { openWater, type OpenWater } from "./water.ts";
import { fillIn, openMapUrl, toBase } from "./settings.ts";

export type OpenPlaces = {
  maps: { id: string; name: string };
  geocoding: GeocodingDeps["ask"];
  finders: readonly Finder[];
  /** Of the legacy route; no part of the services. */
  water: OpenWater;
  /** Kinds that are known without asking anybody, for `include=places`: where they are held. */
  tiles: Tiles;
  registries: readonly OpenRegistry[];
  tileKinds: readonly PlaceKind[];
  tile_ms: number;
  /** Kinds that are asked of somebody else than the open map in this country. */
  askedElsewhere(country: string | null): readonly PlaceKind[];
  /** How parking and charging are published, whoever they came from. */
  published(place: Place): Place;
  /** Every address that may be asked. */
  addresses: readonly { url: string }[];
  listSources(now_ms: number): SourceItem[];
  /** Resolves when every registry was tried once. */
  start(): Promise<void>;
  close(): void;
};

type Deps = AskDeps & RegistryDeps & { tiles: Tiles; health: LookupHealth };

/** Toilets and charging stations change rarely; a question a kilometre away is the same question. */
const REFUGE_S = 6 * 3600;
const CHARGING_S = 60;
const TILES_S = 24 * 3600;
const SNAP_DEGREES = 0.01;
/** Half the diagonal of a cell of that size. */
const SNAP_M = 800;
/** Of charging stations around a point, for a source that lists the nearest so many. */
const MOST_CHARGERS = 250;

export function openPlaces(config: Config, sandbox: Sandbox | null, deps: Deps): OpenPlaces {
  const { sources } = config;
  const places = fillIn(sources.places, sandbox);
  const maps = nameMaps(config);
  const open = sources.maps.adapter === "openstreetmap";
  const mapUrl = openMapUrl(sources.openstreetmap, sandbox);
  const registries = openRegistries(places, { registry: sources.aed.registry, open }, deps);
  const google = !open && places.google_maps.enabled ? openGoogle(places, deps) : null;
  const published = publishedBy(maps);
  const most = ({ maps_limit }: PlaceQuestion): number => maps_limit;
  const mapFinders = openMapFinders({ config, places, open, maps, url: mapUrl }, deps);
  const water = openWater(places, mapFinders[0] ?? null, deps);
  const around = { key: maps.id, toQuery: exactly, most, as: published };
  const finders: Finder[] = [
    ...registries.map((each) => toRegistryFinder(each, published)),
    ...refugeFinder(places, deps),
    ...lockerFinder(places, deps),
    ...(google ? [aroundFinder({ ...around, kind: "parking", ask: google.parking })] : []),
    ...(google ? [aroundFinder({ ...around, kind: "charging", ask: google.charging })] : []),
    ...(open ? openChargeMapFinder(places, published, deps) : []),
    ...mapFinders,
  ];
  const listed = [
    ...listSources({ config, places, maps, open, registries, sandbox }),
    ...water.listed,
  ];
  const background = [...registries.map(({ runtime }) => runtime), water];
  return {
    maps,
    geocoding:
      google?.geocoding ?? (open ? openGeocoding(sources.maps.geocoder, places, deps) : null),
    ...{ finders, water, registries, tiles: deps.tiles, published },
    tileKinds: mapUrl === null ? [] : tileKinds(open),
    // As long as a tile may be shown while it is renewed.
    tile_ms: 2 * TILES_S * 1000,
    askedElsewhere: (country) => (places.inpost.enabled && isCovered(country) ? ["locker"] : []),
    addresses: [...listAddresses(places), ...(mapUrl === null ? [] : [{ url: mapUrl }])],
    listSources: (now_ms) => listed.map((each) => toSourceItem(each, deps.health, now_ms)),
    start: async () => void (await Promise.all(background.map((each) => each.start()))),
    close: () => background.forEach((each) => each.close()),
  };
}

function listAddresses(places: Places): { url: string }[] {
  return Object.values(places).flatMap((settings) => {
    const more = "places_url" in settings ? [settings.places_url] : [];
    const own = settings === places.inpost ? Object.values(places.inpost.countries) : [];
    return [settings.url, ...more, ...own].flatMap((url) => (url === null ? [] : [{ url }]));
  });
}

/** What the open map's tiles may hold. */
function tileKinds(open: boolean): PlaceKind[] {
  const community: PlaceKind[] = ["aed", "toilets", "water", "wifi", "locker"];
  return open ? [...community, "parking", "charging"] : community;
}

function toRegistryFinder(each: OpenRegistry, published: ReturnType<typeof publishedBy>): Finder {
  const { id, kind, set, runtime, fresh_ms, covers } = each;
  const finder = registryFinder({ key: id, kind, set, health: runtime.health, fresh_ms });
  const kindsFor: Finder["kindsFor"] = (question) =>
    covers(question.country) ? finder.kindsFor(question) : [];
  if (kind !== "charging") return { ...finder, kindsFor };
  return {
    ...{ key: finder.key, kindsFor },
    find: async (question) => {
      const finding = await finder.find(question);
      const found = finding.places.map((one) => ({ ...one, place: published(one.place) }));
      return { ...finding, places: found };
    },
  };
}

function refugeFinder(places: Places, deps: Deps): Finder[] {
  const { refuge_restrooms: stated } = places;
  if (!stated.enabled) return [];
  const { url, timeout_ms } = stated;
  const policy = treat(refugeProvider, stated, { cache_s: REFUGE_S, places: 4 });
  const settings = { url: toBase(url ?? ""), timeout_ms };
  return [
    aroundFinder({
      ...{ key: "refuge_restrooms", kind: "toilets", toQuery: snapped },
      ask: url === null ? notConfigured() : askOf(refugeRestrooms, { settings, policy }, deps),
    }),
  ];
}

/** Neighbours ask the same question, and everybody gets what lies in his own circle. */
function snapped({ circle, country }: PlaceQuestion): ReturnType<typeof exactly> {
  const snap = (degrees: number): number => Math.round(degrees / SNAP_DEGREES) / (1 / SNAP_DEGREES);
  return {
    lat: snap(circle.lat),
    lon: snap(circle.lon),
    radius_m: Math.ceil((circle.radius_m + SNAP_M) / 500) * 500,
    ...{ limit: MOST_CHARGERS, language: null, country },
  };
}

function lockerFinder(places: Places, deps: Deps): Finder[] {
  const { inpost: stated } = places;
  if (!stated.enabled) return [];
  const { url, timeout_ms, countries } = stated;
  const policy = treat(inpostProvider, stated, { cache_s: 300, places: 4, retry: false });
  const settings = { url: toBase(url ?? ""), timeout_ms, countries };
  return [
    aroundFinder({
      ...{ key: "inpost", kind: "locker", covers: hasLockers, toQuery: exactly },
      ask: url === null ? notConfigured() : askOf(inpost, { settings, policy }, deps),
    }),
  ];
}

function hasLockers({ country }: PlaceQuestion): boolean {
  return isCovered(country);
}

function isCovered(country: string | null): boolean {
  return country !== null && INPOST_COUNTRIES.has(country);
}

function openChargeMapFinder(
  places: Places,
  published: ReturnType<typeof publishedBy>,
  deps: Deps,
): Finder[] {
  const { openchargemap: stated } = places;
  if (!stated.enabled) return [];
  const { url, api_key, timeout_ms } = stated;
  const policy = treat(openChargeMapProvider, stated, { cache_s: CHARGING_S, places: 4 });
  return [
    aroundFinder({
      ...{ key: "openchargemap", kind: "charging", toQuery: snapped, as: published },
      ask:
        url === null || api_key === null
          ? notConfigured()
          : askOf(
              openChargeMap,
              { settings: { url: toBase(url), api_key, timeout_ms }, policy },
              deps,
            ),
    }),
  ];
}

type OpenMap = {
  config: Config;
  places: Places;
  open: boolean;
  maps: { id: string };
  url: string | null;
};

/** The open map's own kinds, and parking and charging where it is the maps provider. */
function openMapFinders({ config, places, open, maps, url }: OpenMap, deps: Deps): Finder[] {
  const { openstreetmap: stated } = config.sources;
  if (!stated.enabled || (url === null && stated.stations.length > 0)) return [];
  const { services_timeout_ms: timeout_ms } = stated;
  const policy = treat(
    openstreetmap,
    { ...stated, calls_per_day: null },
    // Public servers want to be left alone for half a minute (places.md 2.6).
    { cache_s: TILES_S, retry: false, cool_down_ms: 30_000 },
  );
  const settings = { url: toBase(url ?? ""), timeout_ms };
  const ask =
    url === null
      ? () =>
          Promise.resolve({
            failure: { status: "unavailable" as const, reason: "not_configured" },
            ...{ cache: "miss" as const, calls: 0, raw: 0 },
          })
      : createAskTiles(openMapServices, { settings, policy }, deps);
  const community: readonly PlaceKind[] = ["aed", "toilets", "water", "wifi"];
  const isOwn = (kind: PlaceKind, question: PlaceQuestion): boolean =>
    community.includes(kind) ||
    // Decisions: where the locker provider has no coverage.
    (kind === "locker" && !(places.inpost.enabled && hasLockers(question)));
  const isFacility = (kind: PlaceKind): boolean => kind === "parking" || kind === "charging";
  const together = (question: PlaceQuestion): PlaceKind[] =>
    question.kinds.filter((kind) => isOwn(kind, question) || (open && isFacility(kind)));
  const tile = { ask, together, tiles: deps.tiles, fresh_ms: policy.fresh_ms };
  const own = tileFinder({
    ...{ ...tile, key: "openstreetmap" },
    kinds: (question) => question.kinds.filter((kind) => isOwn(kind, question)),
  });
  if (!open) return [own];
  const facility = (kind: "parking" | "charging"): Finder =>
    tileFinder({
      ...{ ...tile, key: maps.id, as: publishedBy(maps) },
      kinds: ({ kinds }) => kinds.filter((each) => each === kind),
      most: ({ maps_limit }) => maps_limit,
    });
  return [own, facility("parking"), facility("charging")];
}

type Listing = {
  config: Config;
  places: Places;
  maps: { id: string; name: string };
  open: boolean;
  registries: readonly OpenRegistry[];
  sandbox: Sandbox | null;
};

const ONLY_OPEN = "It is asked only where sources.maps.adapter is openstreetmap.";

const GEOCODERS = { photon, nominatim, pelias } as const;

/** In the order of `/v1/sources`: whoever is asked in this deployment, configured or not. */
function listSources(listing: Listing): Listed[] {
  const { config, places, maps, open, registries, sandbox } = listing;
  const { openstreetmap: map, maps: chosen } = config.sources;
  const row = (
    provider: Descriptor,
    stated: Listed["terms"],
    configured: boolean,
    as: { id: string; name: string } = provider,
  ): Listed => ({
    ...{ id: as.id, name: as.name, provider, operations: provider.operations },
    ...{ terms: stated, configured, registry: null },
  });
  const { google_maps, refuge_restrooms, inpost: lockers, openchargemap } = places;
  const geocoder = GEOCODERS[chosen.geocoder];
  const unused = (one: Listed, why: string): Listed => ({ ...one, unused: why });
  const rows: (Listed | false)[] = [
    !open &&
      google_maps.enabled &&
      row(googleMaps, google_maps, google_maps.api_key !== null, maps),
    open &&
      places[chosen.geocoder].enabled &&
      row(geocoder, places[chosen.geocoder], places[chosen.geocoder].url !== null),
    refuge_restrooms.enabled &&
      row(refugeProvider, refuge_restrooms, refuge_restrooms.url !== null),
    lockers.enabled && row(inpostProvider, lockers, lockers.url !== null),
    open &&
      openchargemap.enabled &&
      row(openChargeMapProvider, openchargemap, openchargemap.api_key !== null),
    !open &&
      openchargemap.enabled &&
      unused(row(openChargeMapProvider, openchargemap, true), ONLY_OPEN),
    !open && places.ocpi.enabled && unused(row(ocpiProvider, places.ocpi, true), ONLY_OPEN),
    config.sources.aed.registry === "openaedmap" &&
      places.openaedmap.enabled &&
      places.openaedmap.url === null &&
      config.mode === "live" &&
      row(openAedMapProvider, places.openaedmap, false),
    map.enabled &&
      (map.stations.length === 0 || map.url !== null) &&
      row(openstreetmap, map, openMapUrl(map, sandbox) !== null),
    ...registries.map(({ id, name, provider, terms, configured, runtime }) => ({
      ...{ id, name, provider, operations: provider.operations, terms, configured },
      registry: runtime,
    })),
  ];
  return rows.filter((each) => each !== false);
}
