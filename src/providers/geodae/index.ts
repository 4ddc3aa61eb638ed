/**
 * GéoDAE: the French register of defibrillators. Reference: places.md 4.1; data.gouv.fr, data set
 * 61556e1e9d6adb2df86eb0fc.
 */
import { defineProvider, MAX_BYTES } from "#providers/define.ts";

export default defineProvider({
  id: "geodae",
  name: "GéoDAE",
  kind: "feed",
  operations: ["getServicesNearby", "getNearby"],
  terms: {
    attribution: "Géo'DAE – Ministère de la Santé",
    attribution_url: "https://www.data.gouv.fr/datasets/61556e1e9d6adb2df86eb0fc",
    licence: "etalab-2.0",
    licence_url: "https://www.etalab.gouv.fr/licence-ouverte-open-licence/",
    store: "all",
  },
  // The whole country as GeoJSON: 187 000 rows of three dozen members.
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
});
