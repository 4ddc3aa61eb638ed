/**
 * The parts of a thread that serves next to others: those of a service, in which what is read of feeds,
 * catalogues and archives, and what is written, is the main thread's (docs/workers.md).
 */
import { openCatalogues } from "#app/catalogues.ts";
import { openSourceHistory, type SourceHistory } from "#app/source-history.ts";
import type { CatalogueListing } from "#app/source-list.ts";
import { openSourceQuality, type SourceQuality } from "#app/source-quality.ts";
import { detach } from "#kit/guard.ts";
import type { Shown } from "#app/threads/publication.ts";
import type { Remote } from "#kit/calls.ts";
import { type Part, withRows } from "#process/parts.ts";
import type { SharedCounts } from "#storage/threads/shared-counts.ts";
import { openThreadStorage, readOnly } from "#storage/threads/thread-storage.ts";
import type { CatalogueHealth } from "#upstream/catalogue-reader.ts";
import { FollowedFeeds } from "#upstream/feeds/followed-feeds.ts";
import { WorldTaker } from "#world/handed-world.ts";
import { createWorld } from "#world/world.ts";
import type { OnShown } from "../followed-sink.ts";
import { ANSWERING } from "../listen.ts";
import { listenTogether } from "../listeners.ts";
import type { OpenFeeds } from "../open-feeds.ts";
import type { Inputs, Made } from "../parts/given.ts";
import { part } from "../parts/parts.ts";
import { toSandbox } from "../simulator.ts";
import type { MainCalls, ServingTask } from "./serving-task.ts";

export type ThreadInputs = Inputs & {
  task: ServingTask;
  counts: SharedCounts;
  main: Remote<MainCalls>;
  feed: FeedOfThread;
  /** What takes note of what the main thread has received of sources; absent: not opened yet. */
  notes: { history?: SourceHistory; quality?: SourceQuality };
};

/** `table`: the parts of a service. */
export function listThreadParts(table: readonly Part[], input: ThreadInputs): Part[] {
  const rows = [...listStored(input), ...listFollowed(input), ...listUnneeded(input)];
  return withRows(table, rows).filter(({ name }) => !OF_PROCESS.has(name));
}

/** What says or watches something of the process, which the main thread does. */
const OF_PROCESS = new Set(["facts", "store_watch", "clock_watch"]);

function listStored({ options, task, counts, main, log, onFault }: ThreadInputs): Part[] {
  const { config, env } = options;
  return [
    part(
      "storage",
      ["changelog", "telemetry"],
      () =>
        openThreadStorage(
          { data_dir: env.data_dir, mode: config.mode },
          {
            ...{ thread: task.thread, secret: task.secret, counts, calls: main },
            onHealth: (event) => log.error(event, "store"),
            onDefect: onFault,
          },
        ),
      {
        label: "stores",
        async close({ usage, transit, close }) {
          await Promise.all([usage.close(), transit.close()]);
          await close();
        },
      },
    ),
    part("sandbox", ["tiles"], () =>
      task.sandbox === null
        ? null
        : toSandbox(task.sandbox, {
            now: Date.now,
            draw: () => Promise.reject(new Error("no plan is drawn here")),
            close: () => Promise.resolve(),
          }),
    ),
    part("keys", ["sandbox"], () => ({ keys: [...task.keys], close: () => undefined })),
  ];
}

/** What the main thread says, taken over in the step in which it comes. */
export class FeedOfThread {
  readonly #listeners = new Set<OnShown>();
  readonly #catalogues = new Map<string, CatalogueHealth>();
  #shown: ((shown: Shown) => readonly string[]) | null = null;
  /** Came before there was a world. */
  #early: Shown[] = [];

