/**
 * The systems that the configuration names: one by one, from a GBFS catalogue (mobility.md 1.11), and
 * from CityBikes, which lists all of its networks in one call (mobility.md 2.1).
 */
import type { Config } from "#config/load.ts";
import { ANSWER_BOUNDS } from "#kit/feed-bounds.ts";
import { boxAround } from "#kit/geo.ts";
import { parseAnswer } from "#kit/json.ts";
import type { Trail } from "#kit/trail.ts";
import { type CityBikesNetwork, readNetworks } from "#stations/citybikes/networks.ts";
import { citybikesProtocol } from "#stations/citybikes/citybikes-protocol.ts";
import {
  type CatalogueSystem,
  parseCatalogue,
  readCatalogue,
} from "#stations/gbfs/gbfs-catalogue.ts";
import { FEED_PROTOCOLS } from "#providers/protocols.ts";
import type { SourceId } from "#providers/registry.ts";
import type { Auth } from "#providers/provider.ts";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";
import type { CatalogueSpec } from "#upstream/catalogue-reader.ts";

type Gbfs = Config["sources"]["gbfs"];

/** Lists the systems written in the configuration. */
function listConfigured(gbfs: Gbfs): FeedSystem[] {
  return gbfs.systems.map((system) => ({
    id: system.id,
    url: system.url,
    name: system.name ?? null,
    country: system.country ?? null,
    auth: toAuth(system.auth),
    mode_hint: system.mode_hint ?? null,
    network: system.network
      ? { id: system.network.id ?? system.id, name: system.network.name ?? null }
      : null,
    same_site_as: null,
  }));
}

/** Sources that are documents of stations, named one by one. */
const DOCUMENTS = ["motis", "openstreetmap"] as const satisfies SourceId[];

type Simulator = {
  gbfsSystems(): readonly (Pick<FeedSystem, "id" | "url" | "name" | "country"> & { auth?: Auth })[];
};

/** Systems that need no catalogue. */
export function listSystems(
  { gbfs, ...others }: Config["sources"],
  simulator: Simulator | null,
): FeedSystem[] {
  const own = gbfs.enabled ? gbfsSystems(gbfs, simulator) : [];
  const documents = DOCUMENTS.flatMap((source) =>
    others[source].enabled
      ? others[source].stations.map((each) => toDocumentSystem(source, each))
      : [],
  );
  return [...own, ...documents];
}

/** The simulator's systems, unless the configuration names its own. */
function gbfsSystems(gbfs: Gbfs, simulator: Simulator | null): FeedSystem[] {
  if (!simulator || gbfs.systems.length || gbfs.catalogue !== null) return listConfigured(gbfs);
  return simulator.gbfsSystems().map((system) => ({
    id: system.id,
    url: system.url,
    name: system.name,
    country: system.country,
    auth: system.auth ?? { kind: "none" },
    mode_hint: null,
    network: null,
    same_site_as: null,
  }));
}

function toDocumentSystem(
  source: (typeof DOCUMENTS)[number],
  document: Config["sources"]["openstreetmap"]["stations"][number],
): FeedSystem {
  const { id, url, country = null, name = null } = document;
  return {
    id: `${source}:${id}`,
    url,
    protocol: FEED_PROTOCOLS[source]!,
    name,
    country,
    auth: { kind: "none" },
    mode_hint: null,
    network: { id, name },
    same_site_as: null,
  };
}

/** Describes the systems.csv that the configuration names. */
export function gbfsCatalogue(gbfs: Gbfs & { catalogue: string }): CatalogueSpec<FeedSystem[]> {
  const { catalogue, timeout_ms } = gbfs;
  const own_ids = new Set(gbfs.systems.map((system) => system.id));
  return {
    id: "gbfs_catalogue",
    from: isUrl(catalogue) ? { url: catalogue, timeout_ms: timeout_ms * 4 } : { path: catalogue },
    keep: gbfs.store === "all",
    parse(body) {
      const text = new TextDecoder().decode(body);
      if (!text.slice(0, HEADER_CHARS).includes("Auto-Discovery URL")) return null;
      const { systems, trail } = readCatalogue(parseCatalogue(text));
      const value = systems
        .filter((system) => !own_ids.has(system.id))
        .map((system) => toFeedSystem(system, gbfs));
      return { value, count: systems.length, trail };
    },
  };
}

/** The names of the columns are within these. */
const HEADER_CHARS = 4_096;

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Feed owners choose the URLs in their discovery: they must stay on the catalogue entry's site. */
function toFeedSystem(system: CatalogueSystem, gbfs: Gbfs): FeedSystem {
  return {
    id: system.id,
    url: system.url,
    name: system.name,
    country: system.country,
    location: system.location,
    auth: toAuth(gbfs.auth[system.id]),
    mode_hint: null,
    network: null,
    same_site_as: [new URL(system.url).hostname],
  };
}

function toAuth(auth: Gbfs["auth"][string] | undefined): Auth {
  if (!auth) return { kind: "none" };
  if (auth.kind !== "oauth2" || auth.scope !== undefined) return auth;
  const { scope: _none, ...rest } = auth;
  return rest;
}

type Citybikes = Config["sources"]["citybikes"];

/** A network lies around the centre of its city; its stations show where once it is read. */
const REACH_M = 50_000;

/** Describes the list of networks of CityBikes. */
export function citybikesCatalogue(citybikes: Citybikes): CatalogueSpec<FeedSystem[]> {
  const { networks, timeout_ms, store } = citybikes;
  const fields = "fields=id,name,company,href,gbfs_href,location";
  const url = `${base(citybikes)}/v2/networks?${fields}`;
  return {
    id: "citybikes_networks",
    from: { url, timeout_ms, max_bytes: ANSWER_BOUNDS.bytes, auth: authOf(citybikes) },
    keep: store === "all",
    parse(body) {
      const listed = readNetworks(parseAnswer(body));
      if (!listed) return null;
      const value = listed
        .filter(({ id }) => networks === "all" || networks.includes(id))
        .map((network) => toNetworkSystem(network, citybikes));
      return { value, count: listed.length, trail: NOTHING_DROPPED };
    },
  };
}

const NOTHING_DROPPED: Trail = { dropped: [], repaired: [] };

function toNetworkSystem(network: CityBikesNetwork, citybikes: Citybikes): FeedSystem {
  const { id, name, country, centre } = network;
  return {
    id: `citybikes:${id}`,
    url: `${base(citybikes)}/v2/networks/${id}`,
    protocol: citybikesProtocol,
    ...(centre ? { near: boxAround(centre, REACH_M) } : {}),
    name,
    country,
    auth: authOf(citybikes),
    mode_hint: null,
    network: { id, name },
    same_site_as: null,
  };
}

function base({ url }: Citybikes): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

function authOf({ api_key }: Citybikes): Auth {
  return api_key === null
    ? { kind: "none" }
    : { kind: "headers", headers: { "x-api-key": api_key } };
}
