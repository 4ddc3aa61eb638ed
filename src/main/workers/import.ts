/** The thread that imports one GTFS feed (packages/transit/archive/archive-thread.ts asks). */
import { serveImport } from "#transit/archive/archive-thread.ts";

serveImport();
