// Which requests the sources have received: a count per source and part, the last hundred, and when
// each address was asked for.

type Entry = {
  readonly method: string;
  readonly path: string;
  readonly time: string;
  readonly source: string;
};

export type Journal = {
  record(names: readonly string[], entry: Entry): void;
  reset(): void;
  read(): { counts: Record<string, number>; last: Entry[] };
  /** By path without its query, when it was asked for: RFC 3339, in order, the latest thousand. */
  readPaths(): Record<string, string[]>;
};

const KEPT = 100;
const KEPT_OF_PATH = 1_000;
/** Beyond them new paths are counted as one: questions to maps have a path each. */
const KEPT_PATHS = 10_000;

export function createJournal(names: readonly string[]): Journal {
  const counts = new Map<string, number>();
  const last: Entry[] = [];
  const paths = new Map<string, string[]>();
  const note = ({ path, time }: Entry): void => {
    const [name = ""] = path.split("?", 1);
    const times = paths.get(name) ?? [];
    if (times.length === 0 && paths.size >= KEPT_PATHS) return;
    paths.set(name, times);
    times.push(time);
    if (times.length > KEPT_OF_PATH) times.shift();
  };
  const reset = (): void => {
    for (const name of names) counts.set(name, 0);
    last.length = 0;
    paths.clear();
  };
  reset();
  return {
    record(counted, entry) {
      for (const name of counted) counts.set(name, (counts.get(name) ?? 0) + 1);
      note(entry);
      last.push(entry);
      if (last.length > KEPT) last.shift();
    },
    reset,
    read: () => ({ counts: Object.fromEntries(counts), last: [...last] }),
    readPaths: () => Object.fromEntries(paths),
  };
}
