/** The thread that reads files for the benchmark of the stream, as the one of the service does. */
import { parentPort, workerData } from "node:worker_threads";
import { StreamPublisher, type StreamSizes } from "./stream-world.ts";

export type PublisherData = StreamSizes & {
  statics: readonly SharedArrayBuffer[];
  changed: number;
  per_second: number;
};

const { statics, per_second, ...data } = workerData as PublisherData;
const publishers = statics.map(
  (buffer, seed) => new StreamPublisher({ ...data, seed, statics: buffer }),
);
const begun_ms = performance.now();
let files = 0;

setInterval(() => {
  const due = Math.floor(((performance.now() - begun_ms) / 1_000) * per_second);
  // A stride, so that cities take turns.
  for (; files < due; files++)
    parentPort!.postMessage(publishers[(files * 197) % publishers.length]!.next());
}, 5);
