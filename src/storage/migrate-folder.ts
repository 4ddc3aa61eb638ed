/** The databases of a data folder and their way to this version, which a damaged one does not take. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "#kit/guard.ts";
import { findDamageInUse, openDatabase } from "#storage/embedded/database.ts";
import { DATASET_MIGRATIONS, MIGRATIONS } from "#storage/embedded/migrations.ts";
import { DATABASES } from "#storage/embedded/private-files.ts";
import {
  type DataPlace,
  describeStore,
  findFolder,
  hasFolder,
  noFolder,
} from "#storage/open-storage.ts";
import type { NoteMigration } from "#storage/store-schema.ts";

/** The databases with the migrations of each. */
export const LAYOUTS = [
  [DATABASES.main, MIGRATIONS],
  [DATABASES.datasets, DATASET_MIGRATIONS],
] as const;

/**
 * Brings the databases of a folder to this version, alongside a service or without one. Where one of them
 * is damaged none is changed. One that is not there is made by the service.
 */
export function migrateFolder(
  place: DataPlace,
  onMigrated: NoteMigration,
): { problem: string } | null {
  if (!hasFolder(place)) return noFolder(place);
  const result = findFolder(place, { say: () => undefined, isCommand: true });
  if ("problem" in result) return result;
  const { folder } = result;
  const databases = LAYOUTS.map(([name, migrations]) => ({
    name,
    path: join(folder, name),
    migrations,
  })).filter(({ path }) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  for (const { name, path, migrations } of databases) {
    const damage = findDamageInUse(path, migrations);
    if (damage !== null) return { problem: toDamaged(folder, name, damage) };
  }
  return attempt(
    () => {
      for (const { path, migrations } of databases)
        openDatabase(path, migrations, { onMigrated }).close();
      return null;
    },
    (error) => ({ problem: describeStore(folder, error) }),
  );
}

function toDamaged(folder: string, name: string, damage: string): string {
  return `${name} in the data folder ${folder} is damaged, and nothing was changed: ${damage}: restore a backup`;
}
