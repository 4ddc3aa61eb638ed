/** Questions to Transitland (mobility.md 4.2). */
import type { LookupSettings } from "#providers/lookup.ts";
import type { BareRequest } from "#providers/source.ts";

export type TransitlandSettings = LookupSettings & { api_key: string };

/** The key goes into a header, never into the address. */
export function askTransitland(path: string, { url, api_key }: TransitlandSettings): BareRequest {
  return {
    url: `${url}${path}`,
    headers: { accept: "application/json" },
    auth: { kind: "headers", headers: { apikey: api_key } },
  };
}
