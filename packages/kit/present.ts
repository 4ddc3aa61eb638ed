/** Members of answers and of attributes: one that is unknown is absent, never 0 or "". */

export type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Leaves out what is unknown. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value != null),
  ) as Present<T>;
}
