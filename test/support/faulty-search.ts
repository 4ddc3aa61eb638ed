/** Entry of a thread that ranks answers, but for questions that say what is to go wrong. */
import { SearchedPages, type SearchJob } from "#osm/geocoder/search-job.ts";
import { serveJobs } from "#kit/run/thread.ts";

const searched = new SearchedPages();
serveJobs((job: SearchJob) => {
  const [word] = job.words;
  if (word?.text === "throwing") throw new Error("planted");
  // oxlint-disable-next-line unicorn/no-process-exit -- what it is for
  if (word?.text === "exiting") process.exit(3);
  if (word?.text === "hanging") for (;;);
  return searched.run(job);
});
