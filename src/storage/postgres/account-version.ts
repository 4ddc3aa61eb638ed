/**
 * The version of accounts and keys, at hand without a wait: kept by notices, and by asking once a
 * second in case they are lost. So a write of another replica is known within milliseconds, and
 * within `POLL_MS` and the answer's own time when no notice comes. Notices name what was written;
 * where one is missing, anything may have been.
 */
import { detach, guard } from "#kit/guard.ts";
import type { AccountChange } from "#ports.ts";
import type { Pool } from "./pool.ts";
import type { Time } from "#storage/time.ts";
import { unavailable } from "#storage/unavailable.ts";

export type AccountVersion = {
  /** Returns the version. Throws once the store has been silent for `SILENCE_MS`. */
  get(): number;
  isLost(): boolean;
  /** null: the notices do not cover all of it. */
  changesSince(version: number): readonly AccountChange[] | null;
  /** Takes the payload of a notice (migrations.ts); null: ask. */
  onNotice(payload: string | null): void;
  /** Asks now. false: the store did not answer. */
  look(): Promise<boolean>;
  /** Asks every `POLL_MS` from now on. */
  start(): void;
  close(): void;
};

const POLL_MS = 1_000;
const SILENCE_MS = 2_000;
/** Notices that are remembered: no reader looks further back. */
const NAMED_MAX = 1_000;

const ASK = "SELECT version FROM account_version";

/** Follows the version of a store. `onFault` is called once for each silence. */
export function createAccountVersion(
  pool: Pick<Pool, "query">,
  { time, onFault }: { time: Time; onFault: (error: unknown) => void },
): AccountVersion {
  const history = createHistory();
  let contact_ms = Number.NEGATIVE_INFINITY;
  let notices = 0;
  let failing = false;
  let closed = false;
  let cancel = (): void => undefined;

  const isLost = (): boolean => time.now() - contact_ms > SILENCE_MS;

  async function look(): Promise<boolean> {
    const begun = { at_ms: time.now(), notices };
    try {
      const [row] = await pool.query<{ version: number }>(ASK, []);
      // An answer on its way while a notice came may be of before it.
      if (notices === begun.notices) history.note({ version: row!.version, change: null });
    } catch (error) {
      if (!failing && !closed) onFault(error);
      failing = true;
      return false;
    }
    // The answer is true for the moment of the question, not of its arrival.
    contact_ms = Math.max(contact_ms, begun.at_ms);
    failing = false;
    return true;
  }
  const lookSoon = (): void => detach(look(), onFault);
  async function poll(): Promise<void> {
    await guard(look, onFault);
    if (!closed) cancel = time.schedule(time.now() + POLL_MS, poll);
  }
  return {
    isLost,
    look,
    get() {
      const version = history.version();
      if (version === null || isLost()) throw unavailable("the key store is silent");
      return version;
    },
    changesSince: history.since,
    onNotice(payload) {
      if (payload === null) return lookSoon();
      notices += 1;
      const notice = toNotice(payload);
      if (notice === null) return lookSoon();
      history.note(notice);
      contact_ms = time.now();
    },
    start() {
      cancel = time.schedule(time.now() + POLL_MS, poll);
    },
    close() {
      closed = true;
      cancel();
    },
  };
}

type History = {
  /** null: no notice has arrived. */
  version(): number | null;
  note(notice: Notice): void;
  /** null: not all of it is known. */
  since(version: number): readonly AccountChange[] | null;
};

function createHistory(): History {
  let version: number | null = null;
  /** Changes of the last versions, one each, the last one included. */
  let changes: AccountChange[] = [];
  return {
    version: () => version,
    note(notice) {
      if (notice.version === version) return;
      const isNext = version !== null && notice.version === version + 1;
      version = notice.version;
      if (!isNext || notice.change === null) changes = [];
      else if (changes.push(notice.change) > NAMED_MAX) changes.shift();
    },
    since(before) {
      const from = changes.length - ((version ?? Infinity) - before);
      return from >= 0 && from <= changes.length ? changes.slice(from) : null;
    },
  };
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
