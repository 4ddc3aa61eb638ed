// Google Maps Platform: /upstreams/google_maps with the Geocoding API v3 and the Places API (New), and
// /upstreams/google_maps_old, the same from before parking_garage and parking_lot were types.
import type { Reply, SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { Addresses } from "../world/addresses.ts";
import type { World } from "../world/world.ts";
import { answerGeocode } from "./geocode.ts";
import { API_KEY } from "./keys.ts";
import { idOf, isListed, statusOf } from "./place.ts";
import { answerPlaces } from "./places.ts";

type Deps = {
  readonly world: World;
  readonly addresses: Addresses;
  readonly now: () => number;
  readonly origin: string;
};

export function createGoogleMaps(deps: Deps): Source {
  const url = `${deps.origin}/upstreams/google_maps`;
  return {
    ...createHost("google_maps", deps),
    description: "Google Maps Platform: Geocoding API v3, Places API (New)",
    upstream: { url, places_url: url, api_key: API_KEY },
    observe(thing) {
      if (thing.kind !== "service" || !isListed(thing)) return [];
      if (statusOf(thing) === "CLOSED_PERMANENTLY") return [];
      return [{ source: "google_maps", network_id: "", source_id: idOf(thing) }];
    },
  };
}

/** Host that is asked only when configured; what it lists is the other one's. */
export const createOldGoogleMaps = (deps: Deps): Source => ({
  ...createHost("google_maps_old", deps),
  description: "Google Maps Platform before parking_garage and parking_lot",
  observe: () => [],
});

function createHost(id: string, deps: Deps): Omit<Source, "description" | "observe"> {
  const prefix = `/upstreams/${id}`;
  const old = id !== "google_maps";
  return {
    id,
    parts: [],
    partsOf: () => [],
    handle(request) {
      const path = request.pathname.slice(prefix.length);
      if (request.method === "GET" && path === "/maps/api/geocode/json")
        return answerGeocode(request, deps.addresses);
      const [, method] = /^\/v1\/places:(searchNearby|searchText)$/.exec(path) ?? [];
      if (request.method === "POST" && method !== undefined)
        return answerPlaces(request, method, { ...deps, old });
      return notFound(request);
    },
  };
}

const notFound = ({ pathname }: SandboxRequest): Reply => ({
  status: 404,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: Buffer.from(
    `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p>The requested URL <code>${encodeURI(pathname)}</code> was not found on this server.`,
  ),
});
