/** As what a way is drawn: it may be several things at once. */
import type { WayFeature } from "../base/base-features.ts";
import type { Boundaries } from "./tile-boundaries.ts";
import { findArea, findKind, type Kind } from "./tile-kinds.ts";

export type WayLooks = {
  isCoast: boolean;
  border: Kind | null;
  area: Kind | null;
  line: Kind | null;
  /** Someone looks for what is here: the sea around it is drawn. */
  isPlace: boolean;
};

export function looksOf(
  { id, tags, closed }: WayFeature,
  boundaries: Pick<Boundaries, "findKind">,
): WayLooks {
  const area = closed ? findArea(tags) : null;
  const line = area === null ? findKind("line", tags) : null;
  return {
    isCoast: tags.get("natural") === "coastline",
    border: boundaries.findKind(id, tags),
    area,
    line,
    isPlace: area !== null || (line?.layer === "road" && line.class !== "ferry"),
  };
}
