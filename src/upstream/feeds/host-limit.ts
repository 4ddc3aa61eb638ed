/** At most so many requests at one host at a time, whichever systems they are for; FIFO. */
export type HostLimit = <T>(url: string, task: () => Promise<T>) => Promise<T>;

export function createHostLimit(max: number): HostLimit {
  const hosts = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (url, task) => {
    const host = hostOf(url);
    const line = hosts.get(host) ?? { running: 0, waiting: [] };
    hosts.set(host, line);
    // Who leaves hands its place on, so that a newcomer cannot slip in before those who wait.
    if (line.running >= max) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running++;
    try {
      return await task();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) hosts.delete(host);
    }
  };
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}
