/** Entry of the thread that resolves identity (upstream/identity-thread.ts asks). */
import { parentPort } from "node:worker_threads";
import { type GroupJob, resolveGroup } from "#core/identity/group.ts";
import { stationCodec } from "#storage/stations.ts";

parentPort?.on("message", ({ id, job }: { id: number; job: GroupJob }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage({ id, result: resolveGroup(job, stationCodec) });
});
