// GBFS 1.0 (gbfs.md at tag v1.0): flags as numbers, times in POSIX seconds, one language per file.
import type { StationThing } from "../world/model.ts";
import { type Context, LICENCE_URLS, mailOf, siteOf, textIn, type Writer } from "./context.ts";
import { listFeeds } from "./feeds.ts";

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

export const v1: Writer = {
  gbfs: discovery,
  system_information: systemInformation,
  station_information: ({ operator, language, scene }) => ({
    stations: scene.stations.map(({ place }) => ({
      station_id: place.id,
      name: textIn(place.name, language, operator),
      short_name: String(place.index + 1).padStart(3, "0"),
      lat: place.lat,
      lon: place.lon,
      address: place.address,
      ...(place.post_code === "" ? {} : { post_code: place.post_code }),
      rental_methods: ["KEY", "CREDITCARD", "PHONE"],
      capacity: place.capacity,
    })),
  }),
  station_status: ({ scene }) => ({
    stations: scene.stations.map((station) => stationStatus(station)),
  }),
  free_bike_status: ({ scene }) => ({
    bikes: scene.vehicles.map((vehicle) => ({
      bike_id: vehicle.id,
      lat: vehicle.lat,
      lon: vehicle.lon,
      is_reserved: flag(vehicle.is_reserved),
      is_disabled: flag(vehicle.is_disabled),
    })),
  }),
};

/** 1.0 and 2.x: a map by language (also used for 2.3). */
export function discovery({ operator, version, urlOf }: Context): unknown {
  const feedsIn = (language: string): unknown => ({
    feeds: listFeeds(operator, version).map((name) => ({
      name,
      url: urlOf(version, name, language),
    })),
  });
  return Object.fromEntries(
    operator.city.languages.map((language) => [language, feedsIn(language)]),
  );
}

/** 1.0 and 2.x have the same members here, but for the ones 1.1 added. */
export function systemInformation({ operator, language }: Context): Record<string, unknown> {
  return {
    system_id: operator.id,
    language,
    name: textIn(operator.name, language, operator),
    operator: operator.company,
    url: siteOf(operator),
    purchase_url: `${siteOf(operator)}/join`,
    start_date: "2019-04-01",
    phone_number: `${operator.city.phone}21`,
    email: mailOf(operator, "hello"),
    timezone: operator.city.timezone,
    license_url: LICENCE_URLS[operator.licence],
  };
}

/** 1.0 requires num_docks_available; an operator that cannot count publishes null, as some real ones do. */
function stationStatus(station: StationThing): unknown {
  return {
    station_id: station.place.id,
    num_bikes_available: station.available,
    num_bikes_disabled: station.disabled,
    num_docks_available: station.docks,
    num_docks_disabled: station.docks_disabled,
    is_installed: flag(station.is_installed),
    is_renting: flag(station.is_renting),
    is_returning: flag(station.is_returning),
    last_reported: station.last_reported_s,
  };
}
