/**
 * The sources of places of a deployment, put together from their descriptors: which are asked, for
 * which kinds, in the order in which they lead (decisions, Urban services).
 */
import type { Finder } from "#app/places/place-finder.ts";
import { WordBook } from "#app/places/word-book.ts";
import { askBases, type BaseGeocodingDeps } from "#app/places/base-geocoding.ts";
import type { GeocodingDeps } from "#app/places/geocoding.ts";
import { compareRank, isChosen, isOfPlaces, isUnused } from "#app/places/source-choice.ts";
import { createPhoton, type Photon } from "#app/photon/photon-search.ts";
import { toUnopenedSource } from "#osm/base/other-version.ts";
import type { BaseStatementBody } from "#api/bases.ts";
import type { QueriedSource } from "#core/coverage.ts";
import type { Location } from "#kit/geo.ts";
import type { SourceItem } from "#app/answer-types.ts";
import type { Config } from "#config/load.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { getProvider, listSources, type SourceId, SOURCES } from "#providers/registry.ts";
import type { AskDeps } from "#upstream/lookup/ask-source.ts";
import { createBasePlaces, type HeldTiles, inFrontOf } from "#world/places/base-places.ts";
import type { Tiles } from "#world/places/place-tiles.ts";
import type { Circle } from "#world/system-entry.ts";
import {
  askOf,
  coversOf,
  type OpenedSource,
  openShaped,
  openSource,
  openUnconfigured,
} from "#upstream/lookup/opened-source.ts";
import type { NameEngine } from "#ports/name-engine.ts";
import type { GazetteerShelf } from "#upstream/bases/gazetteer.ts";
import { listBases } from "./base-items.ts";
import { createFindInterests, type FindInterests, type InterestDeps } from "./interest-finder.ts";
import type { HeldBase } from "#upstream/bases/held-base.ts";
import type { Bases } from "#upstream/bases/shelf.ts";
import { joinRuntimes, type OpenRegister, openRegisters, type RegisterDeps } from "./registers.ts";
import type { Source } from "#providers/source.ts";
import { findersOf, type PlaceSource, tileKindsOf } from "./source-finders.ts";
import { type ListedSource, type LookupHealth, toListed, toSourceItem } from "#app/source-items.ts";
import { openWater, type OpenWater } from "#app/legacy/water-sources.ts";

export type OpenPlaces = {
  maps: { id: string; name: string };
  geocoding: GeocodingDeps["ask"];
  /** Photon's interface over the bases; null: switched off. */
  photon: { prefix: string; photon: Photon } | null;
  finders: readonly Finder[];
  /** Of the legacy route; no part of the services. */
  water: OpenWater;
  /** Kinds that are known without asking, for `include=places`: where they are held. */
  tiles: HeldTiles;
  registries: readonly OpenRegister[];
  /** Registers by address and shape, those of the simulator included. */
  entries: NonNullable<Config["sources"]["registers"]>;
  /** Kinds that the open map may hold here. */
  tileKinds(circle: Circle): readonly PlaceKind[];
  tile_ms: number;
  /** Kinds that another source than the open map is asked for in this country. */
  askedElsewhere(country: string | null): readonly PlaceKind[];
  /** Kinds of which sources in this country are asked for each question. */
  askedAround(country: string | null): readonly PlaceKind[];
  /** The imported base that answers for the open map at a point; null: none covers it. */
  baseAt(at: Location): BaseStatementBody | null;
  /** The open map, where the base that answers for it ends within the circle, or the one that cannot be opened. */
  endingIn(circle: Circle): readonly QueriedSource[];
  /** How parking and charging are published, whichever source they came from. */
  published(place: Place): Place;
  /** Points of interest by class. */
  interests: FindInterests;
  listSources(now_ms: number): SourceItem[];
  /** Resolves when every register was tried once. */
  start(): Promise<void>;
  close(): void;
};

type Deps = AskDeps &
  RegisterDeps & {
    tiles: Tiles;
    health: LookupHealth;
    bases: Bases;
    gazetteer: GazetteerShelf;
    /** Ranks long questions by name; null or absent: the serving thread does, in turns. */
    name_thread?: NameEngine | null;
  };

const MAP = "openstreetmap";
const ONLY_OPEN = "It is asked only where sources.maps.adapter is openstreetmap.";

