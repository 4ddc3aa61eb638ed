/** Filters by the main tag, in the words of Photon's parameter `osm_tag` (places.md 2.1). */
export type Tag = { osm_key: string; osm_value: string };

type TagFilter = {
  /** What is wanted, what is not, or the key with other values than this one. */
  kind: "include" | "exclude" | "other_value";
  /** null: any. */
  key: string | null;
  value: string | null;
};

/** Reads `key`, `key:value`, `:value`, each with `!` for what is not wanted; null: none of these. */
export function readTagFilter(text: string): TagFilter | null {
  const [left = "", right, ...more] = text.split(":");
  if (more.length > 0) return null;
  const [key, no_key] = readPart(left);
  if (right === undefined) {
    const kind = no_key ? "exclude" : "include";
    return key === null ? null : { kind, key, value: null };
  }
  const [value, no_value] = readPart(right);
  if (value === null) return null;
  if (no_value && !no_key && key !== null) return { kind: "other_value", key, value };
  return { kind: no_key || no_value ? "exclude" : "include", key, value };
}

function readPart(text: string): [name: string | null, excluded: boolean] {
  const excluded = text.startsWith("!");
  const name = (excluded ? text.slice(1) : text).trim();
  return [name === "" ? null : name, excluded];
}

/** One of the filters that want something must match, and none that excludes. */
export function passesTags(tag: Tag, filters: readonly TagFilter[]): boolean {
  const wanting = filters.filter(({ kind }) => kind !== "exclude");
  if (filters.some((filter) => filter.kind === "exclude" && isOf(tag, filter))) return false;
  return wanting.length === 0 || wanting.some((filter) => isWanted(tag, filter));
}

function isWanted(tag: Tag, filter: TagFilter): boolean {
  if (filter.kind === "include") return isOf(tag, filter);
  return tag.osm_key === filter.key && tag.osm_value !== filter.value;
}

function isOf({ osm_key, osm_value }: Tag, { key, value }: TagFilter): boolean {
  return (key === null || key === osm_key) && (value === null || value === osm_value);
}
