/** Versions of what the stores of a deployment are laid out by, for metrics and people. */
import { DATASET_MIGRATIONS, MIGRATIONS } from "#storage/embedded/migrations.ts";
import { DATABASES } from "#storage/embedded/private-files.ts";

/** By the names of the databases in the data folder, `user_version` of each. */
export const EMBEDDED_SCHEMAS: Readonly<Record<string, number>> = {
  [DATABASES.main]: MIGRATIONS.length,
  [DATABASES.datasets]: DATASET_MIGRATIONS.length,
};

/** Words the versions that were found in the stores, each behind the name of its store. */
export function describeSchemas(matches: Readonly<Record<string, number>>): string {
  return Object.entries(matches)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}
