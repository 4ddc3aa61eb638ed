/** The systems the configuration names: one by one, and from a catalogue (mobility.md 1.11). */
import { readFile } from "node:fs/promises";
import type { Config } from "#config/load.ts";
import { isOk } from "#core/outcome.ts";
import { type CatalogueSystem, parseCatalogue, readCatalogue } from "#providers/gbfs/catalogue.ts";
import type { Auth } from "#providers/provider.ts";
import type { FeedSystem } from "#upstream/feeds/types.ts";
import type { Run } from "#upstream/run.ts";

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

/** Systems of the catalogue; null: it could not be read, which is not the same as none. */
export async function readCatalogueSystems(gbfs: Gbfs, run: Run): Promise<FeedSystem[] | null> {
  if (gbfs.catalogue === null) return [];
  const text = await readText(gbfs.catalogue, run, gbfs.timeout_ms);
  if (text === null) return null;
  const { systems } = readCatalogue(parseCatalogue(text));
  const own = new Set(gbfs.systems.map((system) => system.id));
  return systems
    .filter((system) => !own.has(system.id))
    .map((system) => toFeedSystem(system, gbfs));
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

async function readText(where: string, run: Run, timeout_ms: number): Promise<string | null> {
  if (!isUrl(where)) return (await readFile(where)).toString("utf8");
  const outcome = await run({ url: where, timeout_ms: timeout_ms * 4 }, {});
  return isOk(outcome) && outcome.value.kind === "body"
    ? new TextDecoder().decode(outcome.value.body)
    : null;
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
