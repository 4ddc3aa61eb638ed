/** Kind and id of an object as one number, which sorts by id; 0: it is none of the map's objects. */
export type OsmType = "N" | "W" | "R";
const TYPES = ["", "N", "W", "R"] as const;

/** Ids go beyond 2³², and those of files that were edited by hand are negative. */
export function osmKey(type: OsmType, id: number): number {
  return id * 4 + TYPES.indexOf(type);
}

/** The object of a key; null: none. */
export function fromOsmKey(key: number): { type: OsmType; id: number } | null {
  const kind = TYPES[((key % 4) + 4) % 4];
  return kind === undefined || kind === "" ? null : { type: kind, id: Math.floor(key / 4) };
}
