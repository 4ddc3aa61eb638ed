/** Additions to the contract that may still change: the description marks them. */
import type { Parameter } from "./primitives.ts";

/** The keyword of a schema. */
export const PREVIEW = { "x-stability": "preview" } as const;

/** Marks a parameter. */
export function preview<P extends Parameter>(parameter: P): P {
  return { ...parameter, schema: { ...parameter.schema, ...PREVIEW } };
}
