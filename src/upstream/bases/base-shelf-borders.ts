/** The boundaries of countries and regions that the bases of a deployment have, the newest base first. */
import type { Borders } from "#ports/borders.ts";
import type { HeldBase } from "./held-base.ts";
import type { Bases } from "./shelf.ts";

export function createBorders(bases: Pick<Bases, "list">): Borders {
  let stored: readonly HeldBase[] = [];
  let version = 0;
  const list = (): readonly HeldBase[] => {
    const now = bases.list();
    if (now !== stored) version++;
    return (stored = now);
  };
  const each = function* () {
    for (const { borders } of list()) if (borders) yield borders;
  };
  return {
    version: () => {
      list();
      return version;
    },
    at(lat, lon) {
      let countries: readonly string[] = [];
      let region: string | null = null;
      for (const borders of each()) {
        const facts = borders.at(lat, lon);
        if (countries.length === 0) countries = facts.countries;
        region ??= facts.region;
      }
      return { countries, region };
    },
    excludes: (country, lat, lon) => each().some((borders) => borders.excludes(country, lat, lon)),
    crosses: (box) => each().some((borders) => borders.crosses(box)),
  };
}
