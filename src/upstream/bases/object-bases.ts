/**
 * Bases that lie in an object store, next to those of a store of files: they are read in ranges, and
 * never written or removed. A store that does not answer leaves what was known of its objects as it was.
 */
import { basename } from "node:path";
import type { Logger } from "pino";
import { guard } from "#kit/guard.ts";
import { BASE_END } from "#osm/base/base-layout.ts";
import type { Clock } from "#ports.ts";
import type { BaseFile, BaseStore } from "#ports/bases.ts";
import type { RunRequest } from "#upstream/run.ts";
import {
  describeObject,
  type ObjectFacts,
  type ObjectPlace,
  ObjectRanges,
} from "./object-ranges.ts";

/** An object is looked at as often as this; the bases of the folder more often. */
const LOOK_MS = 30_000;

type Deps = { run: RunRequest; clock: Clock; log: Logger };

/** The id of a base is the last part of its address. */
function idOfObject(url: string): string {
  return basename(new URL(url).pathname, BASE_END);
}

/** Of two of one id the one that is named here is used. */
export function withObjects(
  store: BaseStore,
  places: readonly ObjectPlace[],
  deps: Deps,
): BaseStore {
  if (places.length === 0) return store;
  const objects = new Map(
    places.map((place) => {
      const id = idOfObject(place.url);
      return [id, new StoredObject(id, place, deps)];
    }),
  );
  return {
    ...store,
    async list() {
      const own = (await store.list()).filter(({ id }) => !objects.has(id));
      const others = [...objects.values()].map((object) => object.describe());
      return [...own, ...(await Promise.all(others))];
    },
    open: async (id) => objects.get(id)?.open() ?? (await store.open(id)),
    async read(id) {
      const ranges = objects.get(id)?.open() ?? null;
      return ranges === null ? await store.read(id) : await ranges.read(0, ranges.bytes);
    },
  };
}

class StoredObject {
  readonly #id: string;
  readonly #place: ObjectPlace;
  readonly #deps: Deps;
  /** null: it has never been reached. */
  #facts: ObjectFacts | null = null;
  #looked_ms = -Infinity;
  #problem: string | null = null;

  constructor(id: string, place: ObjectPlace, deps: Deps) {
    this.#id = id;
    this.#place = place;
    this.#deps = deps;
  }

  async describe(): Promise<BaseFile> {
    const now_ms = this.#deps.clock.now();
    if (now_ms - this.#looked_ms >= LOOK_MS) {
      this.#looked_ms = now_ms;
      await this.#look();
    }
    const { version = "absent", bytes = 0 } = this.#facts ?? {};
    return { id: this.#id, version, bytes };
  }

  open(): ObjectRanges {
    const { version, bytes } = this.#facts ?? { version: "absent", bytes: 0 };
    return new ObjectRanges(this.#place, { version, bytes }, this.#deps);
  }

  async #look(): Promise<void> {
    const { log } = this.#deps;
    const found = await guard<ObjectFacts, { problem: string }>(
      () => describeObject(this.#place, this.#deps),
      (error) => ({ problem: error instanceof Error ? error.message : String(error) }),
    );
    if (!("problem" in found)) {
      if (this.#problem !== null) log.info({ base: this.#id }, "the base is reached again");
      this.#problem = null;
      this.#facts = found;
      return;
    }
    // Once, not at each look.
    if (this.#problem !== found.problem)
      log.warn({ base: this.#id, problem: found.problem }, `base ${this.#id} cannot be reached`);
    this.#problem = found.problem;
  }
}
