/** The thread that reads the catalogue of the Mobility Database (transit/catalogue.ts asks). */
import { createTrail } from "#kit/trail.ts";
import {
  type ListedFeeds,
  readMobilityDatabase,
} from "#providers/mobilitydb/mobilitydb-catalogue.ts";
import { serveJobs } from "#kit/run/thread.ts";

serveJobs((body: Uint8Array): ListedFeeds | null => {
  const trail = createTrail();
  const feeds = readMobilityDatabase(new TextDecoder().decode(body), trail);
  return feeds && { feeds, trail: trail.toTrail() };
});
