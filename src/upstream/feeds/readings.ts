/** What is to be read, in turns: a fleet's feeds that another replica has published. */
import { detach } from "#kit/guard.ts";

/** Queue of things to read, each once at a time and a few at once; wanted while read: once more. */
export type Readings<T> = {
  want(thing: T): void;
  /** Resolves when nothing is wanted. */
  idle(): Promise<void>;
};

const AT_ONCE = 8;

/** Makes a queue. `onFault`: receives what reading a thing throws; the others are read all the same. */
export function createReadings<T>(
  read: (thing: T) => Promise<void>,
  onFault: (error: unknown, thing: T) => void,
): Readings<T> {
  const wanted = new Set<T>();
  const running = new Set<T>();
  let idle: PromiseWithResolvers<void> | null = null;

  function pump(): void {
    for (const thing of wanted) {
      if (running.size >= AT_ONCE) return;
      if (running.has(thing)) continue;
      wanted.delete(thing);
      running.add(thing);
      detach(readOne(thing), (error) => onFault(error, thing));
    }
    if (running.size > 0 || wanted.size > 0) return;
    idle?.resolve();
    idle = null;
  }

  async function readOne(thing: T): Promise<void> {
    try {
      await read(thing);
    } finally {
      running.delete(thing);
      pump();
    }
  }

  return {
    want(thing) {
      wanted.add(thing);
      pump();
    },
    async idle() {
      if (running.size === 0 && wanted.size === 0) return;
      idle ??= Promise.withResolvers();
      await idle.promise;
    },
  };
}
