/** Entry of the thread that resolves identity (upstream/identity-thread.ts asks). */
import { type GroupJob, resolveGroup } from "#core/identity/group.ts";
import { stationCodec } from "#storage/stations.ts";
import { serveJobs } from "#upstream/thread-slot.ts";

serveJobs((job: GroupJob) => resolveGroup(job, stationCodec));
