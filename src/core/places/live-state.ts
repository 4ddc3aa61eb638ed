/**
 * What the live half of a register says of one car park or one charging point, and where a place looks
 * for it. A number that is not known is null, never 0; a state older than the bound of its source is
 * no state (docs/registers.md).
 */
import type { CONTRADICTIONS, SPACE_GROUPS } from "#api/availability.ts";
import type { ConnectorType, UnitState } from "./charging-facts.ts";

export type SpaceGroup = (typeof SPACE_GROUPS)[number];

export type SpaceCount = { free: number | null; capacity: number | null };

/** Of a car park. */
export type SpacesState = {
  kind: "spaces";
  /** As `LiveKeys` of its place has it. */
  id: string;
  /** Epoch seconds; null: neither the state nor its publication is dated, so it is as old as the reading. */
  observed_s: number | null;
  free: number | null;
  /** Spaces in all as the live half has them; null: it does not say. */
  capacity: number | null;
  by_group: Readonly<Partial<Record<SpaceGroup, SpaceCount>>>;
  trend: "filling" | "steady" | "emptying" | null;
  is_open: boolean | null;
  /** What it says that cannot all be true. */
  contradictions?: readonly Contradiction[];
};

export type Contradiction = (typeof CONTRADICTIONS)[number];

/** Of a charging point (an EVSE): one car at a time. `state` null: it says that it does not know. */
export type PointState = {
  kind: "point";
  id: string;
  observed_s: number | null;
  state: UnitState | null;
};

export type LiveState = SpacesState | PointState;

/** Where the place of a register finds its states in the live half of the same register. */
export type LiveKeys =
  | {
      kind: "spaces";
      /** Of the site itself. */
      id: string;
    }
  | { kind: "points"; points: readonly LivePoint[] };

/** A charging point with what it offers, so that connectors are counted again with its state. */
export type LivePoint = {
  id: string;
  connectors: readonly { type: ConnectorType; max_kw: number | null }[];
};
