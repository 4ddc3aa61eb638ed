/** What the main thread reports to those that serve: what the world shows, and how the sources are. */
import type { Catalogues } from "#app/catalogues.ts";
import type { OpenTransit } from "#app/transit/open-transit.ts";
import { every } from "#kit/every.ts";
import { attempt, type NoteFault } from "#kit/guard.ts";
import type { Clock } from "#ports.ts";
import type { ReportedFeed } from "#upstream/feeds/followed-feeds.ts";
import type { CatalogueHealth } from "#upstream/catalogue-reader.ts";
import type { FeedRuntime } from "#upstream/feeds/feed-types.ts";
import { type HandedChange, WorldGiver } from "#world/handed-world.ts";
import type { World } from "#world/world.ts";

/** What has changed, for the threads that serve. */
export type Shown = {
  kind: "shown";
  /** null: nothing in the world. */
  change: HandedChange | null;
  systems: readonly ReportedFeed[];
  /** How catalogues are, by their ids. */
  catalogues: readonly (readonly [id: string, health: CatalogueHealth])[];
};

type Follow = (listener: (source_id: string) => void) => void;
type Deps = {
  clock: Pick<Clock, "now" | "schedule">;
  feeds: {
    world: Pick<World, "list">;
    feeds: Pick<FeedRuntime, "snapshot" | "find" | "health">;
    follow: Follow;
    followReadings: Follow;
  };
  catalogues: Pick<Catalogues, "listed">;
  transit: Pick<OpenTransit, "catalogues">;
  notify(shown: Shown): void;
  /** Calls the task once, after this pass of the event loop: `setImmediate`. */
  defer(task: () => void): void;
  onFault: NoteFault;
};

/** What changes without a notice, such as that a system has fallen asleep, is looked for this often, ms. */
const LOOK_MS = 2_000;

export class Publication {
  readonly #deps: Deps;
  readonly #giver: WorldGiver;
  /** The last message about each system, as text. */
  readonly #last = new Map<string, string>();
  readonly #changed = new Set<string>();
  #is_due = false;
  #stop = (): void => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#giver = new WorldGiver(deps.feeds.world);
  }

  /** Follows what happens from now on. */
  begin(): void {
    const { feeds } = this.#deps;
    const note = (source_id: string): void => this.#note(source_id);
    feeds.follow(note);
    feeds.followReadings(note);
    this.#stop = every(this.#deps.clock, LOOK_MS, () =>
      this.#notify(feeds.feeds.snapshot().map(({ id }) => id)),
    );
    // What has changed while the threads started.
    this.flush();
  }

  close(): void {
    this.#stop();
  }

  /** All of it, for a thread that has just begun. */
  all(): Shown {
    const { feeds } = this.#deps.feeds;
    const systems = feeds.snapshot().map((info) => ({ info, health: feeds.health(info.id) }));
    return {
      kind: "shown",
      change: this.#giver.all(),
      systems,
      catalogues: this.#listCatalogues(),
    };
  }

  /** Reports now what has changed. */
  flush(): void {
    this.#is_due = false;
    this.#notify([...this.#changed]);
  }

  /** Changes of one pass of the event loop are reported together. */
  #note(source_id: string): void {
    this.#changed.add(source_id);
    if (this.#is_due) return;
    this.#is_due = true;
    const flush = (): void => {
      if (this.#is_due) this.flush();
    };
    this.#deps.defer(() => attempt(flush, (error) => this.#deps.onFault("what is shown", error)));
  }

  #notify(source_ids: readonly string[]): void {
    this.#changed.clear();
    const systems = source_ids.flatMap((id) => this.#findNews(id) ?? []);
    const change = this.#giver.changes();
    if (change === null && systems.length === 0) return;
    this.#deps.notify({ kind: "shown", change, systems, catalogues: this.#listCatalogues() });
  }

  /** null: it is as it was in the last message. */
  #findNews(source_id: string): ReportedFeed | null {
    const { feeds } = this.#deps.feeds;
    const info = feeds.find(source_id);
    if (info === null) return null;
    const news = { info, health: feeds.health(source_id) };
    const text = JSON.stringify(news);
    if (this.#last.get(source_id) === text) return null;
    this.#last.set(source_id, text);
    return news;
  }

  #listCatalogues(): Shown["catalogues"] {
    const { catalogues, transit } = this.#deps;
    const listed = [...catalogues.listed, ...transit.catalogues];
    return listed.map(({ id, health }) => [id, health()] as const);
  }
}
