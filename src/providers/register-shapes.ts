/** All shapes of registers, by hand: one that is not in this list cannot be configured. */
import type { RegisterShape } from "#providers/register-shape.ts";

export const SHAPES: readonly RegisterShape[] = [];

export function findShape(id: string): RegisterShape | undefined {
  return SHAPES.find((shape) => shape.id === id);
}
