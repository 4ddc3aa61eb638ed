/** The thread that reads the catalogue of the Mobility Database (transit/catalogue.ts asks). */
import { parentPort, workerData } from "node:worker_threads";
import { createTrail } from "#kit/trail.ts";
import { type ListedFeeds, readCatalogue } from "#providers/mobilitydb/catalogue.ts";
import type { ThreadMessage } from "#kit/run/thread.ts";

const trail = createTrail();
const feeds = readCatalogue(new TextDecoder().decode(workerData as Uint8Array), trail);
const value: ListedFeeds | null = feeds && { feeds, trail: trail.toTrail() };
parentPort?.postMessage({ kind: "value", value } satisfies ThreadMessage<typeof value, never>);
