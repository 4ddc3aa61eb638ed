/**
 * The version of accounts and keys, at hand without a wait: kept by notices, and by asking once a
 * second in case they are lost. So a write of another replica is known within milliseconds, and
 * within `POLL_MS` and the answer's own time when no notice comes. Notices name what was written;
 * where one is missing, anything may have been.
 */
import { detach, guard } from "#kit/guard.ts";
import type { AccountChange } from "#ports.ts";
import type { Pool } from "./pool.ts";
import type { Time } from "#storage/store-time.ts";
import { unavailable } from "#storage/unavailable.ts";

const POLL_MS = 1_000;
const SILENCE_MS = 2_000;
/** Notices that are remembered: no reader looks further back. */
const NAMED_MAX = 1_000;

const ASK = "SELECT version FROM account_version";

/** Follows the version of a store. `onFault` is called once for each silence. */
export class AccountVersion {
  readonly #pool: Pick<Pool, "query">;
  readonly #time: Time;
  readonly #onFault: (error: unknown) => void;
  readonly #history = new History();
  #contact_ms = Number.NEGATIVE_INFINITY;
  #notices = 0;
  #failing = false;
  #closed = false;
  #cancel = (): void => undefined;

  constructor(
    pool: Pick<Pool, "query">,
    { time, onFault }: { time: Time; onFault: (error: unknown) => void },
  ) {
    this.#pool = pool;
    this.#time = time;
    this.#onFault = onFault;
  }

  /** Returns the version. Throws once the store has been silent for `SILENCE_MS`. */
  get(): number {
    const { version } = this.#history;
    if (version === null || this.isLost()) throw unavailable("the key store is silent");
    return version;
  }

  isLost(): boolean {
    return this.#time.now() - this.#contact_ms > SILENCE_MS;
  }

  /** null: the notices do not cover all of it. */
  changesSince(version: number): readonly AccountChange[] | null {
    return this.#history.since(version);
  }

  /** Takes the payload of a notice (migrations.ts); null: ask. */
  onNotice(payload: string | null): void {
    if (payload !== null) this.#notices += 1;
    const notice = payload === null ? null : toNotice(payload);
    if (notice === null) return detach(this.look(), this.#onFault);
    this.#history.note(notice);
    this.#contact_ms = this.#time.now();
  }

  /** Asks now. false: the store did not answer. */
  async look(): Promise<boolean> {
    const begun = { at_ms: this.#time.now(), notices: this.#notices };
    try {
      const [row] = await this.#pool.query<{ version: number }>(ASK, []);
      // An answer on its way while a notice came may be of before it.
      if (this.#notices === begun.notices)
        this.#history.note({ version: row!.version, change: null });
    } catch (error) {
      if (!this.#failing && !this.#closed) this.#onFault(error);
      this.#failing = true;
      return false;
    }
    // The answer is true for the moment of the question, not of its arrival.
    this.#contact_ms = Math.max(this.#contact_ms, begun.at_ms);
    this.#failing = false;
    return true;
  }

  /** Asks every `POLL_MS` from now on. */
  start(): void {
    const poll = async (): Promise<void> => {
      await guard(() => this.look(), this.#onFault);
      if (!this.#closed) this.start();
    };
    this.#cancel = this.#time.schedule(this.#time.now() + POLL_MS, poll);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }
}

class History {
  /** null: no notice has arrived. */
  version: number | null = null;
  /** Changes of the last versions, one each, the last one included. */
  #changes: AccountChange[] = [];

  note({ version, change }: Notice): void {
    if (version === this.version) return;
    const isNext = this.version !== null && version === this.version + 1;
    this.version = version;
    if (!isNext || change === null) this.#changes = [];
    else if (this.#changes.push(change) > NAMED_MAX) this.#changes.shift();
  }

  /** null: not all of it is known. */
  since(before: number): readonly AccountChange[] | null {
    const from = this.#changes.length - ((this.version ?? Infinity) - before);
    return from >= 0 && from <= this.#changes.length ? this.#changes.slice(from) : null;
  }
}

/** `change`: from the version before this one; null: unknown. */
type Notice = { version: number; change: AccountChange | null };

/** Reads what the triggers send (migrations.ts). null: in no form that is known. */
function toNotice(payload: string): Notice | null {
  const [, version, kind, name] = /^(\d+)(?: (.)(.+))?$/s.exec(payload) ?? [];
  if (version === undefined) return null;
  return { version: Number(version), change: toChange(kind, name!) };
}

function toChange(kind: string | undefined, name: string): AccountChange | null {
  if (kind === "a") return { what: "account", id: name };
  return kind === "k" ? { what: "key", hash: Buffer.from(name, "hex") } : null;
}
