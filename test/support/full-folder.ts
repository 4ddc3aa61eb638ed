/** The stores of a data folder on a disk that becomes full: what they report, refuse and keep. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newAccount } from "#core/keys/issue.ts";
import type { UsageEvent } from "#ports.ts";
import type { HealthEvent } from "#storage/store-health.ts";
import { openStorage } from "#storage/open-storage.ts";

export type FullFolderStory = {
  events: HealthEvent[];
  /** Free space before and while the disk is full, and that below which no dataset is stored. */
  free: [before: number, full: number];
  floor: number;
  /** `code reason` of an account that the disk did not take. */
  account: string;
  /** Events that were taken while it was full, and the share of the journal that they filled. */
  taken: number;
  filled: number;
  /** Whether the age of the oldest event was known meanwhile. */
  isOld: boolean;
  /** After there is room again: the events that the ledger does not have, and units that it counts. */
  left: number;
  units: number;
};

const AT_MS = Date.UTC(2026, 10, 27, 9);
const GIVE_UP_MS = 90_000;

async function play(data_dir: string): Promise<FullFolderStory> {
  const events: HealthEvent[] = [];
  const storage = openStorage(
    { data_dir, mode: "live" },
    {
      onHealth: (event) => void events.push(event),
      warn: () => undefined,
      onDefect: (_, error) => {
        throw error;
      },
      say: () => undefined,
      onMigrated: () => undefined,
    },
  );
  if ("problem" in storage) throw new Error(storage.problem);
  const { usage, accounts } = storage;
  let count = 0;
  const record = (): boolean => usage.record([toEvent(count)]) && ++count > 0;
  record();
  const before = storage.space();
  await until(() => usage.depth() === 0);
  const fill = join(data_dir, "live", "fill");
  fillDisk(fill);
  const full = storage.space();
  let account = "";
  for (let i = 0; i < 5_000 && account === ""; i++)
    try {
      accounts.createAccount(newAccount({ name: `${i}`, plan: "free" }, ISSUE(i)));
    } catch (error) {
      const { code, reason } = error as { code?: string; reason?: string };
      account = `${code} ${reason}`;
    }
  const taken_before = count;
  // Half of it while the ledger tries: what it takes is in the log that it has already.
  for (let i = 0; i < 50_000 && record(); i++) if (i % 500 === 0) await pause(20);
  const { used, free } = usage.room();
  const isOld = usage.oldestAt_ms() !== null;
  const taken = count - taken_before;
  rmSync(fill);
  await until(() => storage.health.every((each) => each.isUp()) && usage.depth() === 0);
  const story = {
    events,
    free: [before.free, full.free] as [number, number],
    floor: full.floor,
    account,
    taken,
    filled: used / (used + free),
    isOld,
    left: usage.depth(),
    units: usage.unitsOf("acc", "2026-11") - count,
  };
  await usage.close();
  await storage.datasets.close();
  await storage.transit.close();
  storage.close();
  return story;
}

const ISSUE = (i: number) => ({
  now_ms: AT_MS,
  prefix: "svc_live_" as const,
  draw: (size: number) => Buffer.alloc(size, `${i}`),
});

function toEvent(i: number): UsageEvent {
  const whose = { account_id: "acc", key_id: "key", operation: "getNearby" };
  return { event_id: `event ${i}`, ...whose, units: 1, at_ms: AT_MS };
}

function fillDisk(path: string): void {
  const file = openSync(path, "w");
  for (const size of [65_536, 4_096])
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  closeSync(file);
}

async function until(holds: () => boolean): Promise<void> {
  for (const until_ms = performance.now() + GIVE_UP_MS; !holds();) {
    if (performance.now() > until_ms) throw new Error("not in time");
    await pause(50);
  }
}

process.stdout.write(JSON.stringify(await play(process.argv[2]!)));
