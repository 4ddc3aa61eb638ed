/** Names of services of the open map (places.md 3; decisions, Urban services). */
import { FOUNTAIN_NAME, KIND_NAMES, type PlaceKind } from "#core/places/place.ts";
import type { Tags } from "./element.ts";
import { isFountain, potabilityOf } from "./water.ts";

export type Naming = { name: string; named: boolean; names?: Record<string, string> };

/** `name:de`, `name:zh-Hant`; not `name:etymology` and its like. */
const LANGUAGE_KEY = /^name:([a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})$/;

/** Name, brand, operator; a number, and what it is, are no names: registers count otherwise. */
export function namingOf(tags: Tags, kind: PlaceKind): Naming {
  const names = namesOf(tags);
  const own = tags.get("name") ?? names["en"] ?? Object.values(names)[0];
  const ref = tags.get("ref");
  const name = own ?? tags.get("brand") ?? tags.get("operator");
  const label = labelOf(tags, kind);
  const naming: Naming = {
    name: name ?? (ref === undefined ? label : `${label} ${ref}`),
    named: name !== undefined,
  };
  return Object.keys(names).length > 0 ? { ...naming, names } : naming;
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

function labelOf(tags: Tags, kind: PlaceKind): string {
  const dry = kind === "water" && isFountain(tags) && potabilityOf(tags) !== "yes";
  return dry ? FOUNTAIN_NAME : KIND_NAMES[kind];
}
