/** Borders of countries and of regions, by the ways that they run along. */
import type { OsmTags, RelationFeature } from "../base/base-features.ts";
import { SortedIds } from "../base/sorted-ids.ts";
import type { BorderFacts } from "./map-facts.ts";
import { getKind, type Kind } from "./tile-kinds.ts";
import { createWayNumbers } from "./way-numbers.ts";

const COUNTRY = 2;
const REGION = 4;

export class Boundaries {
  readonly #levels = createWayNumbers(Math.min);
  /** Of the whole extract. */
  readonly #given: { ids: SortedIds; levels: Uint8Array } | null;

  /** `facts`: of the extract of which this is a page. */
  constructor(facts: BorderFacts | null = null) {
    this.#given = facts && { ids: SortedIds.from(facts.ways), levels: facts.levels };
  }

  /** Notes the ways of an administrative boundary. */
  add({ tags, members }: RelationFeature): void {
    const level = this.#given === null ? levelOf(tags) : null;
    if (level === null) return;
    for (const { type, id, role } of members)
      if (type === "way" && role !== "admin_centre") this.#levels.set(id, level);
  }

  /** Level of the boundary that the way is a member of; undefined: of none that is drawn. */
  levelOf(way: number): number | undefined {
    if (this.#given === null) return this.#levels.get(way);
    const at = this.#given.ids.find(way);
    return at < 0 ? undefined : this.#given.levels[at];
  }

  /** null: the way is no border, or one at sea. */
  findKind(way: number, tags: OsmTags): Kind | null {
    const level = Math.min(this.levelOf(way) ?? Infinity, levelOf(tags) ?? Infinity);
    if (level === Infinity || tags.get("natural") === "coastline") return null;
    if (tags.get("maritime") === "yes") return null;
    return toBorderKind(level);
  }

  toFacts(): BorderFacts {
    const { ids, values } = this.#levels.list();
    return { ways: ids, levels: Uint8Array.from(values) };
  }
}

const KINDS = {
  country: getKind("boundary", "country"),
  region: getKind("boundary", "region"),
};

function toBorderKind(level: number): Kind {
  return level === COUNTRY ? KINDS.country : KINDS.region;
}

/** Of a country or a region; null: it is no boundary of either. */
function levelOf(tags: OsmTags): number | null {
  if (tags.get("boundary") !== "administrative") return null;
  const level = Number(tags.get("admin_level") ?? Number.NaN);
  return level === COUNTRY || level === REGION ? level : null;
}
