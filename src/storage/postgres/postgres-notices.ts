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
import type { Time } from "#storage/store-time.ts";

/** null: connected, for the first time or again; earlier notices are not known. */
type Listener = (payload: string | null) => void;

/** A connection that is dead without a word (a lost route) is found by asking. */
const PROBE_MS = 5_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 2_000;

/** Names a channel as `pg_notify(TG_TABLE_SCHEMA || '_accounts', …)` of the triggers does. */
function toChannel(mode: StoreMode, name: string): string {
  return `${schemaOf(mode)}_${name}`;
}

type NoticesDeps = {
  time: Time;
  /** A connection is lost or cannot be made. */
  onFault: (error: unknown) => void;
};

/** The notices of one mode. */
export class StoreNotices {
  readonly #driver: Driver;
  readonly #address: StoreAddress;
  readonly #deps: NoticesDeps;
  readonly #listeners = new Map<string, Listener[]>();
  #line: Line | null = null;
  #closed = false;
  #retry_ms = RETRY_FIRST_MS;
  #cancel = (): void => undefined;

  constructor(driver: Driver, address: StoreAddress, deps: NoticesDeps) {
    this.#driver = driver;
    this.#address = address;
    this.#deps = deps;
  }

  /** Adds a listener to a channel of this mode; it must not hold up the others. */
  listen(name: string, listener: Listener): void {
    const channel = toChannel(this.#address.mode, name);
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), listener]);
  }

  /** Connects, and stays so. */
  start(): void {
    const { time, onFault } = this.#deps;
    const report = (listeners: readonly Listener[], payload: string | null): void => {
      for (const listener of listeners) attempt(() => listener(payload), onFault);
    };
    this.#line = new Line(new this.#driver.Client(toClientConfig(this.#driver, this.#address)), {
      time,
      channels: [...this.#listeners.keys()],
      onNotice: (channel, payload) => report(this.#listeners.get(channel) ?? [], payload),
      onOpen: () => {
        this.#retry_ms = RETRY_FIRST_MS;
        report([...this.#listeners.values()].flat(), null);
      },
      onLost: (error) => {
        if (this.#closed) return;
        onFault(error);
        this.#cancel = time.schedule(time.now() + this.#retry_ms, () => this.start());
        this.#retry_ms = Math.min(this.#retry_ms * 2, RETRY_MAX_MS);
      },
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
    this.#line?.close();
  }
}

type LineEvents = {
  time: Time;
  channels: readonly string[];
  onNotice(channel: string, payload: string): void;
  onOpen(): void;
  /** Once, however it came about. */
  onLost(error: unknown): void;
};

/** One connection, until it is lost. */
class Line {
  readonly #client: Client;
  readonly #on: LineEvents;
  #cancel = (): void => undefined;
  #over = false;

  constructor(client: Client, on: LineEvents) {
    this.#client = client;
    this.#on = on;
    const lose = (error: unknown): void => this.#lose(error);
    client.on("notification", ({ channel, payload = "" }) => on.onNotice(channel, payload));
    client.on("error", lose);
    client.on("end", () => lose(new Error("the connection for notices has ended")));
    detach(this.#open(), lose);
  }

  /** Not waited for: a frozen server would never say goodbye. */
  close(): void {
    this.#over = true;
    this.#cancel();
    // Its end changes nothing any more.
    detach(this.#client.end(), () => undefined);
  }

  #lose(error: unknown): void {
    if (this.#over) return;
    this.close();
    this.#on.onLost(error);
  }

  /** false: it was lost. */
  async #tryTo(task: () => Promise<unknown>): Promise<boolean> {
    try {
      await task();
    } catch (error) {
      this.#lose(error);
    }
    return !this.#over;
  }

  #say(text: string): Promise<unknown> {
    const bounded = { text, query_timeout: QUERY_TIMEOUT_MS };
    return this.#client.query(bounded);
  }

  #probeLater(): void {
    const { time } = this.#on;
    this.#cancel = time.schedule(time.now() + PROBE_MS, async () => {
      if (await this.#tryTo(() => this.#say("SELECT 1"))) this.#probeLater();
    });
  }

  async #open(): Promise<void> {
    const begin = async (): Promise<void> => {
      await this.#client.connect();
      // It alone keeps no process alive; the types do not know it.
      (this.#client as Client & { unref(): void }).unref();
      for (const channel of this.#on.channels) await this.#say(`LISTEN ${channel}`);
    };
    if (!(await this.#tryTo(begin))) return;
    this.#on.onOpen();
    this.#probeLater();
  }
}
