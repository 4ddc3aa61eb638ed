/** Values of opening hours in extracts of OpenStreetMap: each distinct one, with how often it occurs. */
import { globSync, readFileSync } from "node:fs";
import { readPbf } from "../../test/unit/providers/openstreetmap/pbf.ts";

export type Value = { text: string; count: number };

/**
 * Tags that say when something is open. Not `collection_times`, which say when letters are collected, nor
 * notes, addresses, dates of a check, and definitions of holidays.
 */
const KEYS = /^(disused:)?opening_hours(:(?!note$|url$|signed$)[a-z_0-9]+)?$|^service_times$/;

/** Returns the distinct values under a folder, the most frequent first. */
export function readValues(dir: string): Value[] {
  const counts = new Map<string, number>();
  for (const path of globSync("**/*.pbf", { cwd: dir }).sort())
    for (const { tags } of readPbf(readFileSync(`${dir}/${path}`)))
      for (const [key, text] of Object.entries(tags))
        if (KEYS.test(key)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}
