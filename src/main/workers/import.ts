/** The thread that imports one GTFS feed (upstream/gtfs/thread.ts asks). */
import { serveImport } from "#upstream/gtfs/thread.ts";

await serveImport();
