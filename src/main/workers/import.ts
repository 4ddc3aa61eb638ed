/** The thread that imports one GTFS feed (packages/transit/archive/thread.ts asks). */
import { serveImport } from "#transit/archive/thread.ts";

serveImport();
