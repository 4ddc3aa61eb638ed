/** The searches that ask sources per question (§4.3 to §4.7), over one deployment's sources. */
import { createGeocoding, type Geocoding, type GeocodingDeps } from "./geocoding.ts";
import {
  createFacility,
  createServices,
  type Search,
  type ServicesDeps,
  type ServicesQuestion,
} from "./services.ts";

export type FacilityQuestion = Omit<ServicesQuestion, "types" | "country">;

export type Searches = {
  geocoding: Geocoding;
  services: Search<ServicesQuestion>;
  parking: Search<FacilityQuestion>;
  charging: Search<FacilityQuestion>;
};

export function createSearches(deps: ServicesDeps & Pick<GeocodingDeps, "ask">): Searches {
  return {
    geocoding: createGeocoding(deps),
    services: createServices(deps),
    parking: createFacility(deps, "parking"),
    charging: createFacility(deps, "charging"),
  };
}
