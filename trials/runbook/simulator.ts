/** The simulator as a process of its own, and the faults that its sources can be given. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../test/integration/service/processes.ts";
import { atExit } from "../../test/support/at-exit.ts";
import { nowMs, sleep } from "../chaos/fleet/clock.ts";

export type Simulator = {
  url: string;
  systems: readonly { id: string; url: string; country: string }[];
  /** Until it is taken back; `path`: only where the address has it. */
  fail(source: string, fault: string, path?: string): Promise<void>;
  heal(): Promise<void>;
  close(): Promise<void>;
};

const START_MS = 120_000;
const CITY = "paris";

type Listed = { id: string; url: string; country: string; auth?: unknown };

export async function startSimulator(): Promise<Simulator> {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-simulator-"));
  const running = launch({ cities: CITY, data_dir, args: ["sandbox", "--port", "0"] });
  const forget = atExit(() => {
    running.child.kill("SIGKILL");
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const url = await waitForUrl(() => running.output());
  const reply = await fetch(`${url}/__sandbox/sources`);
  const { gbfs_systems } = (await reply.json()) as { gbfs_systems: Listed[] };
  return {
    url,
    systems: gbfs_systems
      .filter(({ auth }) => auth === undefined)
      .map(({ id, url: feed, country }) => ({ id, url: feed, country })),
    async fail(source, fault, path) {
      const body = JSON.stringify({ fault, ...(path !== undefined && { path }) });
      const put = await fetch(`${url}/__sandbox/faults/${source}`, { method: "PUT", body });
      if (put.status !== 200) throw new Error(`no fault of ${source}: ${await put.text()}`);
    },
    async heal() {
      await fetch(`${url}/__sandbox/faults`, { method: "DELETE" });
    },
    async close() {
      running.child.kill("SIGKILL");
      await running.ended;
      forget();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

async function waitForUrl(output: () => { out: string; err: string }): Promise<string> {
  for (const until_ms = nowMs() + START_MS; nowMs() < until_ms; await sleep(50)) {
    const match = /simulator answers at (\S+)/.exec(output().out);
    if (match) return match[1]!;
  }
  throw new Error(`the simulator did not start: ${output().err}`);
}