export function openPlaces(config: Config, deps: Deps): OpenPlaces {
  const { sources } = config;
  const maps = nameMaps(config);
  /** Of what is held between questions, made once. */
  const cache = new WeakMap<Place, Place>();
  const published = (place: Place): Place => {
    const observed_by = place.source_id === sources.maps.adapter ? maps.id : place.source_id;
    const named = { source_id: maps.id, source_type: "partner_api", observed_by } as const;
    let made = cache.get(place);
    if (made === undefined) cache.set(place, (made = { ...place, ...named }));
    return made;
  };
  const opened: OpenedSource[] = [
    ...listSources().flatMap(([id]) => openSource(id, sources) ?? []),
    ...openShaped(sources),
  ];
  const named = toBaseDeps(deps);
  const usesBases = sources.openbase.enabled;
  const searchesBases = usesBases && isEmbedded(config);
  const bases = searchesBases
    ? createBasePlaces(
        listOf(() => deps.bases.list(), "services"),
        () => deps.bases.listUnread(),
      )
    : createBasePlaces(() => NO_BASES);
  const stored = inFrontOf(deps.tiles, bases, deps.clock.now);
  const isNamed = opened.some(({ id }) => id === MAP);
  const joined = searchesBases && !isNamed ? [openUnconfigured(MAP, sources)] : [];
  const members = [...opened, ...joined]
    .filter((each) => isOfPlaces(each) && isChosen(each, sources))
    .toSorted((a, b) => compareRank(a, b, sources))
    .map((each): PlaceSource => ({
      ...each,
      registers: openRegisters(each, deps),
      isAdapter: each.id === sources.maps.adapter,
      listed: !joined.includes(each),
    }));
  const leading = members.filter(({ source }) => source.precedence !== undefined);
  const others = leading.filter(({ source }) => source.instead_of_tiles);
  const askedElsewhere = toAround(others);
  const isElsewhere = others.length > 0;
  const shared = new Set(
    leading.flatMap(({ registers, source }) =>
      [...registers, ...(source.around ?? [])].map(({ kind }) => kind),
    ),
  );
  const context = { maps, published, askedElsewhere, isElsewhere, shared, bases, stored, deps };
  const finders = leading.flatMap((each) => findersOf(each, context));
  const map = leading.find(({ source }) => source.tiles);
  const registers = members.flatMap((each) => each.registers);
  const unused = opened.filter((each) => isUnused(each, sources));
  const listed = [
    ...members.filter((each) => each.listed).map((each) => toRow(each, maps)),
    ...unused.map((each) => ({ ...toListed(each), configured: true, unused: ONLY_OPEN })),
  ].toSorted(byReading);
  return {
    maps,
    geocoding: openGeocoding(members, sources, { ...deps, named }),
    photon: openPhoton(sources.openbase, named),
    finders,
    water: openWater(
      members.filter(isCitys).flatMap((each) => (each.configured ? each.registers : [])),
      finders.find(({ key }) => key === map?.id) ?? null,
      { covers: (at) => bases.find(at) !== undefined, now: deps.clock.now, tiles: deps.tiles },
    ),
    registries: leading.flatMap((each) => each.registers),
    entries: sources.registers ?? [],
    tiles: stored,
    baseAt: (at) => bases.answeringAt(at)?.statement ?? null,
    endingIn: (circle) => {
      if (map && bases.endsIn(circle)) return [toPartly(map)];
      const unopened = map?.configured === false ? bases.unopenedAt(circle) : null;
      return unopened ? [toUnopenedSource(unopened)] : NONE_REQUESTED;
    },
    published,
    interests: createFindInterests(toInterestDeps(members, { config, maps, deps })),
    tileKinds: (circle) => {
      const isThere = map?.configured || !bases.isEmpty() || bases.unopenedAt(circle) !== null;
      return map && isThere ? tileKindsOf(map) : [];
    },
    // As long as a tile may be shown while it is renewed.
    tile_ms: map ? 2 * map.source.policy!.cache_s * 1000 : 0,
    askedElsewhere,
    askedAround: toAround(leading),
    listSources: (now_ms) => [
      ...listed.map((each) => toSourceItem(each, deps.health, now_ms)),
      ...listBases(deps.bases, now_ms),
    ],
    start: async () => {
      const names = answersFromBases(members, sources) ? [deps.gazetteer.start()] : [];
      await Promise.all([...names, ...registers.map(({ runtime }) => runtime.start())]);
    },
    close: () =>
      registers.forEach(({ runtime, live }) => {
        runtime.close();
        live?.close();
      }),
  };
}

/** Bases have points of interest wherever else services come from; the maps provider, where it is chosen. */
function toInterestDeps(
  members: readonly PlaceSource[],
  { config: { sources }, maps, deps }: { config: Config; maps: OpenPlaces["maps"]; deps: Deps },
): InterestDeps {
  const list = (): readonly HeldBase[] => (sources.openbase.enabled ? deps.bases.list() : NO_BASES);
  const own = listOf(list, "interests");
  const older = createBasePlaces(listOf(list, "services", "interests"), () => NO_UNOPENED);
  const opened = members.find(({ source, isAdapter }) => isAdapter && source.interests);
  const { id, name } = getProvider(MAP);
  return {
    bases: createBasePlaces(own, () => deps.bases.listUnread()),
    olderAt: (at) => older.find(at)?.statement ?? null,
    map: { id, name },
    maps: opened ? toInterestMaps(opened, maps, deps) : null,
  };
}

function toInterestMaps(
  opened: PlaceSource,
  maps: OpenPlaces["maps"],
  deps: Deps,
): InterestDeps["maps"] {
  const { knownOf, most, reader } = opened.source.interests!;
  return { ...maps, knownOf, most, ask: askOf(opened, reader, deps) };
}

