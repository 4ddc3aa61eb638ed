/**
 * Where a system that could not be surveyed may be (decisions, Second edition): where others are that
 * its catalogue names by the same place, in the country of its row, of its host's name, or of its
 * operator's other systems. Of one that nothing of it tells anything of, nobody can say where it is.
 */
import type { Box } from "#core/entities.ts";
import { unionBox } from "#core/geo.ts";
import type { Whereabouts } from "#ports.ts";
import { hostOf } from "#upstream/feeds/host-limit.ts";
import type { SystemState } from "#upstream/feeds/state.ts";
import { siteOf } from "#upstream/site.ts";

export type Suspicions = {
  add(states: readonly SystemState[]): void;
  whereabouts(state: SystemState): Whereabouts;
};

/** So many of a group tell enough. */
const MOST = 64;
/** Systems "in Paris" whose boxes span more, in degrees, are not in one place. */
const MAX_SPAN_DEG = 3;

export function createSuspicions(): Suspicions {
  const byPlace = new Map<string, SystemState[]>();
  const bySite = new Map<string, SystemState[]>();
  const note = (groups: Map<string, SystemState[]>, key: string, state: SystemState): void => {
    const group = groups.get(key);
    if (!group) groups.set(key, [state]);
    else if (group.length < MOST) group.push(state);
  };
  return {
    add(states) {
      for (const state of states) {
        const place = placeOf(state);
        if (place !== null) note(byPlace, place, state);
        note(bySite, siteOf(hostOf(state.system.url)), state);
      }
    },
    whereabouts(state) {
      const place = placeOf(state);
      const box = place === null ? null : boxOfGroup(byPlace.get(place) ?? []);
      if (box) return { box };
      const { country, url } = state.system;
      const site = siteOf(hostOf(url));
      const told = country ?? countryOfHost(state) ?? countryOfGroup(bySite.get(site) ?? []);
      return told === null ? "nowhere" : { country: told };
    },
  };
}

/** As the catalogue names the place, within its country; null: it does not. */
function placeOf({ system: { location, country } }: SystemState): string | null {
  const text = (location ?? "").trim().toLowerCase();
  return text === "" ? null : `${country ?? ""} ${text}`;
}

/** Where the surveyed ones are; null: nowhere in particular. */
function boxOfGroup(states: readonly SystemState[]): Box | null {
  const box = states.reduce<Box | null>((all, { memo }) => unionBox(all, memo?.box ?? null), null);
  if (box === null) return null;
  const width = box.east - box.west + (box.east < box.west ? 360 : 0);
  return width <= MAX_SPAN_DEG && box.north - box.south <= MAX_SPAN_DEG ? box : null;
}

/** Top-level domains of countries that are used for anything by anybody. */
const NO_COUNTRIES = new Set(
  "ai app cc co eu fm gg im io is la ly me sh st tk to tv vc ws".split(" "),
);

/** Of the discovery document, or of the files that it names. */
function countryOfHost({ system, discovery }: SystemState): string | null {
  for (const url of [system.url, ...(discovery?.feeds.values() ?? [])]) {
    const top = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? "")?.[1];
    if (top !== undefined && !NO_COUNTRIES.has(top)) return top === "uk" ? "GB" : top.toUpperCase();
  }
  return null;
}

/** Where all of an operator's systems are that state a country. */
function countryOfGroup(states: readonly SystemState[]): string | null {
  const countries = new Set(states.flatMap(({ system }) => system.country ?? []));
  return countries.size === 1 ? [...countries][0]! : null;
}
