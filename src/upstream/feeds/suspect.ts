/**
 * Possible location of a system that could not be surveyed (decisions, Second edition): where
 * others are that its catalogue names by the same place, in the country of its row, of its host's
 * name, or of its operator's other systems; else nowhere.
 */
import type { Box } from "#kit/geo.ts";
import { unionBox } from "#kit/geo.ts";
import type { Whereabouts } from "#ports.ts";
import { hostOf } from "#upstream/feeds/host-limits.ts";
import type { FeedView } from "#upstream/feeds/feed-view.ts";
import { siteOf } from "#upstream/request-site.ts";

export type Suspicions = {
  add(views: readonly FeedView[]): void;
  whereabouts(view: FeedView): Whereabouts;
};

/** The first members of a group suffice. */
const MOST = 64;
/** Systems "in Paris" whose boxes span more, in degrees, are not in one place. */
const MAX_SPAN_DEG = 3;

export function createSuspicions(): Suspicions {
  const byPlace = new Map<string, FeedView[]>();
  const bySite = new Map<string, FeedView[]>();
  const note = (groups: Map<string, FeedView[]>, key: string, view: FeedView): void => {
    const group = groups.get(key);
    if (!group) groups.set(key, [view]);
    else if (group.length < MOST) group.push(view);
  };
  return {
    add(views) {
      for (const view of views) {
        const place = placeOf(view);
        if (place !== null) note(byPlace, place, view);
        note(bySite, siteOf(hostOf(view.system.url)), view);
      }
    },
    whereabouts(view) {
      const place = placeOf(view);
      const box = place === null ? null : boxOfGroup(byPlace.get(place) ?? []);
      if (box) return { box };
      const { country, url } = view.system;
      const site = siteOf(hostOf(url));
      const entry = country ?? countryOfHost(view) ?? countryOfGroup(bySite.get(site) ?? []);
      return entry === null ? "nowhere" : { country: entry };
    },
  };
}

/** As the catalogue names the place, within its country; null: it does not. */
function placeOf({ system: { location, country } }: FeedView): string | null {
  const text = (location ?? "").trim().toLowerCase();
  return text === "" ? null : `${country ?? ""} ${text}`;
}

/** Where the surveyed ones are; null: nowhere in particular. */
function boxOfGroup(views: readonly FeedView[]): Box | null {
  const box = views.reduce<Box | null>((all, { memo }) => unionBox(all, memo?.box ?? null), null);
  if (box === null) return null;
  const width = box.east - box.west + (box.east < box.west ? 360 : 0);
  return width <= MAX_SPAN_DEG && box.north - box.south <= MAX_SPAN_DEG ? box : null;
}

/** Top-level domains of countries that are used for anything. */
const NO_COUNTRIES = new Set(
  "ai app cc co eu fm gg im io is la ly me sh st tk to tv vc ws".split(" "),
);

/** Of the discovery document, or of the files that it names. */
function countryOfHost({ system, discovery }: FeedView): string | null {
  for (const url of [system.url, ...(discovery?.feeds.values() ?? [])]) {
    const top = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? "")?.[1];
    if (top !== undefined && !NO_COUNTRIES.has(top)) return top === "uk" ? "GB" : top.toUpperCase();
  }
  return null;
}

/** Where all of an operator's systems are that state a country. */
function countryOfGroup(views: readonly FeedView[]): string | null {
  const countries = new Set(views.flatMap(({ system }) => system.country ?? []));
  return countries.size === 1 ? [...countries][0]! : null;
}
