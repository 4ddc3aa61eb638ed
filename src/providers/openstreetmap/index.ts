/**
 * The open map (OpenStreetMap): rental stations and urban services as mapped by hand, without live
 * counts. Reference: wiki.openstreetmap.org, Tag:amenity=bicycle_rental, Tag:amenity=car_sharing;
 * Overpass JSON (places.md 2.6, 3).
 */
import { ANSWER_BOUNDS } from "#core/feed-bounds.ts";
import { defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "openstreetmap",
  name: "OpenStreetMap",
  kind: "feed",
  operations: [
    ...(["getNearby", "getServicesNearby", "getParkingNearby", "getChargingNearby"] as const),
    "getLegacyWater",
  ],
  terms: {
    attribution: "© OpenStreetMap contributors",
    attribution_url: "https://www.openstreetmap.org/copyright",
    licence: "ODbL-1.0",
    licence_url: "https://opendatacommons.org/licenses/odbl/1-0/",
    store: "all",
  },
  limits: { max_bytes: ANSWER_BOUNDS.bytes },
  lifecycle: "active",
});
