/**
 * A point of interest as one source observes it: a pharmacy, a restaurant, a park. It is of a class
 * (packages/api/place-classes.ts), and no urban service.
 */
import type { Location } from "#kit/geo.ts";
import type { Opening } from "./opening.ts";
import type { ThingRows } from "./place-columns.ts";

export type Interest = Location & {
  place_class: string;
  /** Id of the provider whose observation it is. */
  source_id: string;
  /** As the provider knows it: `node/123`, a place id. Stable. */
  external_id: string;
  /** null: it has none, and is called by its class. */
  name: string | null;
  /** By language tag, where the source has some. */
  names?: Readonly<Record<string, string>>;
  /** Facts of the vocabulary (packages/api/attributes.ts); unknown is absent. */
  attributes: Readonly<Record<string, unknown>>;
  /** Hours as the source publishes them; absent: it publishes none. */
  opening?: Opening;
};

/** The points of interest of one base, or of one page of it. */
export type BaseInterests = {
  rows: ThingRows<Interest>;
  /** Numbers of classes in it; those that it does not know have none. */
  numbersOf(classes: readonly string[]): number[];
  /** The class of a number. */
  classOf(number: number): string;
};
