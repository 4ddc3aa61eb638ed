/** The schema of the spool as the list of its changes; see migrations.ts. */
export const SPOOL_MIGRATIONS: readonly string[] = [
  `CREATE TABLE batch (
     -- never used again, not even after a restart
     seq    INTEGER PRIMARY KEY AUTOINCREMENT,
     -- EventsText (storage/events.ts)
     events TEXT NOT NULL
   ) STRICT`,
  // Events were objects; now they are rows without the names.
  `UPDATE batch SET events = (
     SELECT json_group_array(json_array(
       event.value ->> 'event_id', event.value ->> 'account_id', event.value ->> 'key_id',
       event.value ->> 'operation', event.value ->> 'units',
       coalesce(event.value ->> 'requests', 1), event.value ->> 'at_ms') ORDER BY event.key)
     FROM json_each(batch.events) AS event)`,
];
