/** The thread that writes the ledger (ledger.ts sends the messages). */
import { openDatabase } from "#storage/embedded/database.ts";
import { createLedgerWriter } from "#storage/embedded/ledger-statements.ts";
import { serveMessages } from "#storage/embedded/worker.ts";
import type { EventsText, PeriodRow } from "#storage/usage/usage-ledger.ts";

export type LedgerMessage =
  | { kind: "apply"; events: EventsText }
  | { kind: "forget"; before_ms: number; after_id: string };

export type LedgerReply =
  /** `totals`: what the accounts of these events have used by now. */
  | { kind: "applied"; totals: readonly PeriodRow[] }
  /** `next_id`: to continue from; null: that was all. */
  | { kind: "forgotten"; next_id: string | null };

serveMessages<LedgerMessage, LedgerReply>((path) => {
  const database = openDatabase(path);
  const writer = createLedgerWriter(database);
  return {
    handle: (message) =>
      message.kind === "apply"
        ? { kind: "applied", totals: writer.apply(message.events) }
        : { kind: "forgotten", next_id: writer.forgetSome(message.before_ms, message.after_id) },
    close: () => database.close(),
  };
});
