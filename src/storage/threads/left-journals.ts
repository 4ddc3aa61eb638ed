/** Usage that threads of an earlier process have left in their journals (thread-storage.ts). */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { timeOf } from "#storage/store-time.ts";
import type { NoteFault } from "#kit/guard.ts";
import { journalFilesOf, listJournalThreads, openJournal } from "#storage/usage/journal.ts";
import type { Ledger } from "#storage/usage/usage-ledger.ts";
import { createUsageWriter } from "#storage/usage/writer.ts";

/** Moves it to the ledger, and removes the files. What the ledger does not take stays for the next start. */
export async function moveLeftJournals(
  folder: string,
  ledger: Ledger,
  onDefect: NoteFault,
): Promise<void> {
  for (const thread of listJournalThreads(folder)) {
    if (thread === 0) continue;
    const time = timeOf(onDefect);
    const onFault = (error: unknown): void => onDefect("journal of a thread", error);
    const journal = openJournal(folder, { time, onFault, onDefect }, thread);
    const closing: Ledger = { ...ledger, close: () => Promise.resolve() };
    const usage = createUsageWriter({ journal, ledger: closing, time });
    await usage.start();
    const isMoved = usage.depth() === 0;
    await usage.close();
    if (isMoved) for (const name of journalFilesOf(thread)) rmSync(join(folder, name));
  }
}
