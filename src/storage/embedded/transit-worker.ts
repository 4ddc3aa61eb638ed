/** The thread that packs, stores and reads timetables (transit.ts sends the messages). */
import type { TransitOrigin } from "#ports/transit.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { createTransitStore } from "#storage/embedded/transit-store.ts";
import { serveMessages } from "#storage/embedded/worker.ts";

export type TransitMessage =
  | { kind: "put"; feed_id: string; pack: Uint8Array; origin: TransitOrigin }
  | { kind: "read"; feed_id: string };

export type TransitReply =
  | { kind: "put" }
  /** null: there is none. */
  | { kind: "read"; pack: Uint8Array | null };

serveMessages<TransitMessage, TransitReply>((path) => {
  const database = openDatabase(path);
  const store = createTransitStore(database);
  return {
    handle(message) {
      if (message.kind === "read") return { kind: "read", pack: store.readFeed(message.feed_id) };
      store.putFeed(message.feed_id, message.pack, message.origin);
      return { kind: "put" };
    },
    close: () => database.close(),
  };
});
