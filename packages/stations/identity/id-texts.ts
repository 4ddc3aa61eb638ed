/**
 * Ids by station key as texts of bounded size: they go to the resolving thread and back without an
 * object for each of them, and are read and stored a piece at a time.
 */

/** Changes as well: null where the key's own id holds again. */
export type IdTexts = readonly string[];

/** Key → id; null where the key's own id holds again. */
export type IdChanges = ReadonlyMap<string, string | null>;

const PER_TEXT = 500;

export function packIds(ids: Iterable<readonly [string, string | null]>): string[] {
  const all = [...ids];
  return Array.from({ length: Math.ceil(all.length / PER_TEXT) }, (_, i) =>
    JSON.stringify(all.slice(i * PER_TEXT, (i + 1) * PER_TEXT)),
  );
}

export function readIds(text: string): [key: string, id: string | null][] {
  return JSON.parse(text) as [string, string | null][];
}

/** Sets and removes what the changes say. */
export function applyIds(
  ids: Map<string, string>,
  changes: Iterable<readonly [string, string | null]>,
): void {
  for (const [key, id] of changes)
    if (id === null) ids.delete(key);
    else ids.set(key, id);
}
