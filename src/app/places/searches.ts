/** The searches that ask sources per question (§4.3 to §4.7), over one deployment's sources. */
import {
  createTransport,
  type TransportDeps,
  type TransportQuestion,
} from "#app/transit/search.ts";
import type { Search } from "../search.ts";
import { createGeocoding, type Geocoding, type GeocodingDeps } from "./geocoding.ts";
import {
  createFacility,
  createServices,
  type FacilityQuestion,
  type ServicesDeps,
  type ServicesQuestion,
} from "./search.ts";

export type Searches = {
  geocoding: Geocoding;
  services: Search<ServicesQuestion>;
  parking: Search<FacilityQuestion>;
  charging: Search<FacilityQuestion>;
  transport: Search<TransportQuestion>;
};

export type SearchesDeps = ServicesDeps &
  Pick<GeocodingDeps, "ask"> & { transit: TransportDeps["finders"] };

export function createSearches(deps: SearchesDeps): Searches {
  return {
    geocoding: createGeocoding(deps),
    services: createServices(deps),
    parking: createFacility(deps, "parking"),
    charging: createFacility(deps, "charging"),
    transport: createTransport({ clock: deps.clock, finders: deps.transit }),
  };
}
