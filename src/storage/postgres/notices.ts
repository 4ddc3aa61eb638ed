/**
 * What other replicas write, as PostgreSQL tells it (LISTEN), over a connection of its own that is
 * made again when it breaks. Notices make things fast and nothing right: some are lost with every
 * connection, and then `null` is heard, so whoever listens looks for itself.
 */
import type { Client } from "pg";
import { type Driver, type Mode, schemaOf, type StoreAddress, toClientConfig } from "./driver.ts";
import type { Time } from "./time.ts";

/** null: connected, for the first time or anew; what was told before is not known. */
export type Heard = (payload: string | null) => void;

export type Notices = {
  /** Of a channel of this mode; what another listener hears is not held up. */
  listen(channel: string, heard: Heard): void;
  /** Connects, and stays so. */
  start(): void;
  close(): void;
};

/** A connection that is dead without a word (a lost route) is found by asking. */
const PROBE_MS = 5_000;
const PROBE_TIMEOUT_MS = 2_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 2_000;

/** As `pg_notify(TG_TABLE_SCHEMA || '_accounts', …)` of the triggers names them. */
function toChannel(mode: Mode, name: string): string {
  return `${schemaOf(mode)}_${name}`;
}

/** `onFault` hears of each connection that is lost or cannot be made. */
export function createNotices(
  driver: Driver,
  address: StoreAddress,
  { time, onFault }: { time: Time; onFault: (error: unknown) => void },
): Notices {
  const listeners = new Map<string, Heard[]>();
  let current: Client | null = null;
  let closed = false;
  let retry_ms = RETRY_FIRST_MS;
  let cancel = (): void => undefined;

  const later = (after_ms: number, task: () => Promise<void>): void => {
    cancel();
    if (!closed) cancel = time.schedule(time.now() + after_ms, task);
  };

  async function connect(): Promise<void> {
    const client = new driver.Client(toClientConfig(driver, address));
    current = client;
    client.on("notification", ({ channel, payload = "" }) => {
      for (const heard of listeners.get(channel) ?? []) heard(payload);
    });
    client.on("error", (error) => lose(client, error));
    client.on("end", () => lose(client, new Error("the connection for notices has ended")));
    try {
      await client.connect();
      // It alone keeps no process alive; the types do not know it.
      (client as Client & { unref(): void }).unref();
      for (const channel of listeners.keys()) await client.query(`LISTEN ${channel}`);
    } catch (error) {
      return lose(client, error);
    }
    if (current !== client) return;
    retry_ms = RETRY_FIRST_MS;
    for (const heard of [...listeners.values()].flat()) heard(null);
    later(PROBE_MS, () => probe(client));
  }

  async function probe(client: Client): Promise<void> {
    const asked = { text: "SELECT 1", query_timeout: PROBE_TIMEOUT_MS };
    try {
      await client.query(asked);
    } catch (error) {
      return lose(client, error);
    }
    if (current === client) later(PROBE_MS, () => probe(client));
  }

  function lose(client: Client, error: unknown): void {
    if (current !== client) return;
    current = null;
    void client.end();
    if (closed) return;
    onFault(error);
    later(retry_ms, connect);
    retry_ms = Math.min(retry_ms * 2, RETRY_MAX_MS);
  }

  return {
    listen(name, heard) {
      const channel = toChannel(address.mode, name);
      listeners.set(channel, [...(listeners.get(channel) ?? []), heard]);
    },
    start: () => void connect(),
    close() {
      closed = true;
      cancel();
      const client = current;
      current = null;
      // Not waited for: a frozen server would never say goodbye.
      void client?.end();
    },
  };
}
