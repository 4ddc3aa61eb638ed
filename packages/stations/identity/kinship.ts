/**
 * Judges whether two feeds describe the same operator's stations, once per pair of feeds: stations
 * of different operators lie side by side, often on the very same bay, and are never one station.
 */
import { fold, nameWords } from "#kit/names/fold.ts";
import type { Feed } from "./observed-station.ts";

export const DIFFERENT = 0;
export const KINSHIP_UNKNOWN = 1;
export const KIN = 2;
export type Kinship = 0 | 1 | 2;

/** Words that may occur in the name of any network. */
const GENERIC = new Set(
  "bike bikes bicycle bicycles bikeshare bikesharing cycle cycles cycling share sharing shared hire rental rentals scooter scooters car cars carsharing mobility transport public system systems service services city urban the of de la le les du and et inc llc ltd limited gmbh ag ab as oy sa sas srl spa bv nv company co corporation international group solutions velo velos libre vls bici bicis fahrrad rad leihrad network operator".split(
    " ",
  ),
);

export type PreparedFeed = {
  feed: Feed;
  addresses: readonly string[];
  names: readonly (readonly string[])[];
  /** The names again, in the form of a prefix of station names. */
  prefixes: readonly string[];
  places: ReadonlySet<string>;
};

export function prepareFeed(feed: Feed): PreparedFeed {
  const published = feed.names.filter((name) => name.trim() !== "");
  const names = published.map((name) => nameWords(fold(name)));
  return {
    feed,
    addresses: feed.urls.map(kinAddress).filter((address) => address !== ""),
    names: names.filter((words) => words.length > 0),
    prefixes: names.map((words) => words.join(" ")),
    places: new Set((feed.places ?? []).flatMap((place) => nameWords(fold(place)))),
  };
}

const VERSION = /^v?\d+(\.\d+)*$/;
const LANGUAGE = /^[a-z]{2}(-[a-z]{2})?$/i;

/** Host and path without scheme, query, version, language and file name (mobility.md 2.2). */
export function kinAddress(url: string): string {
  const match = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]+)([^?#]*)/i.exec(url.trim());
  if (!match) return "";
  const segments = match[2]!
    .split("/")
    .filter(
      (part) =>
        part !== "" &&
        !VERSION.test(part) &&
        !LANGUAGE.test(part) &&
        !/^(auto_discovery|gbfs|manifest)(\.json)?$/i.test(part),
    );
  return [match[1]!.toLowerCase().replace(/:\d+$/, ""), ...segments].join("/");
}

/**
 * Returns the kinship that the two claim; symmetrical. Any feed may take a name, so unless they are
 * one system (isOneSystem) their docks must confirm the claim (coincidence.ts).
 */
export function kinshipOf(a: PreparedFeed, b: PreparedFeed): Kinship {
  if (isOneSystem(a, b)) return KIN;
  const match = compareOperators(a, b);
  if (a.feed.kind !== b.feed.kind) return match;
  // One source lists each service once: two of its feeds are two services unless they share a name.
  return match === KIN && sharesName(a, b) ? KIN : DIFFERENT;
}

/** Reports whether they have an underlying address or a system in common. That needs no names. */
export function isOneSystem(a: PreparedFeed, b: PreparedFeed): boolean {
  if (a.addresses.some((address) => b.addresses.includes(address))) return true;
  const isOneSource = a.feed.kind === b.feed.kind || (isGbfs(a.feed) && isGbfs(b.feed));
  return isOneSource && a.feed.system_id === b.feed.system_id;
}

function isGbfs(feed: Feed): boolean {
  return feed.kind === "gbfs" || feed.kind === "gbfs_aggregator";
}

function sharesName(a: PreparedFeed, b: PreparedFeed): boolean {
  return a.names.some((x) => b.names.some((y) => x.join("") === y.join("")));
}

type WordTests = {
  isPlace: (word: string) => boolean;
  /** Neither a place nor a generic word. */
  isDistinctive: (word: string) => boolean;
};

function compareOperators(a: PreparedFeed, b: PreparedFeed): Kinship {
  if (a.names.length === 0 || b.names.length === 0) return KINSHIP_UNKNOWN;
  if (sharesName(a, b)) return KIN;
  const isPlace = (word: string): boolean => a.places.has(word) || b.places.has(word);
  const isDistinctive = (word: string): boolean => !GENERIC.has(word) && !isPlace(word);
  const words: WordTests = { isPlace, isDistinctive };
  let shares = false;
  for (const x of a.names)
    for (const y of b.names) {
      if (isPart(x, y, words) || isPart(y, x, words)) return KIN;
      shares ||= x.some((word) => isDistinctive(word) && y.includes(word));
    }
  const areDistinctive =
    a.names.some((x) => x.some(isDistinctive)) && b.names.some((y) => y.some(isDistinctive));
  return shares || !areDistinctive ? KINSHIP_UNKNOWN : DIFFERENT;
}

/**
 * Is one name the other's with words left out? "Citi Bike" is of "Citi Bike NYC", "baywheels" of
 * "Bay Wheels SF"; "Bike Share Toronto" is not of "Bird Toronto": only a place is distinctive there.
 */
function isPart(part: readonly string[], whole: readonly string[], words: WordTests): boolean {
  if (!part.some(words.isDistinctive)) return false;
  const joined = part.join("");
  if (whole.some((word, i) => word === joined || word + (whole[i + 1] ?? "") === joined))
    return true;
  return part.every((word) => whole.includes(word) || words.isPlace(word));
}
