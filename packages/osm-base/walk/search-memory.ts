/** Memory of searches, used again from one to the next, over any graph. */
import { BucketQueue, QueueEntries } from "./bucket-queue.ts";

/** Edges that one question looks at: about as many as 15 ms are long (docs/lab/walking.md, Cost). */
export const MOST_LOOKS = 250_000;

/** What one question may still look at, in all its pages, and the entries that it has made of queues. */
export type Looks = { left: number; entries: number };

/** A look pushes one vertex at most; the start has two. */
function entriesFor(most_looks: number): QueueEntries {
  return new QueueEntries(most_looks + 2);
}

/** Words of a vertex's label (walk-search.ts). */
export const WORDS = 4;
const LAST_STAMP = 0xffffffff;

export class SearchMemory {
  /** Label of vertex i: words from i * WORDS on, next to one another since they are read together. */
  labels = new Uint32Array(0);
  /** Vertices reached by the newest search, the first ones of these. */
  reached = new Uint32Array(0);
  readonly queue = new BucketQueue();
  readonly entries: QueueEntries;
  readonly #most_looks: number;
  #stamp = 0;

  constructor(most_looks = MOST_LOOKS, entries = entriesFor(most_looks)) {
    this.#most_looks = most_looks;
    this.entries = entries;
  }

  /** Makes room for a graph of that many vertices; returns the number that labels of its search have. */
  begin(vertices: number): number {
    if (this.labels.length < WORDS * vertices) {
      this.labels = new Uint32Array(WORDS * vertices);
      this.reached = new Uint32Array(Math.min(this.#most_looks + 2, vertices));
    }
    if (this.#stamp === LAST_STAMP) {
      this.labels.fill(0);
      this.#stamp = 0;
    }
    return ++this.#stamp;
  }
}

/** Memories of the pages of one question, made as they are needed. What runs at once has its own. */
export class SearchMemories {
  readonly #memories: SearchMemory[] = [];
  readonly #most_looks: number;
  #entries: QueueEntries | null = null;

  constructor(most_looks = MOST_LOOKS) {
    this.#most_looks = most_looks;
  }

  /** Of a page, by its number among those of the question. */
  at(number: number): SearchMemory {
    this.#entries ??= entriesFor(this.#most_looks);
    return (this.#memories[number] ??= new SearchMemory(this.#most_looks, this.#entries));
  }
}
