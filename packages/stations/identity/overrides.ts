/** An operator's word about pairs of observations: `always` one station, or `never`. */
import type { KeyRef, Overrides } from "./observed-station.ts";
import { pairKey } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";

/** Rule by pair (prepare.ts#pairKey). Where both are said of a pair, `never` holds. */
export type Rules = ReadonlyMap<number, "always" | "never">;

export function resolveRules(prepared: Prepared, overrides: Overrides): Rules {
  const rules = new Map<number, "always" | "never">();
  if (overrides.always.length + overrides.never.length === 0) return rules;
  const rows = indexRows(prepared, overrides);
  for (const rule of ["always", "never"] as const)
    for (const [x, y] of overrides[rule])
      for (const a of rows.get(textOf(x)) ?? [])
        for (const b of rows.get(textOf(y)) ?? [])
          // One source never contributes two stations to one, not even by an override (§4.9).
          if (prepared.feed[a] !== prepared.feed[b]) rules.set(pairKey(prepared, a, b), rule);
  return rules;
}

/** The observations the rules speak of: ids repeat within some feeds. */
function indexRows(prepared: Prepared, overrides: Overrides): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const pair of [...overrides.always, ...overrides.never])
    for (const ref of pair) rows.set(textOf(ref), []);
  prepared.observations.forEach(({ feed, id }, row) => {
    rows.get(textOf({ feed: prepared.feeds[feed]!.feed.id, id }))?.push(row);
  });
  return rows;
}

function textOf({ feed, id }: KeyRef): string {
  return `${feed}\u0000${id}`;
}
