/** Cities of the simulator. */
export const CITIES: readonly { lat: number; lon: number }[] = [
  { lat: 48.8566, lon: 2.3522 },
  { lat: 48.8566, lon: 2.3522 },
  { lat: 52.52, lon: 13.405 },
  { lat: 51.5074, lon: -0.1278 },
  { lat: 40.7128, lon: -74.006 },
  { lat: 35.6762, lon: 139.6503 },
  { lat: -33.8688, lon: 151.2093 },
  { lat: -33.9249, lon: 18.4241 },
  { lat: 19.4326, lon: -99.1332 },
  { lat: 37.7749, lon: -122.4194 },
];

/** Points to ask about: cities, and points where the globe is awkward. */
export const PLACES: readonly { lat: number; lon: number }[] = [
  ...CITIES,
  // Open sea, a pole, and both sides of the date line.
  { lat: -40.5, lon: -20.25 },
  { lat: 89.98, lon: 10 },
  { lat: -17.7, lon: 179.98 },
];

/** Points that no simulated city is near, at the ends of what a coordinate may be among them. */
export const REMOTE: readonly { lat: number; lon: number }[] = [
  { lat: 0, lon: 0 },
  { lat: 90, lon: 0 },
  { lat: -90, lon: -180 },
  { lat: 12.345678, lon: 180 },
  { lat: -0.000001, lon: -179.999999 },
  { lat: 64.1466, lon: -21.9426 },
  { lat: 31.2304, lon: 121.4737 },
];
