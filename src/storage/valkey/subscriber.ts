/**
 * Notices of the shared store, over a connection of their own. They are hints: some may be lost
 * while the connection is, and nobody is told of it.
 */
import type { SharedAddress } from "./address.ts";
import { connect, type Driver } from "./driver.ts";

export type Subscriber = {
  /** Returns its end. */
  listen(channel: string, heard: (message: string) => void): () => void;
  /** Resolves when everything listened to so far arrives, or after this time. */
  settled(within_ms: number): Promise<void>;
  close(): void;
};

type Heard = (message: string) => void;

export function createSubscriber(driver: Driver, address: SharedAddress): Subscriber {
  const connection = connect(driver, address, { queues: true });
  const channels = new Map<string, { listeners: Set<Heard>; subscribed: Promise<unknown> }>();
  connection.on("message", (channel: string, message: string) => {
    for (const heard of [...(channels.get(channel)?.listeners ?? [])]) heard(message);
  });
  const subscribe = (channel: string) => {
    // Refused or cut while it was asked for: the connection asks again when it is made anew.
    const subscribed = connection.subscribe(channel).then(noop, noop);
    const entry = { listeners: new Set<Heard>(), subscribed };
    channels.set(channel, entry);
    return entry;
  };
  return {
    listen(channel, heard) {
      const { listeners } = channels.get(channel) ?? subscribe(channel);
      // The same function may listen twice, and ends each by itself.
      const own: Heard = (message) => heard(message);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    async settled(within_ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, within_ms);
      const all = Promise.all([...channels.values()].map(({ subscribed }) => subscribed));
      await Promise.race([all, promise]);
      clearTimeout(timer);
    },
    close: () => connection.disconnect(),
  };
}

function noop(): void {}
