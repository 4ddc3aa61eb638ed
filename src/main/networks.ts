/** The CityBikes networks to read: one call lists them all (mobility.md 2.1). */
import type { Config } from "#config/load.ts";
import type { Box, Location } from "#core/entities.ts";
import { reachOf, wrapLon } from "#core/geo.ts";
import { ANSWER_BOUNDS } from "#core/feed-bounds.ts";
import { parseAnswer } from "#core/json.ts";
import type { Trail } from "#core/trail.ts";
import { type Network, readNetworks } from "#providers/citybikes/networks.ts";
import { citybikesProtocol } from "#providers/citybikes/protocol.ts";
import type { Auth } from "#providers/provider.ts";
import type { CatalogueSpec } from "#upstream/catalogue.ts";
import type { FeedSystem } from "#upstream/feeds/types.ts";

type Citybikes = Config["sources"]["citybikes"];

/** A network lies somewhere around the centre of its city; its stations tell once it is read. */
const REACH_M = 50_000;

/** Of the networks that CityBikes lists. */
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
        .map((network) => toFeedSystem(network, citybikes));
      return { value, count: listed.length, trail: NOTHING_DROPPED };
    },
  };
}

const NOTHING_DROPPED: Trail = { dropped: [], repaired: [] };

function toFeedSystem(network: Network, citybikes: Citybikes): FeedSystem {
  const { id, name, country, centre } = network;
  return {
    id: `citybikes:${id}`,
    url: `${base(citybikes)}/v2/networks/${id}`,
    protocol: citybikesProtocol,
    ...(centre ? { near: boxAround(centre) } : {}),
    ...{ name, country, auth: authOf(citybikes), mode_hint: null },
    ...{ network: { id, name }, same_site_as: null },
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

function boxAround({ lat, lon }: Location): Box {
  const { dlat, dlon } = reachOf(lat, REACH_M);
  return {
    south: Math.max(-90, lat - dlat),
    north: Math.min(90, lat + dlat),
    west: dlon >= 180 ? -180 : wrapLon(lon - dlon),
    east: dlon >= 180 ? 180 : wrapLon(lon + dlon),
  };
}
