/** Entry of the thread that reads live data of timetables (main/transit/live.ts asks). */
import { serveJobs } from "#upstream/thread-slot.ts";
import { createLiveReader } from "../transit/live-job.ts";

serveJobs(createLiveReader());
