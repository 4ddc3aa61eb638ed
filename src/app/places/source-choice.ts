/**
 * Which sources of places are asked where the operator chooses one of several, and in which order they
 * lead (decisions, Urban services).
 */
import type { Source } from "#providers/source.ts";

/** A source of the deployment. */
type NamedSource = { id: string; source: Source };

/** What the operator has chosen. */
export type Choice = {
  maps: { adapter: string; geocoder: string };
  aed: { registry: string };
};

/** Behind all that state where they lead. */
const LAST = 1_000;

export function isOfPlaces({ source }: NamedSource): boolean {
  return source.precedence !== undefined || !!source.geocoder || !!source.registers;
}

/** What the operator chooses one of is asked where it is the one. */
export function isChosen(
  { id, source: { role } }: NamedSource,
  { maps }: Pick<Choice, "maps">,
): boolean {
  const isOpen = maps.adapter === "openstreetmap";
  switch (role) {
    case "maps":
      return id === maps.adapter;
    case "geocoder":
      return isOpen && id === maps.geocoder;
    case "supplement":
      return isOpen;
    case "weather":
      return false;
    default:
      return true;
  }
}

/** A supplement that is switched on and not asked, since its adapter is not the chosen one. */
export function isUnused(match: NamedSource, choice: Pick<Choice, "maps">): boolean {
  return match.source.role === "supplement" && !isChosen(match, choice);
}

/** The order in which sources lead. */
export function compareRank(a: NamedSource, b: NamedSource, choice: Pick<Choice, "aed">): number {
  return rankOf(a, choice) - rankOf(b, choice);
}

/** The register of defibrillators that the operator names goes before the others of its rank. */
function rankOf({ id, source }: NamedSource, { aed }: Pick<Choice, "aed">): number {
  const rank = source.precedence ?? LAST;
  return source.role === "aed" && id === aed.registry ? rank - 0.5 : rank;
}
