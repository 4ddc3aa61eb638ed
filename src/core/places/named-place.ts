/** Places that the words of a question name, as an index of the world's places knows them. */
import type { Location } from "#kit/geo.ts";

/** A settlement, region or country that is called as words of a question say. */
export type NamedPlace = Location & {
  /** Number of the place in its index. */
  doc: number;
  kind: "settlement" | "region" | "country";
  /** ISO 3166-1 alpha-2; null: unknown. */
  country: string | null;
};

export type NamedSpan = {
  /** Words in the comparable form of `fold.ts`. */
  words: readonly string[];
  /** As the question has them. */
  text: string;
  /** All that are called so, or those of them that the other spans agree with. */
  places: readonly NamedPlace[];
  /** A comma or a number parts it from the rest, or it is all; otherwise a street may be called so. */
  apart: boolean;
};

/** Reads the places of a question, and says whether a thing is in one of them. */
export type PlaceNames = {
  /** Spans in the order of the question; places of a span are in those of the others, where any is. */
  read(q: string): NamedSpan[];
  holds(place: NamedPlace, thing: Location & { country: string | null }): boolean;
  /** Whether a settlement of a region or a country fits. */
  hasSome(place: NamedPlace, fits: (at: Location) => boolean): boolean;
};
