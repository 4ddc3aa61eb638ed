/**
 * Notices of what other replicas write (LISTEN), over a separate connection that is made again when
 * it breaks. They make things fast and nothing right: some are lost with every connection, and then
 * listeners receive `null`, so that they look for themselves.
 */
import type { Client } from "pg";
import { attempt, detach } from "#kit/guard.ts";
import {
  type Driver,
  type StoreMode,
  schemaOf,
  type StoreAddress,
  QUERY_TIMEOUT_MS,
  toClientConfig,
} from "./driver.ts";
import type { Time } from "#storage/time.ts";

/** null: connected, for the first time or again; earlier notices are not known. */
type Listener = (payload: string | null) => void;

export type Notices = {
  /** Adds a listener to a channel of this mode; it must not hold up the others. */
  listen(channel: string, listener: Listener): void;
  /** Connects, and stays so. */
  start(): void;
  close(): void;
};

/** A connection that is dead without a word (a lost route) is found by asking. */
const PROBE_MS = 5_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 2_000;

/** Names a channel as `pg_notify(TG_TABLE_SCHEMA || '_accounts', …)` of the triggers does. */
function toChannel(mode: StoreMode, name: string): string {
  return `${schemaOf(mode)}_${name}`;
}

/** Creates the notices of one mode. `onFault`: a connection is lost or cannot be made. */
export function createNotices(
  driver: Driver,
  address: StoreAddress,
  { time, onFault }: { time: Time; onFault: (error: unknown) => void },
): Notices {
  const listeners = new Map<string, Listener[]>();
  let line: Line | null = null;
  let closed = false;
  let retry_ms = RETRY_FIRST_MS;
  let cancel = (): void => undefined;

  const connect = (): void => {
    const opened = openLine(new driver.Client(toClientConfig(driver, address)), {
      time,
      channels: [...listeners.keys()],
      onNotice: (channel, payload) => {
        for (const listener of listeners.get(channel) ?? [])
          attempt(() => listener(payload), onFault);
      },
      onOpen() {
        retry_ms = RETRY_FIRST_MS;
        for (const listener of [...listeners.values()].flat())
          attempt(() => listener(null), onFault);
      },
      onLost(error) {
        if (closed) return;
        onFault(error);
        cancel = time.schedule(time.now() + retry_ms, connect);
        retry_ms = Math.min(retry_ms * 2, RETRY_MAX_MS);
      },
    });
    line = opened;
  };
  return {
    listen(name, listener) {
      const channel = toChannel(address.mode, name);
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    start: connect,
    close() {
      closed = true;
      cancel();
      line?.close();
    },
  };
}

/** One connection, until it is lost. */
type Line = { close(): void };

type LineEvents = {
  time: Time;
  channels: readonly string[];
  onNotice(channel: string, payload: string): void;
  onOpen(): void;
  /** Once, however it came about. */
  onLost(error: unknown): void;
};

function openLine(client: Client, on: LineEvents): Line {
  const { time, channels } = on;
  let cancel = (): void => undefined;
  let over = false;

  /** Not waited for: a frozen server would never say goodbye. */
  const close = (): void => {
    over = true;
    cancel();
    // Its end changes nothing any more.
    detach(client.end(), () => undefined);
  };
  const lose = (error: unknown): void => {
    if (over) return;
    close();
    on.onLost(error);
  };
  /** false: it was lost. */
  const tryTo = async (task: () => Promise<unknown>): Promise<boolean> => {
    try {
      await task();
    } catch (error) {
      lose(error);
    }
    return !over;
  };
  const say = (text: string): Promise<unknown> => {
    const bounded = { text, query_timeout: QUERY_TIMEOUT_MS };
    return client.query(bounded);
  };
  const probeLater = (): void => {
    cancel = time.schedule(time.now() + PROBE_MS, async () => {
      if (await tryTo(() => say("SELECT 1"))) probeLater();
    });
  };
  const begin = async (): Promise<void> => {
    await client.connect();
    // It alone keeps no process alive; the types do not know it.
    (client as Client & { unref(): void }).unref();
    for (const channel of channels) await say(`LISTEN ${channel}`);
  };
  const open = async (): Promise<void> => {
    if (!(await tryTo(begin))) return;
    on.onOpen();
    probeLater();
  };
  client.on("notification", ({ channel, payload = "" }) => on.onNotice(channel, payload));
  client.on("error", lose);
  client.on("end", () => lose(new Error("the connection for notices has ended")));
  detach(open(), lose);
  return { close };
}
