/** Attributes of places: a member that is unknown is absent, never 0 or "" (decisions, Urban services). */

/** Leaves out what is unknown. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}
