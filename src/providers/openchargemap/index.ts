/**
 * Open Charge Map: charging stations of the world, gathered by volunteers and from registers.
 * Reference: openchargemap/ocm-docs, API definition v3; openchargemap/ocm-data (places.md 7.1).
 */
import { defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type OcmSettings = LookupSettings & { api_key: string };

export default defineProvider({
  id: "openchargemap",
  name: "Open Charge Map",
  kind: "lookup",
  operations: ["getServicesNearby", "getChargingNearby"],
  terms: {
    attribution: "© Open Charge Map contributors",
    attribution_url: "https://openchargemap.org/",
    licence: "CC BY-SA 4.0",
    licence_url: "https://creativecommons.org/licenses/by-sa/4.0/",
    store: "all",
  },
  // Four hundred stations are some 2 MiB in the short form.
  limits: { max_bytes: 8 * 1_024 * 1_024 },
  lifecycle: "active",
});
