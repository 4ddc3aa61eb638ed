/** Entry of a thread that ranks answers, but for questions that say what is to go wrong. */
import { SearchedPages, type SearchJob } from "#osm/names.ts";
import { serveJobs } from "#kit/run/thread.ts";

const searched = new SearchedPages();
serveJobs((job: SearchJob) => {
  const [word] = job.words;
  if (word?.text === "throwing") throw new Error("planted");
  // oxlint-disable-next-line unicorn/no-process-exit -- what it is for
  if (word?.text === "exiting") process.exit(3);
  // Without processor time: what it is for is that no answer comes.
  if (word?.text === "hanging") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return searched.run(job);
});
