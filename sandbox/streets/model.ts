// Streets of a simulated city as a person on foot finds them, and what mappers say of them. Who judges
// a way by its tags is held against `footing` and `passing`, which say what is there.
import type { Point } from "../geo.ts";

export type Tags = Readonly<Record<string, string>>;

/** `doubt`: whether there is a step is not known, or a wheelchair may not get through. */
export type Footing = "free" | "doubt" | "steps" | "closed";

export type StreetNode = Point & {
  readonly tags: Tags;
  /** Of `closed` it is reached, and not passed. */
  readonly passing: Footing;
};

export type StreetWay = {
  /** Numbers of nodes. */
  readonly nodes: readonly number[];
  readonly tags: Tags;
  readonly footing: Footing;
  /** Number of the named street that it is a part of. */
  readonly street: number | null;
};

/** Ground between rings of nodes, the outer ring first; each names its first node again at the end. */
export type Square = {
  readonly rings: readonly (readonly number[])[];
  readonly tags: Tags;
  /** Drawn as a relation, not as a closed way. */
  readonly is_relation: boolean;
};

/** A house apart from others, closed as a square is; doors are nodes of its outline. */
export type Building = { readonly nodes: readonly number[]; readonly tags: Tags };

export type Streets = {
  readonly nodes: readonly StreetNode[];
  readonly ways: readonly StreetWay[];
  readonly squares: readonly Square[];
  readonly buildings: readonly Building[];
};

export type Style = { readonly tags: Tags; readonly footing: Footing };
