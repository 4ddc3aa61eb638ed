/** Sources by the names that a user knows. Pure. */
import { hasText, t } from "../page/texts.js";

/** Publishers that collect what others operate; their names are the same in every language. */
const COLLECTIONS = /** @type {Readonly<Record<string, string>>} */ ({
  citybikes: "CityBikes",
  openstreetmap: "OpenStreetMap",
  motis: "MOTIS",
});

/** Keeps the direction of a name from changing that of the sentence around it. @param {string} name */
export function isolate(name) {
  return `\u2068${name}\u2069`;
}

/** The id of the system of an observation: `source_id` without the entity's own id, which may have colons. @param {{ source_id: string, entity_id?: string }} observation */
export function systemOf({ source_id, entity_id }) {
  const end = `:${entity_id ?? ""}`;
  return entity_id && source_id.endsWith(end) ? source_id.slice(0, -end.length) : source_id;
}

/**
 * Returns names by the `source_id` of observations. Two of the same name are distinguished by kind.
 * @param {readonly any[]} observations of `provenance` or of the debug block
 * @param {readonly any[]} sources of /v1/sources
 * @returns {Map<string, string>}
 */
export function namesOf(observations, sources) {
  const rows = observations.map((one) => {
    const system = systemOf(one);
    const kind = one.source ?? system.slice(0, Math.max(0, system.indexOf(":")));
    const listed = sources.find(({ id }) => id === system)?.name;
    const name = ownName(kind) ?? listed ?? one.provider ?? system;
    return { id: one.source_id, kind, name, apart: listed === name ? system : (listed ?? system) };
  });
  return new Map(
    rows.map(({ id, kind, name, apart }) => {
      const isShared = rows.some((other) => other.id !== id && other.name === name);
      const key = `why.kind.${kind}`;
      const both = { name, kind: hasText(key) ? t(key) : apart };
      return [id, isShared ? t("why.named", both) : name];
    }),
  );
}

/** @param {string} kind */
function ownName(kind) {
  return Object.hasOwn(COLLECTIONS, kind) ? COLLECTIONS[kind] : undefined;
}

/** The name of a source by its id. @param {string | null | undefined} id @param {readonly any[]} sources */
export function nameOf(id, sources) {
  return sources.find((one) => one.id === id)?.name ?? id ?? "";
}
