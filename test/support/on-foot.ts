/** Ways on foot for tests: those of straight streets, and questions that ask for none. */
import { defaultsOf } from "#api/primitives.ts";
import { WALK_PARAMETERS } from "#api/walk.ts";

/** Parameters of a question that asks for no ways. */
export const NO_WAYS = defaultsOf(WALK_PARAMETERS);
