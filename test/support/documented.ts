import type { Operation } from "#api/operation.ts";

/** Statuses an operation documents: 200, 304 where conditional, and its errors. */
export function documentedStatuses(operation: Operation): number[] {
  const conditional = operation.conditional ? [304] : [];
  return [200, ...conditional, ...Object.keys(operation.errors).map(Number)];
}
