/**
 * Docks of two systems of one name, at one place (decisions, Succession): an operator was replaced, both
 * feeds are published, and each says of its own docks what it says. Judged by the pair of docks: no
 * active dock is shown as closed, nor are vehicles hidden behind another's count.
 */
import { fold, nameWords } from "#kit/names/fold.ts";
import { isOneSystem, type PreparedFeed } from "./kinship.ts";
import type { Observation, SourceKind } from "./observed-station.ts";

/** A dock, and its feed with the place of it among the feeds. */
type Side = { place: number; feed: PreparedFeed; dock: Observation };

type Relation = {
  /** One has nothing to rent, and the other has. */
  is_handed_on: boolean;
  are_rivals: boolean;
  /** Only a key in common says that their docks are one. */
  needs_key: boolean;
};

export class Succession {
  readonly #relations = new Map<string, Relation>();

  /** Reports whether two docks that would be one station otherwise are shown apart. Symmetrical. */
  parts(a: Side, b: Side, keys: "equal" | "elsewhere" | "unknown"): boolean {
    const { is_handed_on, are_rivals, needs_key } = this.#relationOf(a, b);
    if (is_handed_on) return true;
    if (!are_rivals) return false;
    if (keys !== "equal" && needs_key) return true;
    // An aggregator's copy, a little late, says otherwise for a while.
    const isCopy = keys === "equal" && a.feed.feed.kind !== b.feed.feed.kind;
    return !isCopy && contradict(a.dock, b.dock);
  }

  #relationOf(a: Side, b: Side): Relation {
    const at = a.place < b.place ? `${a.place} ${b.place}` : `${b.place} ${a.place}`;
    let relation = this.#relations.get(at);
    if (!relation) this.#relations.set(at, (relation = relate(a.feed, b.feed)));
    return relation;
  }
}

function relate(a: PreparedFeed, b: PreparedFeed): Relation {
  const reported = [a.feed.rents ?? null, b.feed.rents ?? null];
  const is_one = isOneSystem(a, b);
  return {
    is_handed_on: reported.includes(true) && reported.includes(false) && !is_one,
    are_rivals: areRivals(a, b),
    // Two operators' feeds that count their own docks, and share no more than a name, may differ at any moment.
    needs_key: (!reported.includes(null) && a.feed.kind === b.feed.kind) || haveTwoOperators(a, b),
  };
}

const OWN_COUNTS: ReadonlySet<SourceKind> = new Set(["gbfs", "gbfs_aggregator"]);

/** Reports whether both are operators' own feeds, of two systems. Symmetrical. */
export function areRivals(a: PreparedFeed, b: PreparedFeed): boolean {
  return OWN_COUNTS.has(a.feed.kind) && OWN_COUNTS.has(b.feed.kind) && !isOneSystem(a, b);
}

function contradict(a: Observation, b: Observation): boolean {
  return a.rents != null && b.rents != null && a.rents !== b.rents;
}

/** Both say who runs them, in other words. */
function haveTwoOperators({ feed: a }: PreparedFeed, { feed: b }: PreparedFeed): boolean {
  if (!a.operator || !b.operator) return false;
  return nameWords(fold(a.operator)).join("") !== nameWords(fold(b.operator)).join("");
}
