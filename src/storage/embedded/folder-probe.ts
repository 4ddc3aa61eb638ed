/**
 * Looks whether the data folder can be written: now and then by its permissions, and while writes
 * fail by a write, since a store without traffic would be away for ever.
 */
import { accessSync, constants } from "node:fs";
import { attempt } from "#kit/guard.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import type { Failing, StoreHealth } from "#storage/store-health.ts";
import { folderFailure } from "#storage/store-reasons.ts";
import type { Time } from "#storage/store-time.ts";

const LOOK_MS = 15_000;
const AWAY_LOOK_MS = 5_000;
const BUSY_MS = 20;
/** Parts that write on request only. */
const ON_REQUEST = ["accounts", "journal"] as const;

export type FolderProbeDeps = {
  folder: string;
  database: DatabaseSync;
  health: Pick<StoreHealth, "fail" | "succeed" | "isUp">;
  time: Time;
};

export class FolderProbe {
  readonly #deps: FolderProbeDeps;
  #cancel: () => void = () => undefined;

  constructor(deps: FolderProbeDeps) {
    this.#deps = deps;
    this.#wait();
  }

  close(): void {
    this.#cancel();
  }

  #wait(): void {
    const { time, health } = this.#deps;
    const wait_ms = health.isUp() ? LOOK_MS : AWAY_LOOK_MS;
    this.#cancel = time.schedule(time.now() + wait_ms, () => {
      this.#wait();
      this.#look();
    });
  }

  #look(): void {
    const { folder, health } = this.#deps;
    const failing = failureOf(() => accessSync(folder, constants.W_OK));
    if (failing) return health.fail("folder", failing);
    health.succeed("folder");
    if (health.isUp()) return;
    const refused = failureOf(() => this.#write());
    if (refused) return health.fail("accounts", refused);
    for (const part of ON_REQUEST) health.succeed(part);
  }

  /** Writes the number of the schema once more: a page, which reaches the disk. */
  #write(): void {
    const { database } = this.#deps;
    const numberOf = (pragma: string): number =>
      Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    const waits_ms = numberOf("busy_timeout");
    // Requests are served by this thread: it does not wait for another writer.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    try {
      database.exec(`PRAGMA user_version = ${numberOf("user_version")}`);
    } finally {
      database.exec(`PRAGMA busy_timeout = ${waits_ms}`);
    }
  }
}

/** null: it was done. */
function failureOf(task: () => void): Failing | null {
  return attempt(
    (): Failing | null => {
      task();
      return null;
    },
    (error) => folderFailure(error) ?? { reason: "broken", detail: String(error) },
  );
}
