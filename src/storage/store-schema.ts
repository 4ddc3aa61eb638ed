/**
 * Versions of what a store is made of: which ones a program may open, and what it says of the others.
 * Only a service migrates a store that has data, and the command that is named so: who looks with a
 * newer program must not take the way back from the one that runs (docs/upgrading.md).
 */

/** What was migrated: a database file, or a module of PostgreSQL. */
export type Migration = { store: string; from: number; to: number; took_ms: number };
export type NoteMigration = (migration: Migration) => void;

/** Of a store that a command only reads. */
export const NO_STORE = "there is no store yet: the service makes it when it starts";

/** Says why a store of this version is not opened as it is; null: it is of this program's version. */
export function schemaProblem({
  version,
  known,
}: {
  version: number;
  known: number;
}): string | null {
  if (version === known) return null;
  if (version > known)
    return `made by a newer version (schema ${version}, this one knows ${known})`;
  return (
    `made by an earlier version (schema ${version}, this one needs ${known}): ` +
    "start the service, or run vicinity migrate"
  );
}

/** The one line of a migration. */
export function toMigrationLine({ store, from, to, took_ms }: Migration): string {
  return `${store} was migrated from schema ${from} to ${to} in ${took_ms} ms`;
}
