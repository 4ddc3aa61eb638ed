/** The thread that makes the gazetteer (main/bases/gazetteer.ts asks). */
import { parentPort, workerData } from "node:worker_threads";
import { loadGazetteer } from "../bases/gazetteer-pack.ts";

parentPort?.postMessage({ value: await loadGazetteer(workerData as string | null) });
