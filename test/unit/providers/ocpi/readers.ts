/** The registry with what it is configured with. */
import type { Place } from "#core/places/place.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { OcpiSettings } from "#providers/ocpi/index.ts";
import { ocpiLocations } from "#providers/ocpi/index.ts";

export const SETTINGS: OcpiSettings = {
  url: "https://cpo.example/ocpi/2.2.1/locations",
  timeout_ms: 60_000,
  tariffs_url: null,
  token: "sécret",
  token_raw: false,
  name: "Example CPO",
  attribution: "© Example CPO",
};

/** Rows as they come, null for one that was dropped; null: not of its shape. */
export function openAll(
  body: Uint8Array,
  trail: TrailRecorder = createTrail(),
): (Place | null)[] | null {
  const rows = ocpiLocations.open(body, { settings: SETTINGS, trail });
  return rows && [...rows];
}
