/**
 * Bases: extracts of the open map that the operator has imported (`vicinity import osm`). They answer
 * from memory, so that nothing is asked of a server; what they answer is in packages/osm-base/base and in
 * openstreetmap/base-services.ts.
 */
import { Type } from "typebox";
import { OPEN_MAP_TERMS } from "#osm/terms.ts";
import { MAX_BYTES } from "#providers/define.ts";
import { closedObject, flag, secret } from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

export default defineSource({
  id: "openbase",
  name: "Open base",
  kind: "feed",
  operations: [
    ...["geocode", "searchPlaces", "reverseGeocode", "getServicesNearby", "getParkingNearby"],
    ...["getChargingNearby", "getPlacesNearby", "getNearby", "getLegacyWater"],
  ],
  terms: OPEN_MAP_TERMS,
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
  // Bases are imported by hand, which needs no file; without any, nothing is served of them.
  always: true,
  config: closedObject(
    {
      enabled: flag(true, "Imported bases answer where they cover a point."),
      files: Type.Array(Type.String({ format: "base-path" }), {
        default: [],
        description:
          "Bases that lie elsewhere than in the data folder, by their paths, such as /srv/ch.vbase: they are read, and again when they change. Their names are their ids.",
      }),
      objects: Type.Array(
        closedObject({
          url: Type.String({
            format: "base-url",
            description:
              "Its address, such as https://bucket.s3.example.org/ch.vbase; its last part is the id.",
          }),
          region: Type.String({
            format: "one-line",
            default: "us-east-1",
            description: "Region of the store, as requests are signed for it.",
          }),
          access_key_id: secret(
            "Id of the key; without a key requests are not signed. Write it as ${NAME} of an environment variable.",
          ),
          secret_access_key: secret("The key. Write it as ${NAME} of an environment variable."),
        }),
        {
          default: [],
          description:
            "Bases in an object store that speaks S3, or behind any web address that answers ranges: of each only the pages that are needed are read.",
        },
      ),
      memory_mb: Type.Integer({
        minimum: 64,
        maximum: 1_000_000,
        default: 512,
        description:
          "Megabytes of bases that stay in memory, their heads included; the rest is read from their files when it is asked for. Bases that fit are in memory whole.",
      }),
      gazetteer: flag(true, "Cities and towns of the world answer by name where no base does."),
      photon_prefix: Type.Union([Type.String({ format: "url-path" }), Type.Null()], {
        default: "/photon",
        description:
          "Path below which clients of Photon find /api and /reverse, such as /photon; /: at the root; null or empty: nowhere.",
      }),
    },
    { description: "Bases: imported extracts of the open map, which answer without any server." },
  ),
});
