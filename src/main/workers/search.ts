/** Entry of the thread that ranks answers of bases (upstream/bases/search-thread.ts asks). */
import { SearchedPages, type SearchJob } from "#osm/names.ts";
import { serveJobs } from "#kit/run/thread.ts";

const searched = new SearchedPages();
serveJobs((job: SearchJob) => {
  setImmediate(() => searched.collect());
  return searched.run(job);
});
