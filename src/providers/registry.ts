/** Every provider there is, by hand: one that is not in this table does not exist. */
import type { Descriptor } from "#providers/define.ts";
import citybikes from "#providers/citybikes/index.ts";
import fasta from "#providers/fasta.ts";
import gbfs from "#providers/gbfs/index.ts";
import geodae from "#providers/geodae/index.ts";
import google_maps from "#providers/google_maps/index.ts";
import gtfs from "#providers/gtfs.ts";
import inpost from "#providers/inpost/index.ts";
import met_norway from "#providers/met_norway/index.ts";
import mobilitydb from "#providers/mobilitydb/index.ts";
import motis from "#providers/motis/index.ts";
import navitia from "#providers/navitia/index.ts";
import nominatim from "#providers/nominatim/index.ts";
import ocpi from "#providers/ocpi/index.ts";
import open_meteo from "#providers/open_meteo/index.ts";
import openaedmap from "#providers/openaedmap.ts";
import openbase from "#providers/openbase.ts";
import openchargemap from "#providers/openchargemap/index.ts";
import openstreetmap from "#providers/openstreetmap/index.ts";
import openweathermap from "#providers/openweathermap/index.ts";
import paris_opendata from "#providers/paris_opendata/index.ts";
import pelias from "#providers/pelias/index.ts";
import photon from "#providers/photon/index.ts";
import refuge_restrooms from "#providers/refuge_restrooms.ts";
import type { Source } from "#providers/source.ts";
import transitland from "#providers/transitland/index.ts";

/** Sources by id, in the order of the configuration schema. */
export const SOURCES = {
  gbfs,
  citybikes,
  motis,
  openstreetmap,
  openbase,
  google_maps,
  photon,
  nominatim,
  pelias,
  refuge_restrooms,
  openaedmap,
  geodae,
  paris_opendata,
  inpost,
  openchargemap,
  ocpi,
  gtfs,
  navitia,
  transitland,
  fasta,
  openweathermap,
  met_norway,
  open_meteo,
} as const;

export type SourceId = keyof typeof SOURCES;

export function listSources(): readonly (readonly [id: SourceId, source: Source])[] {
  return Object.entries(SOURCES) as [SourceId, Source][];
}

/** Sources, and catalogues that name others. */
export const PROVIDERS: readonly Descriptor[] = [...Object.values(SOURCES), mobilitydb];

export function findProvider(id: string): Descriptor | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/** Throws for an id that is not listed: a wrong name is a programming error. */
export function getProvider(id: string): Descriptor {
  const provider = findProvider(id);
  if (!provider) throw new Error(`no provider ${id}`);
  return provider;
}
