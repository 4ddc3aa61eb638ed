/** The program over the bases of a data folder: a process of its own, which calls no source. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  launch,
  type Ready,
  readyFile,
  waitReady,
} from "../../test/integration/service/processes.ts";
import { atExit } from "../../test/support/at-exit.ts";
import { rm } from "node:fs/promises";

export type Served = {
  ready: Ready;
  /** Of the thread that answers and all others of the process. */
  pid: number;
  output(): string;
  close(): Promise<void>;
};

export async function serveBases(
  data_dir: string,
  { memory_mb, opened = true }: { memory_mb?: number; opened?: boolean } = {},
): Promise<Served> {
  const config = join(data_dir, "vicinity.json");
  const openbase = { gazetteer: false, ...(memory_mb && { memory_mb }) };
  const settings = {
    sources: { maps: { adapter: "openstreetmap" }, openbase },
  };
  await writeFile(config, JSON.stringify(settings));
  await rm(readyFile(data_dir), { force: true });
  const running = launch({
    data_dir,
    args: ["serve", "--config", config],
    variables: { ADMIN_PORT: "0", LOG_LEVEL: "warn", VICINITY_CONTACT: "trials@example.org" },
  });
  const stay = atExit(() => running.child.kill("SIGKILL"));
  const ready = await waitReady(running, data_dir);
  if (opened) await untilOpened(ready.url);
  return {
    ready,
    pid: ready.pid,
    output: () => `${running.output().out}\n${running.output().err}`,
    close: async () => {
      running.child.kill("SIGKILL");
      await running.ended;
      stay();
    },
  };
}

const WITHIN_MS = 120_000;

/** Bases are read behind the start. */
async function untilOpened(url: string): Promise<void> {
  for (const until = performance.now() + WITHIN_MS; performance.now() < until;) {
    const reply = await fetch(`${url}/tiles/index.json`);
    const text = await reply.text();
    if (reply.ok && /"bases":\s*\[\s*\{/.test(text)) return;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error("no base was opened");
}
