/** GBFS that this service publishes, over the world and the terms of its sources. */
import { createHash } from "node:crypto";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import { PublishedGbfs } from "#app/gbfs/gbfs-files.ts";
import { createFindTerms } from "#app/gbfs/out-systems.ts";
import type { GbfsFiles } from "#app/gbfs/out-types.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { Turns } from "#http/pages/page-turns.ts";
import type { OpenFeeds } from "./open-feeds.ts";
import type { Inputs, Made } from "./parts/given.ts";

type Input = Pick<Inputs, "clock" | "onFault" | "serving" | "options"> &
  Pick<Made, "whereabouts"> & { feeds: OpenFeeds };

export function openGbfs(
  { clock, onFault, serving, options, feeds: { world, feeds }, whereabouts }: Input,
  termsOf: TermsOf,
): GbfsFiles {
  const turns = new Turns(BOUNDS_OF_ALL.gbfs, (error) => onFault("published GBFS", error));
  return new PublishedGbfs({
    ...{ world, feeds, clock, timezones: whereabouts.timezones },
    terms: createFindTerms({ termsOf, findFeed: feeds.find }),
    turns: {
      take: (work, block) =>
        turns.take(() => {
          // The request for which a file is rendered pays for it.
          serving.resume();
          return work();
        }, block),
    },
    hash: () => createHash("sha256"),
    contact: options.config.contact,
  });
}
