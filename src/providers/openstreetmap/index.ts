/**
 * The open map (OpenStreetMap): rental stations and urban services as mapped by hand, without live
 * counts. Reference: wiki.openstreetmap.org, Tag:amenity=bicycle_rental, Tag:amenity=car_sharing;
 * Overpass JSON (places.md 2.6, 3).
 */
import { OPEN_MAP_TERMS } from "#osm/terms.ts";
import { Type } from "typebox";
import { ANSWER_BOUNDS } from "#kit/feed-bounds.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import { address, deadline, documentSettings } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

export default defineSource({
  id: "openstreetmap",
  name: "OpenStreetMap",
  kind: "feed",
  operations: [
    "getNearby",
    "getServicesNearby",
    "getParkingNearby",
    "getChargingNearby",
    "getLegacyWater",
  ],
  terms: OPEN_MAP_TERMS,
  limits: { max_bytes: ANSWER_BOUNDS.bytes, refusal_bytes: 0 },
  lifecycle: "active",
  systems: true,
  config: documentSettings(
    "The open map: urban services of an Overpass server, and stations in addition to the operators' own.",
    {
      url: address("An Overpass server, before /interpreter: urban services are asked of it."),
      places: Type.Optional(
        Type.Enum(["embedded", "overpass"], {
          description:
            "Where urban services come from at a point that an imported base covers: embedded, from the base; overpass, from the server as elsewhere. Default: embedded; in the sandbox overpass.",
        }),
      ),
      services_timeout_ms: deadline(2_400, "Deadline of a call for urban services."),
      concurrency: Type.Integer({
        minimum: 1,
        maximum: 64,
        default: 2,
        description: "Calls at once; public servers allow one or two.",
      }),
    },
    { url: "An Overpass JSON document, or a query that answers with one." },
  ),
  timeout: "services_timeout_ms",
  // A file that names stations of it need not name a server.
  without: ({ stations }) => (stations.length > 0 ? "absent" : "failing"),
  // Public servers want to be left alone for half a minute (places.md 2.6).
  policy: { cache_s: 86_400, retry: false, cool_down_ms: 30_000 },
  precedence: 70,
  tiles: {
    reader: openMapServices,
    kinds: ["aed", "toilets", "water", "wifi", "locker", "parking", "charging"],
  },
});