  take(shown: Shown): void {
    if (this.#shown === null) {
      this.#early.push(shown);
      return;
    }
    for (const [id, health] of shown.catalogues) this.#catalogues.set(id, health);
    for (const source_id of this.#shown(shown))
      for (const listener of this.#listeners) listener(source_id);
  }

  /** What takes it from now on, what came before first. */
  open(shown: (shown: Shown) => readonly string[]): void {
    this.#shown = shown;
    for (const each of this.#early.splice(0)) this.take(each);
  }

  follow(listener: OnShown): void {
    this.#listeners.add(listener);
  }

  /** The catalogues as the main thread knows them. */
  mirror(listed: readonly CatalogueListing[]): CatalogueListing[] {
    return listed.map((each) => ({
      ...each,
      health: () => this.#catalogues.get(each.id) ?? each.health(),
    }));
  }
}

function listFollowed(input: ThreadInputs): Part[] {
  const { clock, onFault, main, feed, notes } = input;
  /** Of the main thread alone: it stores what all have noted, and says what became of catalogues. */
  const nothing = (): void => undefined;
  const failed = (error: unknown): void => onFault("call to the main thread", error);
  return [
    part("feeds", ["whereabouts"], ({ whereabouts }) => openFollowed(input, whereabouts)),
    part(
      "catalogues",
      ["sources", "feeds", "network", "storage"],
      ({ sources, feeds, network, storage }) => {
        const opened = openCatalogues(sources, {
          ...{ clock, onFault, world: feeds.world, add: feeds.add },
          documents: storage.documents,
          onEvent: nothing,
          run: network.runFeeds,
        });
        return { ...opened, listed: feed.mirror(opened.listed) };
      },
    ),
    // The main thread receives it first, and notifies all.
    part(
      "history",
      ["storage"],
      async ({ storage }) => {
        const documents = readOnly(storage.documents);
        notes.history = await openSourceHistory({ clock, documents, onUnkept: nothing });
        return { ...notes.history, note: (...note) => detach(main.noteSource(...note), failed) };
      },
      { close: (history) => history.close() },
    ),
    part(
      "quality",
      ["storage"],
      async ({ storage }) => {
        const documents = readOnly(storage.documents);
        notes.quality = await openSourceQuality({ clock, documents, onUnkept: nothing });
        return { ...notes.quality, note: (...note) => detach(main.noteReading(...note), failed) };
      },
      { close: (quality) => quality.close() },
    ),
    part("listeners", ANSWERING, (parts) => listenTogether(input, parts), {
      close: (listeners) => listeners.close(),
    }),
  ];
}

function openFollowed(
  { clock, main, feed, serving, onFault }: ThreadInputs,
  whereabouts: Made["whereabouts"],
): OpenFeeds {
  const world = createWorld(null, { territories: whereabouts.ofStations });
  const taker = new WorldTaker(world);
  const note = (error: unknown): void => onFault("call to the main thread", error);
  const feeds = new FollowedFeeds({
    now: clock.now,
    elsewhere: {
      wake: (source_ids) => detach(main.wake(source_ids), note),
      prioritise: (country) => detach(main.prioritise(country), note),
      refresh: (...query) => main.refresh(...query),
    },
  });
  feed.open(({ change, systems }) => {
    feeds.take(systems);
    return change === null ? [] : taker.take(change);
  });
  const done = (): Promise<void> => Promise.resolve();
  return {
    world,
    feeds: {
      ...{ wake: feeds.wake, health: feeds.health, prioritise: feeds.prioritise },
      ...{ snapshot: feeds.snapshot, find: feeds.find },
      refresh: serving.resuming(feeds.refresh),
      ...{ add: () => undefined, start: () => undefined },
      ...{ join: done, surveyed: done, settle: done, close: done },
    },
    follow: (listener) => feed.follow(listener),
    followReadings: () => undefined,
    ...{ add: done, close: done },
  };
}

/** What the main thread does for all. */
function listUnneeded({ log }: ThreadInputs): Part[] {
  const nothing = (): undefined => undefined;
  return [
    ...(["systems", "turn", "countries", "ready_file", "replicas"] as const).map((name) =>
      part(name, [], () => null),
    ),
    ...(
      ["recalled", "catalogues_read", "cities_surveyed", "first_timetables", "surveyed"] as const
    ).map((name) => part(name, [], nothing)),
    part("base_made", [], nothing),
    part("readiness", [], () => ({ ready: true })),
    part("warnings", [], () => null),
    part("announced", ["listeners"], ({ listeners: { url } }) => {
      log.info({ url }, "a thread listens");
      return null;
    }),
    part("expiry", [], () => nothing),
  ];
}
