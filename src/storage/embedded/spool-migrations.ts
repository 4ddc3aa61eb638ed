/** The schema of the spool as the list of its changes; see migrations.ts. */
export const SPOOL_MIGRATIONS: readonly string[] = [
  `CREATE TABLE batch (
     -- never used again, not even after a restart
     seq    INTEGER PRIMARY KEY AUTOINCREMENT,
     -- JSON: an array of UsageEvent (ports.ts)
     events TEXT NOT NULL
   ) STRICT`,
];
