/** SpendStore in the embedded database; a disk that cannot be written to leaves the count in memory. */
import type { SpendStore } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";

export function createSpendStore(database: DatabaseSync): SpendStore {
  const count = database.prepare(
    `INSERT INTO provider_spend (provider, day, calls) VALUES (?1, ?2, ?3)
     ON CONFLICT (provider, day) DO UPDATE SET calls = calls + ?3 RETURNING calls`,
  );
  const forget = database.prepare("DELETE FROM provider_spend WHERE provider = ? AND day < ?");
  /** Counted where the disk refused. */
  const owed = new Map<string, number>();
  return {
    add(provider, day, calls) {
      const key = `${day} ${provider}`;
      const pending = (owed.get(key) ?? 0) + calls;
      try {
        forget.run(provider, day);
        const row = count.get(provider, day, pending) as { calls: number };
        owed.delete(key);
        return row.calls;
      } catch {
        owed.set(key, pending);
        return pending;
      }
    },
  };
}
