/** The catalogues of systems a deployment follows: what they name, and how they are themselves. */
import type { CatalogueListing } from "#app/source-list.ts";
import type { Config } from "#config/load.ts";
import { explainFailure } from "#core/failure-words.ts";
import citybikes from "#providers/citybikes/index.ts";
import type { Descriptor } from "#providers/define.ts";
import gbfs from "#providers/gbfs/index.ts";
import { Catalogue, type CatalogueDeps, type CatalogueSpec } from "#upstream/catalogue-reader.ts";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";
import type { World } from "#world/world.ts";
import { citybikesCatalogue, gbfsCatalogue } from "#upstream/feeds/configured.ts";

type Row = { name: string; provider: Descriptor; spec: CatalogueSpec<FeedSystem[]> };

export type Catalogues = {
  listed: readonly CatalogueListing[];
  /** Adds what they named before the restart. */
  recall(): Promise<void>;
  /** Resolves when each has handed over what it names, or was tried once. */
  start(): Promise<void>;
  close(): Promise<void>;
};

export function openCatalogues(
  sources: Config["sources"],
  deps: CatalogueDeps & { world: World; add: (systems: FeedSystem[]) => Promise<void> },
): Catalogues {
  const { world, add } = deps;
  const opened = listRows(sources).map(({ spec, ...row }) => {
    const onEvent: CatalogueDeps["onEvent"] = (event) => {
      deps.onEvent(event);
      const { status, reason } = event;
      if (status !== "ok" && reason !== null)
        world.noteUnread(spec.id, explainFailure({ status, reason }).word);
    };
    const use = async (systems: FeedSystem[]): Promise<void> => {
      world.setBox(spec.id, null);
      await add(systems);
    };
    return { ...row, id: spec.id, catalogue: new Catalogue(spec, { ...deps, onEvent }, use) };
  });
  return {
    listed: opened.map(({ id, name, provider, catalogue }) => ({
      id,
      name,
      provider,
      terms: NO_TERMS,
      health: () => catalogue.health(),
    })),
    async recall() {
      // Until one was read, it may name systems anywhere.
      for (const { id, name } of opened)
        world.registerUnread({ source_id: id, name: `the ${name}` });
      await Promise.all(opened.map(({ catalogue }) => catalogue.recall()));
    },
    start: async () => void (await Promise.all(opened.map(({ catalogue }) => catalogue.start()))),
    close: async () => void (await Promise.all(opened.map(({ catalogue }) => catalogue.close()))),
  };
}

const NO_TERMS = { attribution: null, licence: null };

function listRows(sources: Config["sources"]): Row[] {
  const rows: Row[] = [];
  const { catalogue } = sources.gbfs;
  if (sources.gbfs.enabled && catalogue !== null)
    rows.push({
      name: "GBFS catalogue",
      provider: gbfs,
      spec: gbfsCatalogue({ ...sources.gbfs, catalogue }),
    });
  if (sources.citybikes.enabled)
    rows.push({
      name: "CityBikes list of networks",
      provider: citybikes,
      spec: citybikesCatalogue(sources.citybikes),
    });
  return rows;
}
