/** The searches that ask sources per question (§4.3 to §4.7), over one deployment's sources. */
import {
  createTransport,
  type TransportDeps,
  type TransportQuestion,
} from "#app/transit/search.ts";
import type { Search, SearchRefusal } from "../search.ts";
import { createGeocoding, type Geocoding, type GeocodingDeps } from "./geocoding.ts";
import {
  createPlaceSearches,
  type FacilityQuestion,
  type ServicesDeps,
  type ServicesQuestion,
} from "./search.ts";

export type Searches = {
  geocoding: Geocoding;
  services: Search<ServicesQuestion, SearchRefusal>;
  parking: Search<FacilityQuestion, SearchRefusal>;
  charging: Search<FacilityQuestion, SearchRefusal>;
  transport: Search<TransportQuestion>;
};

export type SearchesDeps = ServicesDeps &
  Pick<GeocodingDeps, "ask"> & { transit: TransportDeps["finders"] };

export function createSearches(deps: SearchesDeps): Searches {
  return {
    geocoding: createGeocoding(deps),
    ...createPlaceSearches(deps),
    transport: createTransport({ clock: deps.clock, finders: deps.transit }),
  };
}
