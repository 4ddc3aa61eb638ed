/** The thread that imports one extract (upstream/base/thread.ts asks). */
import { serveBaseImport } from "#upstream/base/thread.ts";
import { createSections } from "../bases/sections.ts";

await serveBaseImport(createSections);
