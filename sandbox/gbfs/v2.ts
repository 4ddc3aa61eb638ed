// GBFS 2.3 (gbfs.md at tag v2.3): real booleans, vehicle types, virtual stations, POSIX seconds.
import { squareRing } from "../geo.ts";
import type { Operator, Place, StationThing, VehicleThing, VehicleType } from "../world/model.ts";
import {
  type Context,
  mailOf,
  planOf,
  rangeOf,
  rentalApps,
  rentalUris,
  saysOfLevel,
  rfc3339,
  showsCoordinates,
  siteOf,
  textIn,
  typeCounts,
  type Writer,
} from "./context.ts";
import { listAlerts, listZones } from "./notices.ts";
import { listPlans, type Plan } from "./plans.ts";
import { discovery, systemInformation } from "./v1.ts";

export const v2: Writer = {
  gbfs: discovery,
  gbfs_versions: versions,
  system_information: (context) => ({
    ...systemInformation(context),
    feed_contact_email: mailOf(context.operator, "feeds"),
    terms_url: `${siteOf(context.operator)}/terms`,
    terms_last_updated: "2024-02-01",
    rental_apps: rentalApps(context.operator),
  }),
  vehicle_types: ({ operator, language }) => ({
    vehicle_types: operator.types.map((type) => vehicleType(type, operator, language)),
  }),
  system_pricing_plans: pricingPlans,
  station_information: (context) => ({
    stations: context.scene.stations.map(({ place }) => stationInformation(place, context)),
  }),
  station_status: ({ scene }) => ({
    stations: scene.stations.map((station) => stationStatus(station)),
  }),
  free_bike_status: ({ scene }) => ({ bikes: scene.vehicles.map((vehicle) => bike(vehicle)) }),
  system_alerts: alerts,
  geofencing_zones: zones,
};

export function versions({ operator, urlOf, language }: Context): unknown {
  const sorted = operator.versions.toSorted();
  return {
    versions: sorted.map((version) => ({ version, url: urlOf(version, "gbfs", language) })),
  };
}

function vehicleType(type: VehicleType, operator: Operator, language: string): unknown {
  return {
    ...typeFacts(type, operator),
    name: textIn(type.names, language, operator),
    make: type.make,
    model: type.model,
  };
}

/** Returns the members of a type that 2.3 and 3.0 share. */
export function typeFacts(type: VehicleType, operator: Operator): Record<string, unknown> {
  return {
    vehicle_type_id: type.id,
    form_factor: type.form_factor,
    propulsion_type: type.propulsion,
    ...(type.max_range_m === null ? {} : { max_range_meters: type.max_range_m }),
    rider_capacity: type.riders,
    wheel_count: type.wheels,
    ...(type.max_speed_kph === null ? {} : { max_permitted_speed: type.max_speed_kph }),
    ...(type.accessories.length === 0 ? {} : { vehicle_accessories: type.accessories }),
    return_constraint: type.return_constraint,
    ...(operator.reserve_min === null ? {} : { default_reserve_time: operator.reserve_min }),
    default_pricing_plan_id: planOf(operator),
    pricing_plan_ids: listPlans(operator).map(({ id }) => id),
  };
}

function pricingPlans({ operator }: Context): unknown {
  return {
    plans: listPlans(operator).map((plan) => ({
      ...planFacts(operator, plan),
      name: plan.name,
      description: plan.description,
    })),
  };
}

/** Returns the members of a plan that 2.3 and 3.0 share. */
export function planFacts(operator: Operator, plan: Plan): Record<string, unknown> {
  return {
    plan_id: plan.id,
    url: `${siteOf(operator)}/prices`,
    currency: operator.city.currency,
    price: plan.unlock,
    is_taxable: false,
    ...(plan.by_minute.length === 0 ? {} : { per_min_pricing: plan.by_minute }),
    ...(plan.by_km.length === 0 ? {} : { per_km_pricing: plan.by_km }),
    surge_pricing: false,
  };
}

