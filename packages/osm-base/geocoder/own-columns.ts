/** Columns of the geocoder among those of a base. */
import type { Columns } from "#kit/pack.ts";

/** How the pack names this section's columns. */
const OWN = "geocoder.";

/** Columns of this section by their names in it. */
export function ownColumns(columns: Columns): Columns {
  const own = Object.entries(columns).filter(([name]) => name.startsWith(OWN));
  return Object.fromEntries(own.map(([name, column]) => [name.slice(OWN.length), column]));
}
