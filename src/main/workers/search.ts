/** Entry of the thread that ranks answers of bases (upstream/bases/search-thread.ts asks). */
import { type LetGo, SearchedPages, type SearchJob } from "#osm/names.ts";
import { serveJobs } from "#kit/run/thread.ts";

const searched = new SearchedPages();
serveJobs((job: SearchJob | LetGo) => {
  setImmediate(() => searched.collect());
  return searched.run(job);
});
