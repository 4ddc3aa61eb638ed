/** The searches that ask sources per question (§4.3 to §4.7), over one deployment's sources. */
import {
  createDepartures,
  type Departures,
  type DeparturesDeps,
} from "#app/transit/departure-search.ts";
import {
  createTransport,
  type Transport,
  type TransportDeps,
} from "#app/transit/transit-search.ts";
import type { StationAccess } from "#app/transit/station-access.ts";
import type { FindTimetabled } from "#app/transit/transit-finder.ts";
import { type ClassDeps, type ClassSearch, createClassSearch } from "./class-search.ts";
import { createGeocoding, type Geocoding, type GeocodingDeps } from "./geocoding.ts";
import type { ServicesDeps } from "./place-answer.ts";
import { createPlaceSearches, type PlaceSearches } from "./place-search.ts";

export type Searches = {
  geocoding: Geocoding;
  transport: Transport;
  departures: Departures;
  places: ClassSearch;
} & PlaceSearches;

export type SearchesDeps = ServicesDeps &
  Pick<GeocodingDeps, "ask"> &
  Pick<ClassDeps, "interests"> & {
    transit: TransportDeps["finders"];
    departures: DeparturesDeps["finders"];
    /** Absent: no timetable gives a station its identity. */
    timetabled?: FindTimetabled;
    /** Absent: nothing is known of ways within stations. */
    access?: StationAccess;
    timezones: DeparturesDeps["timezones"];
  };

/** Operation → what answers it (http/search-handlers.ts serves every row). */
export function answersOf(searches: Searches) {
  const { geocoding, departures } = searches;
  return {
    geocode: geocoding.geocode,
    searchPlaces: geocoding.search,
    reverseGeocode: geocoding.reverse,
    getServicesNearby: searches.services,
    getParkingNearby: searches.parking,
    getChargingNearby: searches.charging,
    getPlacesNearby: searches.places,
    getTransportNearby: searches.transport,
    getDeparturesNearby: departures.nearby,
    getStationDepartures: departures.station,
  };
}

export function createSearches(deps: SearchesDeps): Searches {
  const of_places = createPlaceSearches(deps);
  return {
    geocoding: createGeocoding(deps),
    ...of_places,
    places: createClassSearch({ ...deps, services: of_places.services }),
    transport: createTransport({ ...deps, finders: deps.transit }),
    departures: createDepartures({ ...deps, finders: deps.departures }),
  };
}
