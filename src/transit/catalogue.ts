/**
 * Which feeds a deployment reads: those that are named, and those that the catalogue of the Mobility
 * Database has in its area. The catalogue also knows which of them have live data.
 */
import type { Logger } from "pino";
import type { SettledTransport } from "#config/transport.ts";
import { isOk } from "#core/outcome.ts";
import type { Clock } from "#ports.ts";
import { type CatalogueFeed, feedsAt, readCatalogue } from "#providers/mobilitydb/catalogue.ts";
import type { Run } from "#upstream/run.ts";
import type { FeedOrigin } from "./bring.ts";
import type { TransitFeeds } from "./feeds.ts";

type Gtfs = SettledTransport["gtfs"];
type Deps = { run: Run; clock: Clock; log: Logger };

/** A catalogue that could not be read is tried again. */
const RETRY_MS = 600_000;

export function followCatalogue(
  stated: Gtfs,
  feeds: TransitFeeds,
  deps: Deps,
): { start(): Promise<void>; close(): void } {
  const { clock } = deps;
  let cancel = (): void => undefined;
  const named = (listed: readonly CatalogueFeed[]): FeedOrigin[] =>
    stated.feeds.map((feed) => toOrigin(feed, listed));
  const again = (): void => {
    cancel = clock.schedule(clock.now() + RETRY_MS, async () => {
      const listed = await readListed(stated, deps);
      if (listed === null) return again();
      feeds.expect(named(listed));
      await feeds.add(pick(stated, listed));
    });
  };
  return {
    async start() {
      feeds.expect(named([]));
      const listed = await readListed(stated, deps);
      if (listed === null) again();
      await feeds.add([...named(listed ?? []), ...pick(stated, listed ?? [])]);
    },
    close: () => cancel(),
  };
}

/** Those of the area that are not named. */
function pick({ area, feeds }: Gtfs, listed: readonly CatalogueFeed[]): FeedOrigin[] {
  if (area === null) return [];
  return feedsAt(listed, area)
    .filter(({ id }) => !feeds.some((feed) => feed.id === id))
    .map(({ id, url }) => ({ ...toOrigin({ id, url }, listed), strict: true }));
}

/** null: it could not be read. */
async function readListed(stated: Gtfs, deps: Deps): Promise<CatalogueFeed[] | null> {
  if (stated.catalogue === null) return [];
  const outcome = await deps.run({ url: stated.catalogue, timeout_ms: stated.timeout_ms }, {});
  if (!isOk(outcome) || outcome.value.kind !== "body") {
    deps.log.warn({ catalogue: "mobilitydb" }, "the catalogue could not be read");
    return null;
  }
  const listed = readCatalogue(new TextDecoder().decode(outcome.value.body));
  if (!listed) deps.log.warn({ catalogue: "mobilitydb" }, "the catalogue is of another shape");
  return listed;
}

function toOrigin(feed: Gtfs["feeds"][number], listed: readonly CatalogueFeed[]): FeedOrigin {
  const known = listed.find(({ id, url }) => id === feed.id || url === feed.url);
  return {
    id: feed.id,
    ...{ path: feed.path ?? null, url: feed.url ?? null, region: feed.region ?? null },
    ...{
      box: known?.box ?? null,
      realtime: known?.realtime ?? null,
      alerts: known?.alerts ?? null,
    },
  };
}
