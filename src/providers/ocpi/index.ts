/**
 * OCPI: how operators of charging stations exchange them; one endpoint is one operator, or a hub of
 * many. Reference: ocpi/ocpi 2.2.1 and 2.3.0, mod_locations and transport_and_format (places.md 7.2).
 */
import { Type } from "typebox";
import { DEFAULT_MAX_BYTES } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { readLocations } from "#providers/ocpi/locations.ts";
import type { Auth } from "#providers/provider.ts";
import { address, flag, lookupSettings, secret } from "#providers/settings.ts";
import { type BareRequest, defineSource, type RegisterReader } from "#providers/source.ts";

export type OcpiSettings = LookupSettings & {
  /** The whole address of the locations. */
  url: string;
  /** Likewise of the tariffs; null: there are none, or they are in the locations. */
  tariffs_url: string | null;
  /** null: nothing is sent. */
  token: string | null;
  /** Sent as it is: what 2.1.1 says, and some servers of later versions want. */
  token_raw: boolean;
  /** Whose stations they are, where they do not say so themselves. */
  name: string;
  /** What has to be shown with them. */
  attribution: string | null;
};

/** Charging stations of one endpoint, page by page. */
export const ocpiLocations: RegisterReader<OcpiSettings> = {
  dataset: null,
  kind: "charging",
  requests: (settings) => [toRequest(settings, settings.url)],
  companions: (settings) =>
    settings.tariffs_url === null ? [] : [toRequest(settings, settings.tariffs_url)],
  open: (body, { settings, trail, companions }) => {
    const register = { ...settings, id: descriptor.id, label: descriptor.name, is_live: false };
    return readLocations(body, { register, trail, companions });
  },
};

const descriptor = defineSource({
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
  config: lookupSettings(
    "An operator's OCPI locations: supplements charging of the open adapter.",
    {
      url: address("Of the locations module."),
      tariffs_url: address("Of the tariffs module; null: prices are those in the locations."),
      token: secret("Write it as ${NAME} of an environment variable; null: an open endpoint."),
      token_raw: flag(false, "Sent as it is, not as base64."),
      name: Type.String({ format: "one-line", default: "OCPI" }),
    },
    { timeout_ms: 60_000 },
  ),
  verbatim: true,
  role: "supplement",
  precedence: 20,
  // Statuses of charging stations are worth reading again after five minutes.
  registers: { readers: [ocpiLocations], renew_s: 300 },
});
export default descriptor;

function toRequest(settings: OcpiSettings, url: string): BareRequest {
  return { url, headers: { accept: "application/json" }, auth: toAuth(settings) };
}

/** From 2.2 on the token is sent as Base64 of its UTF-8 bytes. */
function toAuth({ token, token_raw }: OcpiSettings): Auth {
  if (token === null) return { kind: "none" };
  const bytes = Array.from(new TextEncoder().encode(token), (byte) => String.fromCharCode(byte));
  const sent = token_raw ? token : btoa(bytes.join(""));
  return { kind: "headers", headers: { Authorization: `Token ${sent}` } };
}