/** Returns the members of a station that 2.3 and 3.0 share. */
export function placeFacts(place: Place): Record<string, unknown> {
  return {
    station_id: place.id,
    ...(place.legacy_id === null ? {} : { legacy_id: place.legacy_id }),
    lat: place.lat,
    lon: place.lon,
    address: place.address,
    ...(place.post_code === "" ? {} : { post_code: place.post_code }),
    rental_methods: ["key", "creditcard", "phone"],
    is_virtual_station: place.virtual,
    ...(hasArea(place) ? { station_area: area(place) } : {}),
    ...(place.operator.types.some((type) => type.mode === "car")
      ? { parking_type: "street_parking" }
      : {}),
    capacity: place.capacity,
    is_charging_station: place.charging,
    rental_uris: rentalUris(place.operator, "stations", place.id),
  };
}

/** Two thirds of the virtual stations are drawn as polygons, the others are only a point. */
const hasArea = (place: Place): boolean => place.virtual && place.index % 3 !== 0;
const area = (place: Place): unknown => ({
  type: "MultiPolygon",
  coordinates: [[squareRing(place, 6)]],
});

function stationInformation(place: Place, { operator, language }: Context): unknown {
  const rents = operator.stations?.model !== "bays";
  const perType = Object.fromEntries(operator.types.map((type) => [type.id, place.capacity]));
  return {
    ...placeFacts(place),
    name: textIn(place.name, language, operator),
    ...(rents && place.virtual ? { vehicle_capacity: perType } : {}),
    ...(rents && !place.virtual ? { vehicle_type_capacity: perType } : {}),
  };
}

function stationStatus(station: StationThing): unknown {
  const types = station.by_type.map(({ type }) => type.id);
  return {
    station_id: station.place.id,
    num_bikes_available: station.available,
    num_bikes_disabled: station.disabled,
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
    last_reported: station.last_reported_s,
  };
}

function bike(vehicle: VehicleThing): unknown {
  return { bike_id: vehicle.id, ...vehicleFacts(vehicle), last_reported: vehicle.last_reported_s };
}

/** Returns the members of a vehicle that 2.3 and 3.0 share; `available_until` is a string in both. */
export function vehicleFacts(vehicle: VehicleThing): Record<string, unknown> {
  const range = rangeOf(vehicle);
  const { docked_at, operator } = vehicle;
  return {
    ...(showsCoordinates(vehicle) ? { lat: vehicle.lat, lon: vehicle.lon } : {}),
    is_reserved: vehicle.is_reserved,
    is_disabled: vehicle.is_disabled,
    vehicle_type_id: vehicle.type.id,
    ...(range === null ? {} : levelFacts(vehicle, range)),
    ...(docked_at === null ? {} : { station_id: docked_at.id }),
    ...(docked_at !== null && operator.fleet?.roundtrip === true
      ? { home_station_id: docked_at.id }
      : {}),
    pricing_plan_id: planOf(operator),
    ...(vehicle.available_until_s === null
      ? {}
      : { available_until: rfc3339(vehicle.available_until_s) }),
    rental_uris: rentalUris(operator, "vehicles", vehicle.id),
  };
}

function levelFacts(vehicle: VehicleThing, range: number): Record<string, unknown> {
  const charge =
    saysOfLevel(vehicle.operator) === "both" ? { current_fuel_percent: vehicle.charge } : {};
  return { current_range_meters: range, ...charge };
}

function alerts({ operator, language, day_s, scene }: Context): unknown {
  return {
    alerts: listAlerts(operator, day_s).map((alert) => ({
      alert_id: alert.id,
      type: alert.type,
      times: [{ start: alert.start_s, end: alert.end_s }],
      ...(alert.stations.length === 0
        ? {}
        : { station_ids: alert.stations.map((index) => scene.stations[index]?.place.id) }),
      url: `${siteOf(operator)}/news/${alert.id}`,
      summary: textIn(alert.summary, language, operator),
      last_updated: day_s - 86_400,
    })),
  };
}

function zones({ operator, language }: Context): unknown {
  const features = listZones(operator).map((zone) => ({
    type: "Feature",
    geometry: { type: "MultiPolygon", coordinates: [[zone.ring]] },
    properties: {
      name: textIn(zone.name, language, operator),
      rules: [
        {
          vehicle_type_id: operator.types.map((type) => type.id),
          ride_allowed: zone.may_park,
          ride_through_allowed: zone.may_pass,
          ...(zone.speed_kph === null ? {} : { maximum_speed_kph: zone.speed_kph }),
        },
      ],
    },
  }));
  return { geofencing_zones: { type: "FeatureCollection", features } };
}
