/** Deadlines of the operations, as their rows have them. */
import { type Deadlines, listDeadlines } from "#api/operations.ts";

export const DEFAULT_DEADLINES_MS = Object.fromEntries(
  listDeadlines().map(({ name, default_ms }) => [name, default_ms]),
) as Deadlines;
