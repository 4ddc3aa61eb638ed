/** Entries of the threads and processes that the service starts. */
export const WORKERS = {
  catalogue: new URL("./workers/catalogue.ts", import.meta.url),
  gazetteer: new URL("./workers/gazetteer.ts", import.meta.url),
  identity: new URL("./workers/identity.ts", import.meta.url),
  import: new URL("./workers/import.ts", import.meta.url),
  ingest: new URL("./workers/ingest.ts", import.meta.url),
  live: new URL("./workers/live.ts", import.meta.url),
  search: new URL("./workers/search.ts", import.meta.url),
  register: new URL("./workers/register.ts", import.meta.url),
  simulated_base: new URL("./workers/simulated-base.ts", import.meta.url),
} as const;
