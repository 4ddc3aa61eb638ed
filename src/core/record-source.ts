/** Whose a record is: its id begins with the id of its source. */

/** Returns the source of a record; null: none of `source_ids`. Of several that fit, the longest. */
export type SourceOf = (record_id: string) => string | null;

export function createSourceOf(source_ids: readonly string[]): SourceOf {
  const ids = source_ids.toSorted((a, b) => b.length - a.length);
  return (record_id) => ids.find((id) => record_id.startsWith(`${id}:`)) ?? null;
}
