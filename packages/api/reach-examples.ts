/** Examples of GET /v1/reach; the tests validate each. */
import type { ReachBodyValue, ReachGeoJsonValue } from "./reach.ts";
import { BASE_EXAMPLE } from "./way-examples.ts";

const NEAREST = {
  id: "svc_place_2b7n4q9x6k1w5v8m3c0j",
  name: "Sanisette Square",
  distance_meters: 89,
  walk: { meters: 132, seconds: 100, step_free: true },
};
const LOCATION = { lat: 48.8571, lon: 2.3531 };
const COUNTED = { count: 4, unknown: 0 };

const { outline, ...REACH }: ReachBodyValue = {
  status: "success",
  query_origin: { lat: 48.8566, lon: 2.3522 },
  minutes: 5,
  reached: {
    toilets: { ...COUNTED, nearest: { ...NEAREST, location: LOCATION } },
    aed: { count: 0, unknown: 0, nearest: null },
  },
  walking: {
    profile: "foot",
    speed_meters_per_second: 1.33,
    within_meters: 399,
    reached: 4,
    not_reached: 2,
    unknown: 0,
    step_free_unknown: 1,
    base: BASE_EXAMPLE,
  },
  outline: {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [2.348, 48.8545],
          [2.3562, 48.8545],
          [2.3562, 48.8588],
          [2.348, 48.8588],
          [2.348, 48.8545],
        ],
      ],
    ],
  },
};

export const REACH_EXAMPLE: ReachBodyValue = { ...REACH, outline };

export const REACH_GEOJSON_EXAMPLE: ReachGeoJsonValue = {
  type: "FeatureCollection",
  features: [
    { type: "Feature", id: "outline", geometry: outline, properties: { minutes: 5 } },
    {
      type: "Feature",
      id: NEAREST.id,
      geometry: { type: "Point", coordinates: [LOCATION.lon, LOCATION.lat] },
      properties: { family: "toilets", ...COUNTED, ...NEAREST },
    },
  ],
  meta: REACH,
};