/** Decisions, Identifiers: in the sandbox only id and name are replaced. */
function nameMaps({ mode, sources }: Config): OpenPlaces["maps"] {
  if (mode === "sandbox") return { id: "sandbox_maps", name: "Sandbox Maps" };
  const { id, name } = getProvider(sources.maps.adapter);
  return { id, name };
}

/** Under which id `/v1/sources` lists a source that is asked. */
export function toListedId(provider: string, config: Config): string {
  const source: Source | undefined = SOURCES[provider as SourceId];
  return source?.role === "maps" ? nameMaps(config).id : provider;
}

/** The sandbox asks the simulated server, which can fail, unless the file says otherwise. */
function isEmbedded({ mode, sources }: Config): boolean {
  const { places = mode === "sandbox" ? "overpass" : "embedded" } = sources.openstreetmap;
  return places === "embedded";
}

/** A list of addresses has none. */
const NO_BASES: readonly HeldBase[] = [];

const NO_UNOPENED: ReturnType<Bases["listUnread"]> = [];

/** Lists bases with a section, and without another one: the same list as long as the bases are the same. */
function listOf(
  list: () => readonly HeldBase[],
  section: string,
  without?: string,
): () => readonly HeldBase[] {
  let [all, own] = [NO_BASES, NO_BASES];
  const isOwn = ({ meta: { sections } }: HeldBase): boolean =>
    section in sections && (without === undefined || !(without in sections));
  return () => {
    const now = list();
    if (now !== all) [all, own] = [now, now.filter(isOwn)];
    return own;
  };
}

const NONE_REQUESTED: readonly QueriedSource[] = [];

function toPartly({ id, source }: OpenedSource): QueriedSource {
  return { source_id: id, name: source.name, status: "ok", reason: null, partly: true };
}

/** A register that leads nothing is one of a city, for the legacy route. */
function isCitys({ source }: OpenedSource): boolean {
  return !!source.registers && source.precedence === undefined;
}

/** Kinds that the sources know around a point, by country. */
function toAround(members: readonly OpenedSource[]): OpenPlaces["askedAround"] {
  return (country) =>
    members
      .filter((each) => coversOf(each)(country))
      .flatMap(({ source }) => source.around?.map(({ kind }) => kind) ?? []);
}

/** Of the open adapter, bases answer where the chosen geocoder is not configured. */
function answersFromBases(
  members: readonly PlaceSource[],
  { maps, openbase }: Config["sources"],
): boolean {
  const opened = members.find(({ source }) => source.geocoder);
  return openbase.enabled && maps.adapter === MAP && !opened?.configured;
}

/** null: no geocoder is configured, and bases are switched off. */
function openGeocoding(
  members: readonly PlaceSource[],
  sources: Config["sources"],
  deps: Deps & { named: BaseGeocodingDeps },
): GeocodingDeps["ask"] {
  if (answersFromBases(members, sources)) return askBases(deps.named);
  const opened = members.find(({ source }) => source.geocoder);
  if (!opened) return null;
  const { geocode, search, reverse } = opened.source.geocoder!;
  return {
    geocode: askOf(opened, geocode, deps),
    search: askOf(opened, search, deps),
    reverse: askOf(opened, reverse, deps),
  };
}

function openPhoton(
  { enabled, photon_prefix }: Config["sources"]["openbase"],
  deps: BaseGeocodingDeps,
): OpenPlaces["photon"] {
  if (!enabled || !photon_prefix) return null;
  const prefix = photon_prefix === "/" ? "" : photon_prefix;
  return { prefix, photon: createPhoton(deps) };
}

/** All interfaces have one book of words. */
function toBaseDeps({
  bases,
  gazetteer,
  name_thread = null,
  clock,
  onFault,
}: Deps): BaseGeocodingDeps {
  const { current, isPending } = gazetteer;
  return {
    list: () => bases.list(),
    listUnopened: () => bases.listUnread(),
    gazetteer: current,
    isPending,
    book: new WordBook(onFault),
    ...(name_thread ? { engine: name_thread } : {}),
    clock,
  };
}

function toRow(member: PlaceSource, maps: OpenPlaces["maps"]): ListedSource {
  const runtimes = member.registers.map(({ runtime }) => runtime);
  return {
    ...toListed(member),
    ...(member.source.role === "maps" ? maps : {}),
    registry: runtimes.length > 0 ? joinRuntimes(runtimes) : null,
    live: member.registers[0]?.live ?? null,
  };
}

/** In the order of `/v1/sources`: geocoding, what is asked per question, what is read whole. */
function byReading({ provider: a }: ListedSource, { provider: b }: ListedSource): number {
  return readingOf(a) - readingOf(b);
}

function readingOf({ geocoder, registers }: ListedSource["provider"]): number {
  if (geocoder) return 0;
  return registers ? 2 : 1;
}
