/** The thread that reads one document of a register (upstream/register-thread.ts asks). */
import { serveDocuments } from "#upstream/register-thread.ts";

serveDocuments();
