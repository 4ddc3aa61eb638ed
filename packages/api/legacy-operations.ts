/** The rows of §4.10 to §4.12b in the table of operations. */
import {
  LEGACY_SCOOTERS_PARAMETERS,
  LEGACY_VEHICLES_PARAMETERS,
  LegacyScooters,
  LegacyVehicles,
} from "./legacy.ts";
import { LEGACY_WATER_EXAMPLE, LEGACY_WATER_PARAMETERS, LegacyWater } from "./legacy-water.ts";
import { CREDENTIAL_401, ONE_UNIT, type Operation, SEARCH_CACHING } from "./operation.ts";

import {
  FORECAST_EXAMPLE,
  ForecastBody,
  WEATHER_EXAMPLE,
  WEATHER_PARAMETERS,
  WeatherBody,
} from "./weather.ts";

/** Decisions, Errors: what legacy routes answer. */
const LEGACY_ERRORS = {
  400: ["invalid_request", "conflicting_credentials"],
  401: CREDENTIAL_401,
  402: ["quota_exhausted", "subscription_inactive"],
  403: ["insufficient_scope", "plan_not_allowed", "account_suspended"],
  429: ["rate_limited", "quota_exhausted"],
  502: ["provider_bad_response"],
  503: ["provider_unavailable", "overloaded", "shutting_down", "store_unavailable"],
  504: ["provider_timeout"],
} as const;

const LEGACY = {
  method: "GET",
  tag: "Legacy",
  scope: ["data:read"],
  charge: ONE_UNIT,
  deadline: { name: "legacy", default_ms: 3_000, description: "The legacy realtime routes." },
  caching: SEARCH_CACHING,
  licence_link: true,
} as const;

const VEHICLES = {
  ...LEGACY,
  auth: "required",
  successor: "/v1/nearby",
} as const;
const WEATHER = {
  ...LEGACY,
  auth: "optional",
  parameters: WEATHER_PARAMETERS,
  errors: LEGACY_ERRORS,
} as const;
const WATER = {
  ...LEGACY,
  auth: "optional",
  successor: "/v1/services/nearby",
} as const;
const TOKEN_401 = ["missing_token", ...CREDENTIAL_401] as const;

export const LEGACY_OPERATIONS = [
  {
    ...WATER,
    id: "getLegacyWater",
    path: "/realtime/paris/{coords}/water",
    summary: "Drinking water and toilets around a point",
    description:
      "In Paris from the city's open data, elsewhere from the open map, unless the deployment has that switched off. What is unknown of a record is left out. `x-coverage: partial` says that a source failed.",
    parameters: LEGACY_WATER_PARAMETERS,
    success: {
      description: "Records, nearest first.",
      content: {
        "application/json": { schema: LegacyWater, examples: { success: LEGACY_WATER_EXAMPLE } },
      },
    },
    errors: LEGACY_ERRORS,
  },
  {
    ...VEHICLES,
    id: "getLegacyVehicles",
    path: "/api/realtime/{coords}/{provider}",
    summary: "Vehicles of one brand around a point",
    description:
      "Vehicles within 400 metres that can be picked up, at most 100, by distance in whole metres. `battery` is left out where it is unknown. `x-coverage: partial` says that a source failed.",
    parameters: LEGACY_VEHICLES_PARAMETERS,
    success: {
      description: "Vehicles, nearest first.",
      content: {
        "application/json": {
          schema: LegacyVehicles,
          examples: {
            success: [
              { id: 625, name: "Lionel", lat: 44.8325, lng: -0.5672, battery: 88, distance: 240 },
            ],
          },
        },
      },
    },
    errors: { ...LEGACY_ERRORS, 401: TOKEN_401, 404: ["unknown_provider"] },
  },
  {
    ...VEHICLES,
    id: "getLegacyScooters",
    path: "/api/realtime/{coords}/freefloat/scooter",
    summary: "Scooters of all brands around a point",
    description:
      "Scooters and mopeds within 400 metres that can be picked up, at most 100, by distance in whole metres. `x-coverage: partial` says that a source failed.",
    parameters: LEGACY_SCOOTERS_PARAMETERS,
    success: {
      description: "Scooters, nearest first.",
      content: {
        "application/json": {
          schema: LegacyScooters,
          examples: {
            success: [
              {
                id: "a1b2c3",
                lat: 48.8563,
                lng: 2.3519,
                battery: 71,
                type: "SCOOTER",
                attributes: ["ELECTRIC"],
                provider: { name: "Lime" },
                distance: 41,
              },
            ],
          },
        },
      },
    },
    errors: { ...LEGACY_ERRORS, 401: TOKEN_401 },
  },
  {
    ...WEATHER,
    id: "getWeather",
    path: "/realtime/{coords}/weather/{lang}",
    summary: "Weather at a point",
    description:
      "The present weather in the shape of OpenWeatherMap, in the units of the deployment (metric unless it says otherwise), with descriptions in one of 33 languages. What is unknown is left out.",
    success: {
      description: "The weather now.",
      content: {
        "application/json": { schema: WeatherBody, examples: { weather: WEATHER_EXAMPLE } },
      },
    },
  },
  {
    ...WEATHER,
    id: "getForecast",
    path: "/realtime/{coords}/forecast/{lang}",
    summary: "Weather of the next five days at a point",
    description:
      "Steps of three hours over five days in the shape of OpenWeatherMap, in the units and languages of the weather. What is unknown is left out.",
    success: {
      description: "The weather to come.",
      content: {
        "application/json": { schema: ForecastBody, examples: { forecast: FORECAST_EXAMPLE } },
      },
    },
  },
] as const satisfies readonly Operation[];
