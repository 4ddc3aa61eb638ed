/** Names of services of the open map (places.md 3; decisions, Names). */
import type { PlaceKind } from "#core/places/place.ts";
import type { Tags } from "./element.ts";

export type Naming = { name: string | null; names?: Record<string, string> };

/** `name:de`, `name:zh-Hant`; not `name:etymology` and its like. */
const LANGUAGE_KEY = /^name:([a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})$/;

/**
 * Its own name; of a shop, with Wi-Fi or as a point of interest (null), also the brand over its door. An
 * operator is no name.
 */
export function namingOf(tags: Tags, kind: PlaceKind | null): Naming {
  const names = namesOf(tags);
  const own_tag = tags.get("name") ?? names["en"] ?? Object.values(names)[0];
  const name =
    own_tag ?? (kind === "wifi" || kind === null ? tags.get("brand") : undefined) ?? null;
  return Object.keys(names).length > 0 ? { name, names } : { name };
}

/** In the order of their tags, so that the same map gives the same answer. */
function namesOf(tags: Tags): Record<string, string> {
  const names: Record<string, string> = {};
  for (const key of [...tags.keys()].sort()) {
    const language = LANGUAGE_KEY.exec(key)?.[1];
    if (language !== undefined) names[language] = tags.get(key)!;
  }
  return names;
}
