/** The thread that reads one document of a register (upstream/register-thread.ts asks). */
import { serveDocument } from "#upstream/register-thread.ts";

await serveDocument();
