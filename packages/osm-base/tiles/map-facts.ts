/** What the maps of an extract's pages need to know of the extract as a whole. */
import type { PageCell, PageLevel } from "../pages/page-cell.ts";
import type { SeaFacts } from "./sea-facts.ts";

/** Values, so that they can be handed to the threads that build pages. */
export type MapFacts = {
  /** null: the extract has no coastline. */
  sea: SeaFacts | null;
  borders: BorderFacts;
};

/** Ways of the boundaries of countries and regions, in ascending order, and the level of each. */
export type BorderFacts = { ways: Float64Array; levels: Uint8Array };

/** Which page a map is made for. */
export type MapPage = { level: PageLevel; cell: PageCell; facts: MapFacts };
