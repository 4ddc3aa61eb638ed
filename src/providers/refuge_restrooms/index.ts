/**
 * Refuge Restrooms: toilets that are safe to use for everybody, added by those who use them.
 * Reference: RefugeRestrooms/refugerestrooms, app/controllers/api/v1/restrooms.rb (places.md 5).
 */
import { defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "refuge_restrooms",
  name: "Refuge Restrooms",
  kind: "lookup",
  operations: ["getServicesNearby"],
  terms: {
    attribution: "Data from Refuge Restrooms",
    attribution_url: "https://www.refugerestrooms.org/",
    // The project states none for its data.
    licence: null,
    licence_url: null,
    store: "all",
  },
  // A hundred rows with long comments are some 200 KiB.
  limits: { max_bytes: 2 * 1_024 * 1_024 },
  lifecycle: "active",
});
