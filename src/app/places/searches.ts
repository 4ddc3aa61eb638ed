/** The searches that ask sources per question (§4.3 to §4.7), over one deployment's sources. */
import { createDepartures, type Departures, type DeparturesDeps } from "#app/transit/departures.ts";
import {
  createTransport,
  type TransportDeps,
  type TransportQuestion,
} from "#app/transit/search.ts";
import type { FindTimetabled } from "#app/transit/finder.ts";
import type { Search, SearchRefusal } from "../search.ts";
import { createGeocoding, type Geocoding, type GeocodingDeps } from "./geocoding.ts";
import {
  createPlaceSearches,
  type ChargingQuestion,
  type FacilityQuestion,
  type ServicesDeps,
  type ServicesQuestion,
} from "./search.ts";

export type Searches = {
  geocoding: Geocoding;
  services: Search<ServicesQuestion, SearchRefusal>;
  parking: Search<FacilityQuestion, SearchRefusal>;
  charging: Search<ChargingQuestion, SearchRefusal>;
  transport: Search<TransportQuestion>;
  departures: Departures;
};

export type SearchesDeps = ServicesDeps &
  Pick<GeocodingDeps, "ask"> & {
    transit: TransportDeps["finders"];
    departures: DeparturesDeps["finders"];
    /** Absent: no timetable gives a station its identity. */
    timetabled?: FindTimetabled;
    timezones: DeparturesDeps["timezones"];
  };

export function createSearches(deps: SearchesDeps): Searches {
  return {
    geocoding: createGeocoding(deps),
    ...createPlaceSearches(deps),
    transport: createTransport({ ...deps, finders: deps.transit }),
    departures: createDepartures({ ...deps, finders: deps.departures }),
  };
}
