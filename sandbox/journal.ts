// Which requests the sources have received: a count per source and part, and the last hundred.

export type Entry = {
  readonly method: string;
  readonly path: string;
  readonly time: string;
  readonly source: string;
};

export type Journal = {
  record(names: readonly string[], entry: Entry): void;
  reset(): void;
  read(): { counts: Record<string, number>; last: Entry[] };
};

const KEPT = 100;

export function createJournal(names: readonly string[]): Journal {
  const counts = new Map<string, number>();
  const last: Entry[] = [];
  const reset = (): void => {
    for (const name of names) counts.set(name, 0);
    last.length = 0;
  };
  reset();
  return {
    record(counted, entry) {
      for (const name of counted) counts.set(name, (counts.get(name) ?? 0) + 1);
      last.push(entry);
      if (last.length > KEPT) last.shift();
    },
    reset,
    read: () => ({ counts: Object.fromEntries(counts), last: [...last] }),
  };
}
