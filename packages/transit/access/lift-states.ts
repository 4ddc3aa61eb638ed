/**
 * What is known of a station at a moment, from alerts and a register of lifts. What decides is the
 * worse of what both say; what names no single lift makes nothing certain.
 */
import type { AccessIssues } from "../live/live-table.ts";
import { PLACE, WAY } from "./access-draft.ts";
import type { LiftState, Network, StationState } from "./station-network.ts";

/** Statement of a register. `pathways`: the lift that is meant; null: only its station is known. */
export type LiftStatement = {
  state: Exclude<LiftState, "unstated">;
  pathways: readonly string[] | null;
};

export type StationKnowledge = {
  /** null: alerts are a source here, and it is not known what they say now; undefined: they are none. */
  issues: AccessIssues | null | undefined;
  /** Of the lifts of this station. */
  statements: readonly LiftStatement[];
  /** A register knows lifts of the station, and cannot be read. */
  is_register_lost: boolean;
};

export function toStationState(network: Network, known: StationKnowledge): StationState {
  const { issues, statements, is_register_lost } = known;
  const named = namedLifts(network, issues?.places ?? []);
  const registered = new Map<string, LiftState>();
  for (const { state, pathways } of statements)
    for (const id of pathways ?? []) registered.set(id, worse(state, registered.get(id)));
  const usual: LiftState = issues === null || is_register_lost ? "unknown" : "unstated";
  // Some lift of the station, and any may be meant.
  const isElsewhere = statements.some(
    ({ state, pathways }) => pathways === null && state !== "in_service",
  );
  return {
    liftOf: (id) => {
      const stated = registered.get(id);
      const alerted = named.lifts.get(id);
      return stated === undefined ? (alerted ?? usual) : worse(stated, alerted);
    },
    doubts: named.doubts,
    is_doubtful: isElsewhere || issues?.anywhere === true || named.is_elsewhere,
  };
}

const ORDER: readonly LiftState[] = ["unstated", "in_service", "unknown", "out_of_order"];

function worse(a: LiftState, b: LiftState = "unstated"): LiftState {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

/**
 * The lifts that places name. An entrance or a node with one lift names that one; with several, any of
 * them may be meant. The place itself is in doubt, and so is the station where it has no way.
 */
function namedLifts({ places, ways }: Network, at: readonly number[]) {
  const lifts = new Map<string, LiftState>();
  const doubts = new Set(at.map((place) => places[place]!.id));
  const waysAt = new Map<number, Network["ways"][number][]>(at.map((place) => [place, []]));
  for (const way of ways) for (const end of new Set([way.from, way.to])) waysAt.get(end)?.push(way);
  let is_elsewhere = false;
  for (const place of at) {
    const { kind } = places[place]!;
    const own = waysAt.get(place)!;
    const own_lifts = own.filter(({ mode }) => mode === WAY.lift);
    const isNamed = own_lifts.length === 1 && (kind === PLACE.entrance || kind === PLACE.node);
    for (const { id } of own_lifts)
      lifts.set(id, worse(isNamed ? "out_of_order" : "unknown", lifts.get(id)));
    if (own.length === 0 && kind !== PLACE.platform && kind !== PLACE.boarding) is_elsewhere = true;
  }
  return { lifts, doubts, is_elsewhere };
}

/** How many lifts of a station there are, by what is known of them. */
export type LiftCounts = {
  total: number;
  in_service: number;
  out_of_order: number;
  unknown: number;
};

export function countLifts({ ways }: Network, state: StationState): LiftCounts {
  const counts = { total: 0, in_service: 0, out_of_order: 0, unknown: 0 };
  for (const { mode, id } of ways) {
    if (mode !== WAY.lift) continue;
    const lift = state.liftOf(id);
    counts.total++;
    counts[lift === "unstated" ? "unknown" : lift]++;
  }
  return counts;
}
