/**
 * A place of a register with what its live half says of it now: free spaces of a car park, counts of
 * connectors of a charging station. What nothing live is known of says nothing: no number of before
 * stays (docs/registers.md).
 */
import { present } from "#kit/present.ts";
import { toRfc3339 } from "#kit/time.ts";
import {
  type ChargingAvailability,
  toAvailability,
  toConnectors,
  type Unit,
} from "./charging-facts.ts";
import type {
  Contradiction,
  LivePoint,
  LiveState,
  PointState,
  SpaceCount,
  SpacesState,
} from "./live-state.ts";
import type { Place } from "./place.ts";

/** A state, and when it was true, epoch seconds. */
export type DatedState<S extends LiveState = LiveState> = { state: S; observed_s: number };

/** null: it is not known, or too long ago. */
export type FindState = (id: string) => DatedState | null;

/** The place as it may be shown: `live` itself is never published. */
export function withLiveState(place: Place, find: FindState): Place {
  const { live, ...rest } = place;
  if (live === undefined) return place;
  const attributes =
    live.kind === "spaces"
      ? withSpaces(rest, find(live.id))
      : withPoints(rest.attributes, live.points, find);
  return { ...rest, attributes };
}

type Attributes = Place["attributes"];

function withSpaces(
  { attributes, source_id }: Pick<Place, "attributes" | "source_id">,
  found: DatedState | null,
): Attributes {
  const { availability: _, ...others } = attributes;
  if (found?.state.kind !== "spaces") return others;
  const { state, observed_s } = found;
  const { capacity: total } = attributes;
  const stated = typeof total === "number" ? total : null;
  const by_group = toGroups(state.by_group);
  const known = present({
    free: state.free,
    capacity: state.capacity ?? stated,
    by_group: Object.keys(by_group).length > 0 ? by_group : null,
    trend: state.trend,
    is_open: state.is_open,
  });
  const { capacity: _capacity, ...live } = known;
  // A capacity alone is nothing live.
  if (Object.keys(live).length === 0) return others;
  const contradictions = listContradictions(state, stated);
  const availability = {
    ...known,
    observed_at: toRfc3339(observed_s),
    source: source_id,
    ...(contradictions.length > 0 && { contradictions }),
  };
  return { ...others, availability };
}

function toGroups(groups: SpacesState["by_group"]): Record<string, Partial<SpaceCount>> {
  const entries = Object.entries(groups).map(([name, count]) => [name, present(count)] as const);
  return Object.fromEntries(entries.filter(([, count]) => Object.keys(count).length > 0)) as Record<
    string,
    Partial<SpaceCount>
  >;
}

/** What it says itself, and what both halves together cannot both be right in. */
function listContradictions(
  { free, capacity, contradictions = [] }: SpacesState,
  stated: number | null,
): Contradiction[] {
  const total = capacity ?? stated;
  const listed = new Set(contradictions);
  if (free !== null && total !== null && free > total) listed.add("free_above_capacity");
  if (capacity !== null && stated !== null && capacity !== stated) listed.add("capacity_differs");
  return [...listed];
}

/** Members of an availability, which a static half may state as of when it was written. */
const COUNTS: readonly (keyof ChargingAvailability)[] = [
  "available_count",
  "out_of_service_count",
  "availability_updated_at",
];

function withPoints(
  attributes: Attributes,
  points: readonly LivePoint[],
  find: FindState,
): Attributes {
  const units = points.map(({ id }) => toUnit(find(id)));
  const offers = points.flatMap(({ connectors }, i) =>
    connectors.map((connector) => ({ ...connector, unit: units[i]! })),
  );
  const { connectors, ...whole } = (attributes["charging"] ?? {}) as Record<string, unknown>;
  return {
    ...attributes,
    charging: {
      ...withoutCounts(whole),
      ...toAvailability(units),
      connectors: offers.length > 0 ? toConnectors(offers) : bareConnectors(connectors),
    },
  };
}

function toUnit(found: DatedState | null): Unit {
  const state = found?.state.kind === "point" ? (found.state satisfies PointState).state : null;
  return { count: 1, state, updated_s: state === null ? null : found!.observed_s };
}

function withoutCounts(members: object): Record<string, unknown> {
  const names: ReadonlySet<string> = new Set(COUNTS);
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)));
}

function bareConnectors(connectors: unknown): Record<string, unknown>[] {
  return Array.isArray(connectors) ? (connectors as object[]).map(withoutCounts) : [];
}
