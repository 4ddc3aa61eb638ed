/** Every provider there is, by hand: what is not in this array does not exist. */
import type { Descriptor } from "#providers/define.ts";
import gbfs from "#providers/gbfs/index.ts";

export const PROVIDERS: readonly Descriptor[] = [gbfs];
