/**
 * Which feeds a deployment reads: those that are named, and those that the catalogue of the Mobility
 * Database has in its area. The catalogue also knows which of them have live data.
 */
import type { Logger } from "pino";
import type { SettledTransport } from "#config/transport.ts";
import { isOk } from "#core/outcome.ts";
import type { Clock } from "#ports.ts";
import { type CatalogueFeed, feedsAt } from "#providers/mobilitydb/catalogue.ts";
import type { Run } from "#upstream/run.ts";
import { ownedBuffer, runInThread } from "#upstream/thread.ts";
import type { FeedOrigin } from "./bring.ts";
import type { TransitFeeds } from "./feeds.ts";

type Gtfs = SettledTransport["gtfs"];
type Deps = { run: Run; clock: Clock; log: Logger };

const MAX_BYTES = 32 * 1024 ** 2;
const LIMITS = {
  worker_url: new URL("../catalogue-worker.ts", import.meta.url),
  max_heap_mb: 512,
  timeout_ms: 60_000,
};
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
    .map(({ id, url }) => toOrigin({ id, url }, listed));
}

/** null: it could not be read. */
async function readListed(stated: Gtfs, deps: Deps): Promise<CatalogueFeed[] | null> {
  if (stated.catalogue === null) return [];
  const { catalogue: url, timeout_ms } = stated;
  const outcome = await deps.run({ url, timeout_ms, max_bytes: MAX_BYTES }, {});
  if (!isOk(outcome) || outcome.value.kind !== "body") {
    deps.log.warn({ catalogue: "mobilitydb" }, "the catalogue could not be read");
    return null;
  }
  const { body } = outcome.value;
  const read = await runInThread<CatalogueFeed[] | null>(body, LIMITS, {
    transfer: ownedBuffer(body),
  });
  const listed = read.ok ? read.value : null;
  const reason = read.ok ? "wrong_shape" : read.reason;
  if (!listed) deps.log.warn({ catalogue: "mobilitydb", reason }, "the catalogue cannot be used");
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
