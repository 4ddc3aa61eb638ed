/** Entry of the thread that reads live data of timetables (src/upstream/transit/live-transit.ts asks). */
import { serveJobs } from "#kit/run/thread.ts";
import { createLiveReader } from "#upstream/transit/live-job.ts";

serveJobs(createLiveReader());
