/** The systems the configuration names: one by one, and from a catalogue (mobility.md 1.11). */
import type { Config } from "#config/load.ts";
import { type CatalogueSystem, parseCatalogue, readCatalogue } from "#providers/gbfs/catalogue.ts";
import type { Auth } from "#providers/provider.ts";
import type { FeedSystem } from "#upstream/feeds/types.ts";
import type { CatalogueSpec } from "#upstream/catalogue.ts";

type Gbfs = Config["sources"]["gbfs"];

/** Systems written in the configuration. */
export function listConfigured(gbfs: Gbfs): FeedSystem[] {
  return gbfs.systems.map((system) => ({
    id: system.id,
    url: system.url,
    name: system.name ?? null,
    country: system.country ?? null,
    auth: toAuth(system.auth),
    mode_hint: system.mode_hint ?? null,
    network: system.network
      ? { id: system.network.id ?? system.id, name: system.network.name ?? null }
      : null,
    same_site_as: null,
  }));
}

/** Of the systems.csv that the configuration names. */
export function gbfsCatalogue(gbfs: Gbfs & { catalogue: string }): CatalogueSpec<FeedSystem[]> {
  const { catalogue, timeout_ms } = gbfs;
  const own = new Set(gbfs.systems.map((system) => system.id));
  return {
    id: "gbfs_catalogue",
    from: isUrl(catalogue) ? { url: catalogue, timeout_ms: timeout_ms * 4 } : { path: catalogue },
    keep: gbfs.store === "all",
    parse(body) {
      const text = new TextDecoder().decode(body);
      if (!text.slice(0, HEADER_CHARS).includes("Auto-Discovery URL")) return null;
      const { systems, trail } = readCatalogue(parseCatalogue(text));
      const value = systems
        .filter((system) => !own.has(system.id))
        .map((system) => toFeedSystem(system, gbfs));
      return { value, count: systems.length, trail };
    },
  };
}

/** The names of the columns are within these. */
const HEADER_CHARS = 4_096;

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Feed owners choose the URLs in their discovery: they must stay on the catalogue entry's site. */
function toFeedSystem(system: CatalogueSystem, gbfs: Gbfs): FeedSystem {
  return {
    id: system.id,
    url: system.url,
    name: system.name,
    country: system.country,
    location: system.location,
    auth: toAuth(gbfs.auth[system.id]),
    mode_hint: null,
    network: null,
    same_site_as: [new URL(system.url).hostname],
  };
}

function toAuth(auth: Gbfs["auth"][string] | undefined): Auth {
  if (!auth) return { kind: "none" };
  if (auth.kind !== "oauth2" || auth.scope !== undefined) return auth;
  const { scope: _none, ...rest } = auth;
  return rest;
}
