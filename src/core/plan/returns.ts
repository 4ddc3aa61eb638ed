/** Where the vehicles of a network may be returned, as their types state it (GBFS `return_constraint`). */
import type { VehicleType } from "#stations/entities.ts";

/** Constraints by network and mode; absent: none is stated, or types of the mode differ. */
export type Returns = ReadonlyMap<string, string>;

type Network = { network: { id: string }; types: readonly VehicleType[] };

export function indexReturns(networks: readonly Network[]): Returns {
  const stated = new Map<string, Set<string | null>>();
  for (const { network, types } of networks)
    for (const { mode, return_constraint } of types) {
      const key = keyOf(network.id, mode);
      stated.set(key, (stated.get(key) ?? new Set()).add(return_constraint));
    }
  return new Map(
    [...stated].flatMap(([key, [only = null, ...others]]) =>
      only === null || others.length > 0 ? [] : [[key, only]],
    ),
  );
}

/** Returns the constraint of one mode of a network; null: not known. */
export function returnOf(returns: Returns, network_id: string, mode: string | null): string | null {
  return returns.get(keyOf(network_id, mode)) ?? null;
}

function keyOf(network_id: string, mode: string | null): string {
  return `${mode} ${network_id}`;
}
