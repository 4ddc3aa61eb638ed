/**
 * InPost: parcel lockers of eleven European countries, from the points API behind its own map, keyless
 * and not guaranteed. Reference: timrogers/inpost, alltheplaces inpost spiders (places.md 6.1).
 */
import { defineProvider } from "#providers/define.ts";

export default defineProvider({
  id: "inpost",
  name: "InPost",
  kind: "lookup",
  operations: ["getServicesNearby"],
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    // Nothing is granted: answers live for as long as one question needs them. What is kept is the
    // locker's code, which stands on the locker itself and names it without describing it.
    store: "ids",
  },
  // A hundred lockers are some 300 KiB.
  limits: { max_bytes: 2 * 1_024 * 1_024 },
  lifecycle: "active",
});
