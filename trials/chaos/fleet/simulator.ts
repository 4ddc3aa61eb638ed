/** The simulator as a process of its own: what sources there are, and when it was asked for what. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../../test/integration/service/processes.ts";
import type { FeedFile } from "../check/feeds.ts";
import { sleep } from "./clock.ts";
import { atExit } from "../../../test/support/at-exit.ts";

export type Simulator = {
  url: string;
  systems: readonly { id: string; url: string; country: string }[];
  /** From now on requests count. */
  reset(): Promise<void>;
  /** Of all feeds, what was asked for since; `wanted`: of live files, which of these systems. */
  readFiles(wanted: ReadonlySet<string>): Promise<FeedFile[]>;
  close(): Promise<void>;
};

const START_MS = 20_000;
const FEEDS = /^\/upstreams\/gbfs\/([^/]+)\/.*\.json$/;
const LIVE = /\/(?:station_status|vehicle_status|free_bike_status)\.json$/;

export async function startSimulator(seed: number): Promise<Simulator> {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-simulator-"));
  const running = launch({
    cities: "all",
    data_dir,
    args: ["sandbox", "--port", "0", "--seed", String(seed)],
  });
  const abandon = (): void => {
    running.child.kill("SIGKILL");
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = atExit(abandon);
  const url = await waitForUrl(() => running.output());
  const read = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;
  const { gbfs_systems } = await read<{ gbfs_systems: (Listed & { auth?: unknown })[] }>(
    "/__sandbox/sources",
  );
  const readPaths = async (): Promise<[path: string, times: string[]][]> => {
    const { paths } = await read<{ paths: Record<string, string[]> }>("/__sandbox/paths");
    return Object.entries(paths).filter(([path]) => FEEDS.test(path));
  };
  const entries = new Set<string>();
  return {
    url,
    systems: gbfs_systems
      .filter(({ auth }) => auth === undefined)
      .map(({ id, url: feed, country }) => ({ id, url: feed, country })),
    async reset() {
      for (const [path] of await readPaths()) entries.add(path);
      await fetch(`${url}/__sandbox/requests`, { method: "DELETE" });
    },
    async readFiles(wanted) {
      const requests = new Map(await readPaths());
      // What was asked for before and never again is a file too.
      const feeds = [...new Set([...entries, ...requests.keys()])];
      return await Promise.all(
        feeds.map(async (path): Promise<FeedFile> => {
          const { ttl } = await read<{ ttl: number }>(path);
          const system = FEEDS.exec(path)![1]!;
          return {
            path,
            ttl_s: ttl,
            wanted: LIVE.test(path) && wanted.has(system),
            asked_ms: (requests.get(path) ?? []).map((time) => Date.parse(time)),
          };
        }),
      );
    },
    async close() {
      running.child.kill("SIGKILL");
      await running.ended;
      forget();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

type Listed = { id: string; url: string; country: string };

async function waitForUrl(output: () => { out: string; err: string }): Promise<string> {
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(20)) {
    const match = /simulator answers at (\S+)/.exec(output().out);
    if (match) return match[1]!;
  }
  throw new Error(`the simulator did not start: ${output().err}`);
}
