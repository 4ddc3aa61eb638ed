/** What an archive of tiles says of itself. */
import { cleanText } from "#kit/text/clean.ts";
import { problem } from "#kit/problem.ts";
import { KNOWN_LAYERS } from "./redraw.ts";

export type Metadata = {
  /** In plain text; null: none is stated. */
  attribution: string | null;
};

const ATTRIBUTION_MAX = 200;
/** Markup is for pages of others. */
const MARKUP = /<[^<>]*>/g;

/** Refuses tiles of which none could be drawn. */
export function readMetadata(value: unknown): Metadata {
  const { vector_layers, attribution } = (value ?? {}) as Record<string, unknown>;
  const ids = Array.isArray(vector_layers)
    ? vector_layers.map((layer: unknown) => (layer as { id?: unknown } | null)?.id)
    : [];
  if (ids.length > 0 && !ids.some(isKnown))
    throw problem("none of its layers is one of the Protomaps basemap or of OpenMapTiles");
  const plain = typeof attribution === "string" ? attribution.replaceAll(MARKUP, "") : "";
  return { attribution: cleanText(plain, ATTRIBUTION_MAX) || null };
}

function isKnown(id: unknown): boolean {
  return typeof id === "string" && KNOWN_LAYERS.includes(id);
}
