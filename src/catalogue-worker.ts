/** The thread that reads the catalogue of the Mobility Database (transit/catalogue.ts asks). */
import { parentPort, workerData } from "node:worker_threads";
import { readCatalogue } from "#providers/mobilitydb/catalogue.ts";

const text = new TextDecoder().decode(workerData as Uint8Array);
parentPort?.postMessage({ value: readCatalogue(text) });
