/**
 * The ways within a station: which platforms are reached from the street and back without steps
 * (docs/walking.md, Within stations). Walked are walkways, moving ones, gates and lifts that are not
 * out of order; never stairs and escalators. What is in doubt makes neither yes nor no.
 */
import { NO_LENGTH, PLACE, WAY, WAY_FLAG } from "./access-draft.ts";
import { searchPlaces, type Step } from "./access-search.ts";

/** `unstated`: no source speaks of it, and it is walked as planned. `unknown`: one that does is not sure. */
export type LiftState = "in_service" | "out_of_order" | "unknown" | "unstated";

type NetworkPlace = {
  id: string;
  /** One of PLACE. */
  kind: number;
  /** 0 unknown, 1 yes, 2 no. */
  wheelchair: number;
  /** Of a boarding area its platform, or NO_PART. */
  part: number;
  code: string | null;
  level: string | null;
};

type NetworkWay = {
  /** Of a lift; empty for others. */
  id: string;
  from: number;
  to: number;
  /** One of WAY. */
  mode: number;
  /** Bits of WAY_FLAG. */
  flags: number;
  length_dm: number;
};

export type Network = {
  places: readonly NetworkPlace[];
  ways: readonly NetworkWay[];
  /** Ways of the station were left out: what is not reached may be. */
  is_partial: boolean;
};

/** What is known of a station at a moment. */
export type StationState = {
  liftOf(id: string): LiftState;
  /** Stops whose ways are in doubt. */
  doubts: ReadonlySet<string>;
  /** Something is wrong somewhere in the station. */
  is_doubtful: boolean;
};

/** As planned: no source says anything of any lift. */
export const PLANNED: StationState = {
  liftOf: () => "unstated",
  doubts: new Set(),
  is_doubtful: false,
};

export type PlatformAccess = {
  stop_id: string;
  code: string | null;
  level: string | null;
  /** From some entrance and back without steps; null: unknown. */
  to_street: boolean | null;
  /** From the nearest entrance, where `to_street`; null: unknown. */
  meters: number | null;
};

/** Says of each platform whether it is reached, in the order of the feed. */
export function findPlatformAccess(network: Network, state: StationState): PlatformAccess[] {
  const { places, is_partial } = network;
  const now = searchBoth(network, state);
  let plan: Found | undefined;
  return listPlatforms(network).map(({ at, parts }) => {
    const { id, code, level, wheelchair } = places[at]!;
    const isRefused = [at, ...parts].some((part) => places[part]!.wheelchair === NO);
    const all = joinAnswers(parts.map((part) => now.answer(part)));
    const is_doubt = state.is_doubtful || state.doubts.has(id) || isRefused;
    const isOpen = all === true && !is_doubt;
    // What its publisher calls accessible, and the plan does not reach, is not known by the plan.
    const isAtOdds = (): boolean =>
      wheelchair === YES && joinAnswers(parts.map(planned(network).answer)) === false;
    const isShut = all === false && !is_partial && !isAtOdds();
    return {
      stop_id: id,
      code,
      level,
      to_street: isOpen ? true : isShut ? false : null,
      meters: isOpen ? now.meters(parts) : null,
    };
  });

  function planned(of: Network): Found {
    plan ??= searchBoth(of, PLANNED);
    return plan;
  }
}

/** Platforms, each with the places by which it is reached: its boarding areas, where it has some. */
function listPlatforms({ places, ways }: Network): { at: number; parts: number[] }[] {
  const touched = new Set(ways.flatMap(({ from, to }) => [from, to]));
  const areas = Map.groupBy(
    places.flatMap(({ kind, part }, at) => (kind === PLACE.boarding ? [{ at, part }] : [])),
    ({ part }) => part,
  );
  return places.flatMap(({ kind }, at) => {
    if (kind !== PLACE.platform) return [];
    const own = (areas.get(at) ?? []).map((area) => area.at);
    return [{ at, parts: own.length > 0 && !touched.has(at) ? own : [at, ...own] }];
  });
}

/** true where all are, false where none is; null: unknown, or not the same. */
export function joinAnswers(answers: readonly (boolean | null)[]): boolean | null {
  const [first = null] = answers;
  return answers.every((answer) => answer === first) ? first : null;
}

const [YES, NO] = [1, 2] as const;

type Found = {
  answer(place: number): boolean | null;
  meters(places: readonly number[]): number | null;
};

/** Ways that are certain, and with those that are in doubt; from the entrances and back to them. */
function searchBoth(network: Network, state: StationState): Found {
  const touched = new Set(network.ways.flatMap(({ from, to }) => [from, to]));
  const entrances = network.places.flatMap(({ kind, wheelchair }, at) =>
    kind === PLACE.entrance && touched.has(at) ? [{ at, wheelchair }] : [],
  );
  // An entrance that its publisher does not call accessible is none for certain.
  const certain = entrances.filter(({ wheelchair }) => wheelchair !== NO);
  const sure = searchFrom(network, certain, listSteps(network, state, "sure"));
  let possible: ReturnType<typeof searchFrom> | undefined;
  const isMeasured = network.ways.every(
    ({ mode, length_dm }) => mode === WAY.lift || length_dm !== NO_LENGTH,
  );
  return {
    answer(place) {
      if (!touched.has(place)) return null;
      if (sure.isReached(place)) return true;
      // Without a known entrance nothing is known to be shut off.
      if (entrances.length === 0) return null;
      possible ??= searchFrom(network, entrances, listSteps(network, state, "possible"));
      return possible.isReached(place) ? null : false;
    },
    meters(parts) {
      const longest_dm = Math.max(...parts.map((part) => sure.entering[part]!));
      return isMeasured && longest_dm < Infinity ? Math.round(longest_dm / 10) : null;
    },
  };
}

function searchFrom(
  { places }: Network,
  entrances: readonly { at: number }[],
  steps: readonly Step[],
) {
  const starts = entrances.map(({ at }) => at);
  const back = steps.map(({ from, to, length_dm }) => ({ from: to, to: from, length_dm }));
  const entering = searchPlaces(places.length, starts, steps);
  const leaving = searchPlaces(places.length, starts, back);
  return {
    entering,
    isReached: (place: number) => entering[place]! < Infinity && leaving[place]! < Infinity,
  };
}

type Certainty = "sure" | "possible";

/** The ways that may be walked without steps, each in its directions. */
export function listSteps(
  { places, ways }: Network,
  state: StationState,
  certainty: Certainty,
): Step[] {
  const isDoubtful = (place: number): boolean => state.doubts.has(places[place]!.id);
  return ways.flatMap((way) => {
    const { from, to, mode, flags, id } = way;
    if (mode === WAY.stairs || mode === WAY.escalator) return [];
    const lift = mode === WAY.lift ? state.liftOf(id) : "in_service";
    if (lift === "out_of_order") return [];
    const is_doubt = (flags & WAY_FLAG.doubt) !== 0 || lift === "unknown";
    if (certainty === "sure" && (is_doubt || isDoubtful(from) || isDoubtful(to))) return [];
    const length_dm = way.length_dm === NO_LENGTH ? 0 : way.length_dm;
    const step = { from, to, length_dm };
    return (flags & WAY_FLAG.both) === 0 ? [step] : [step, { from: to, to: from, length_dm }];
  });
}
