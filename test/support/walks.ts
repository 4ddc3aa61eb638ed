/** What a question says of ways on foot where it asks for none. */
import { defaultsOf } from "#api/primitives.ts";
import { WALK_PARAMETERS } from "#api/walk.ts";

export const NO_WALKS = defaultsOf(WALK_PARAMETERS);
