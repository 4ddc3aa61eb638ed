/** Examples of GET /v1/walk; the tests validate each. */
import type { WayBodyValue, WayGeoJsonValue } from "./way.ts";

export const BASE_EXAMPLE = {
  id: "paris",
  data_at: "2026-11-12T20:21:00Z",
  licence: "ODbL-1.0",
  attribution: "© OpenStreetMap contributors",
};

const { geometry, ...WAY }: WayBodyValue = {
  status: "success",
  from: { lat: 48.8566, lon: 2.3522 },
  to: { lat: 48.8574, lon: 2.3531 },
  meters: 164,
  seconds: 124,
  step_free: true,
  from_snap_meters: 6,
  to_snap_meters: 3,
  walking: {
    profile: "foot",
    speed_meters_per_second: 1.33,
    within_meters: 4500,
    base: BASE_EXAMPLE,
  },
  geometry: {
    type: "LineString",
    coordinates: [
      [2.3522, 48.8566],
      [2.35222, 48.85665],
      [2.3533, 48.8572],
      [2.35312, 48.85742],
      [2.3531, 48.8574],
    ],
  },
};

export const WAY_EXAMPLE: WayBodyValue = { ...WAY, geometry };

export const NO_WAY_EXAMPLE: WayBodyValue = {
  ...WAY,
  status: "empty",
  message: "No street is within 100 metres of `to`, so that no way on foot ends there.",
  reason: "target_off_network",
  meters: null,
  seconds: null,
  step_free: null,
  from_snap_meters: null,
  to_snap_meters: null,
  geometry: null,
};

export const WAY_GEOJSON_EXAMPLE: WayGeoJsonValue = {
  type: "Feature",
  geometry,
  properties: WAY,
};
