/** Every provider there is, by hand: what is not in this array does not exist. */
import type { Descriptor } from "#providers/define.ts";
import gbfs from "#providers/gbfs/index.ts";

export const PROVIDERS: readonly Descriptor[] = [gbfs];

/** Throws for an id that is not listed: a wrong name is a programming error. */
export function getProvider(id: string): Descriptor {
  const found = PROVIDERS.find((provider) => provider.id === id);
  if (!found) throw new Error(`no provider ${id}`);
  return found;
}
