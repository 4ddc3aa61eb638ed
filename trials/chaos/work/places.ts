/** Points to ask at: centres of simulated cities, with an entity within 400 m at any time. */
export const PLACES = {
  paris: { lat: 48.8566, lon: 2.3522 },
  london: { lat: 51.5074, lon: -0.1278 },
  berlin: { lat: 52.52, lon: 13.405 },
  new_york: { lat: 40.7128, lon: -74.006 },
  madrid: { lat: 40.4168, lon: -3.7038 },
} as const;

export type Place = { lat: number; lon: number };

export function toNearby({ lat, lon }: Place, more = ""): string {
  return `/v1/nearby?lat=${lat}&lon=${lon}${more}`;
}
