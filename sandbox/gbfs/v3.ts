// GBFS 3.0 (gbfs.md at tag v3.0): one feeds array, RFC 3339 times, every text in every language.
import type { Operator, Place, StationThing, Text, VehicleThing } from "../world/model.ts";
import {
  type Context,
  LICENCE_URLS,
  mailOf,
  rentalApps,
  rfc3339,
  siteOf,
  textIn,
  typeCounts,
  type Writer,
} from "./context.ts";
import { listFeeds } from "./feeds.ts";
import { listAlerts, listZones } from "./notices.ts";
import { listPlans } from "./plans.ts";
import { placeFacts, planFacts, typeFacts, vehicleFacts, versions } from "./v2.ts";

type Localised = { text: string; language: string }[];

export const v3: Writer = {
  gbfs: ({ operator, version, urlOf, language }) => ({
    feeds: listFeeds(operator, version).map((name) => ({
      name,
      url: urlOf(version, name, language),
    })),
  }),
  gbfs_versions: versions,
  system_information: ({ operator }) => systemInformation(operator),
  vehicle_types: ({ operator }) => ({
    vehicle_types: operator.types.map((type) => ({
      ...typeFacts(type, operator),
      name: localise(type.names, operator),
      make: same(type.make, operator),
      model: same(type.model, operator),
    })),
  }),
  system_pricing_plans: ({ operator }) => ({
    plans: listPlans(operator).map((plan) => ({
      ...planFacts(operator, plan),
      name: same(plan.name, operator),
      description: same(plan.description, operator),
    })),
  }),
  station_information: ({ operator, scene }) => ({
    stations: scene.stations.map(({ place }) => stationInformation(place, operator)),
  }),
  station_status: ({ operator, scene }) => ({
    stations: scene.stations.map((station) => stationStatus(station, operator)),
  }),
  vehicle_status: ({ operator, scene }) => ({
    vehicles: scene.vehicles.map((vehicle) => vehicleStatus(vehicle, operator)),
  }),
  system_alerts: alerts,
  geofencing_zones: zones,
};

const localise = (text: Text, operator: Operator): Localised =>
  operator.city.languages.map((language) => ({ text: textIn(text, language, operator), language }));

const same = (text: string, operator: Operator): Localised =>
  operator.city.languages.map((language) => ({ text, language }));

const timeOf = (time_s: number, operator: Operator): string =>
  rfc3339(time_s, operator.city.offset_min);

function systemInformation(operator: Operator): unknown {
  return {
    system_id: operator.id,
    languages: operator.city.languages,
    name: localise(operator.name, operator),
    opening_hours: "24/7",
    operator: same(operator.company, operator),
    url: siteOf(operator),
    purchase_url: `${siteOf(operator)}/join`,
    start_date: "2021-05-17",
    phone_number: `${operator.city.phone}21`,
    email: mailOf(operator, "hello"),
    feed_contact_email: mailOf(operator, "feeds"),
    timezone: operator.city.timezone,
    ...licence(operator),
    attribution_organization_name: same(operator.company, operator),
    attribution_url: siteOf(operator),
    terms_url: same(`${siteOf(operator)}/terms`, operator),
    terms_last_updated: "2024-02-01",
    brand_assets: {
      brand_last_modified: "2024-02-01",
      brand_image_url: `${siteOf(operator)}/brand/logo.svg`,
      color: BRAND_COLORS[operator.key % BRAND_COLORS.length],
    },
    rental_apps: rentalApps(operator),
  };
}

const BRAND_COLORS = ["#2E7D32", "#C62828", "#1565C0", "#6A1B9A", "#EF6C00", "#00838F", "#AD1457"];

/** Either an SPDX id or an address; neither means CC0-1.0. */
function licence(operator: Operator): Record<string, string> {
  if (operator.licence === "CC0-1.0") return {};
  if (operator.key % 2 === 0) return { license_id: operator.licence };
  return { license_url: LICENCE_URLS[operator.licence] };
}

function stationInformation(place: Place, operator: Operator): unknown {
  const capacity = [
    { vehicle_type_ids: operator.types.map((type) => type.id), count: place.capacity },
  ];
  const rents = operator.stations?.model !== "bays";
  return {
    ...placeFacts(place),
    name: localise(place.name, operator),
    station_opening_hours: "24/7",
    ...(rents && place.virtual ? { vehicle_types_capacity: capacity } : {}),
    ...(rents && !place.virtual ? { vehicle_docks_capacity: capacity } : {}),
  };
}

function stationStatus(station: StationThing, operator: Operator): unknown {
  const types = station.by_type.map(({ type }) => type.id);
  return {
    station_id: station.place.id,
    num_vehicles_available: station.available,
    num_vehicles_disabled: station.disabled,
    ...(types.length === 0 ? {} : { vehicle_types_available: typeCounts(station) }),
    ...(station.docks === null
      ? {}
      : {
          num_docks_available: station.docks,
          num_docks_disabled: station.docks_disabled,
          vehicle_docks_available: [{ vehicle_type_ids: types, count: station.docks }],
        }),
    is_installed: station.is_installed,
    is_renting: station.is_renting,
    is_returning: station.is_returning,
    last_reported: timeOf(station.last_reported_s, operator),
  };
}

function vehicleStatus(vehicle: VehicleThing, operator: Operator): unknown {
  return {
    vehicle_id: vehicle.id,
    ...vehicleFacts(vehicle),
    last_reported: timeOf(vehicle.last_reported_s, operator),
  };
}

function alerts({ operator, day_s, scene }: Context): unknown {
  return {
    alerts: listAlerts(operator, day_s).map((alert) => ({
      alert_id: alert.id,
      type: alert.type,
      times: [{ start: timeOf(alert.start_s, operator), end: timeOf(alert.end_s, operator) }],
      ...(alert.stations.length === 0
        ? {}
        : { station_ids: alert.stations.map((index) => scene.stations[index]?.place.id) }),
      url: same(`${siteOf(operator)}/news/${alert.id}`, operator),
      summary: localise(alert.summary, operator),
      last_updated: timeOf(day_s - 86_400, operator),
    })),
  };
}

function zones({ operator }: Context): unknown {
  const types = operator.types.map((type) => type.id);
  const features = listZones(operator).map((zone) => ({
    type: "Feature",
    geometry: { type: "MultiPolygon", coordinates: [[zone.ring]] },
    properties: {
      name: localise(zone.name, operator),
      rules: [
        {
          vehicle_type_ids: types,
          ride_start_allowed: zone.may_park,
          ride_end_allowed: zone.may_park,
          ride_through_allowed: zone.may_pass,
          ...(zone.speed_kph === null ? {} : { maximum_speed_kph: zone.speed_kph }),
        },
      ],
    },
  }));
  const everywhere = {
    ride_start_allowed: false,
    ride_end_allowed: false,
    ride_through_allowed: true,
  };
  return {
    geofencing_zones: { type: "FeatureCollection", features },
    global_rules: [{ vehicle_type_ids: types, ...everywhere }],
  };
}
