/**
 * OCPI: how operators of charging stations exchange them; one endpoint is one operator, or a hub of
 * many. Reference: ocpi/ocpi 2.2.1 and 2.3.0, mod_locations and transport_and_format (places.md 7.2).
 */
import { DEFAULT_MAX_BYTES, defineProvider } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type OcpiSettings = LookupSettings & {
  /** The whole address of the locations. */
  url: string;
  /** "": nothing is sent. */
  token: string;
  /** Sent as it is: what 2.1.1 says, and some servers of later versions want. */
  token_raw: boolean;
  /** Whose stations they are, where they do not say so themselves. */
  name: string;
  /** What has to be shown with them. */
  attribution: string | null;
};

export default defineProvider({
  id: "ocpi",
  name: "OCPI",
  kind: "feed",
  operations: ["getServicesNearby", "getChargingNearby"],
  terms: {
    // Each endpoint has its own: they are configured.
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: DEFAULT_MAX_BYTES },
  lifecycle: "active",
});
