/** Versions of what the stores of a deployment are laid out by, for metrics and people. */
import { DATASET_MIGRATIONS, MIGRATIONS } from "#storage/embedded/migrations.ts";
import { DATABASES } from "#storage/open.ts";
import { POSTGRES_MIGRATIONS } from "#storage/postgres/migrations.ts";

/** By the names of the databases in the data folder, `user_version` of each. */
export const EMBEDDED_SCHEMAS: Readonly<Record<string, number>> = {
  [DATABASES.main]: MIGRATIONS.length,
  [DATABASES.datasets]: DATASET_MIGRATIONS.length,
};

/** Of all databases that this build opens: the name of each with its number; those of PostgreSQL where it has one. */
export function describeSchemas(has_postgres: boolean): string {
  const shared = Object.entries(POSTGRES_MIGRATIONS).map(
    ([module, statements]) => [`postgres.${module}`, statements.length] as const,
  );
  const all = [...Object.entries(EMBEDDED_SCHEMAS), ...(has_postgres ? shared : [])];
  return all.map(([name, version]) => `${name} ${version}`).join(", ");
}
