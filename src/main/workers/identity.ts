/** Entry of the thread that resolves identity (upstream/identity-thread.ts asks). */
import { type GroupJob, resolveGroup } from "#stations/identity/group.ts";
import { stationCodec } from "#storage/station-ids-store.ts";
import { serveJobs } from "#kit/run/thread.ts";

serveJobs((job: GroupJob) => resolveGroup(job, stationCodec));
