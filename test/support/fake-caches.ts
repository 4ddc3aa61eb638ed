/** Caches of a browser in memory, in the order in which entries were written. */

type Entry = { key: string; response: Response };

/** By paths with their queries; `put` throws while it is full. */
export class FakeCaches {
  readonly stores = new Map<string, FakeCache>();
  isFull = false;

  open(name: string): Promise<FakeCache> {
    const store = this.stores.get(name) ?? new FakeCache(() => this.isFull);
    this.stores.set(name, store);
    return Promise.resolve(store);
  }

  delete(name: string): Promise<boolean> {
    return Promise.resolve(this.stores.delete(name));
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.stores.keys()]);
  }

  async match(
    key: unknown,
    options: { cacheName?: string; ignoreSearch?: boolean } = {},
  ): Promise<Response | undefined> {
    for (const [name, store] of this.stores) {
      if (options.cacheName !== undefined && options.cacheName !== name) continue;
      const response = await store.match(key);
      if (response) return response;
    }
    return undefined;
  }
}

class FakeCache {
  readonly #isFull: () => boolean;
  #entries: Entry[] = [];

  constructor(isFull: () => boolean) {
    this.#isFull = isFull;
  }

  put(key: unknown, response: Response): Promise<void> {
    if (this.#isFull()) return Promise.reject(new DOMException("full", "QuotaExceededError"));
    const path = pathOf(key);
    this.#entries = this.#entries.filter((entry) => entry.key !== path);
    this.#entries.push({ key: path, response });
    return Promise.resolve();
  }

  match(key: unknown): Promise<Response | undefined> {
    const path = pathOf(key);
    return Promise.resolve(this.#entries.find((entry) => entry.key === path)?.response.clone());
  }

  delete(key: unknown): Promise<boolean> {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.key !== pathOf(key));
    return Promise.resolve(this.#entries.length < before);
  }

  keys(): Promise<string[]> {
    return Promise.resolve(this.paths());
  }

  paths(): string[] {
    return this.#entries.map(({ key }) => key);
  }
}

function pathOf(key: unknown): string {
  const text = typeof key === "string" ? key : (key as { url: string }).url;
  const { pathname, search } = new URL(text, "https://here.example");
  return pathname + search;
}
