/**
 * Notices of the shared store, over a connection of their own. They are hints: some may be lost
 * while the connection is, which is not reported.
 */
import { attempt } from "#kit/guard.ts";
import type { SharedAddress } from "./valkey-address.ts";
import { connect, type Driver } from "./driver.ts";

export type Subscriber = {
  /** Adds a listener to one of the channels it was made for. Returns its removal. */
  listen(channel: string, listener: (message: string) => void): () => void;
  /** Resolves when notices from now on arrive, or after this time. */
  settled(within_ms: number): Promise<void>;
  close(): void;
};

type Listener = (message: string) => void;

/** `onFault`: receives what a listener throws; the others are called all the same. */
export function createSubscriber(
  driver: Driver,
  address: SharedAddress,
  { channels, onFault }: { channels: readonly string[]; onFault: (error: unknown) => void },
): Subscriber {
  const connection = connect(driver, address, { queues: true });
  const listeners = new Map<string, Set<Listener>>(channels.map((channel) => [channel, new Set()]));
  connection.on("message", (channel: string, message: string) => {
    for (const listener of [...(listeners.get(channel) ?? [])])
      attempt(() => listener(message), onFault);
  });
  const { promise: subscribed, resolve } = Promise.withResolvers<void>();
  // Whenever the connection is made again.
  connection.on("ready", () => {
    connection.subscribe(...channels).then(() => resolve(), noop);
  });
  return {
    listen(channel, listener) {
      // The same function may listen twice, and ends each by itself.
      const own_listener: Listener = (message) => listener(message);
      listeners.get(channel)!.add(own_listener);
      return () => {
        listeners.get(channel)!.delete(own_listener);
      };
    },
    async settled(within_ms) {
      const { promise: late, resolve: give } = Promise.withResolvers<void>();
      const timer = setTimeout(give, within_ms);
      await Promise.race([subscribed, late]);
      clearTimeout(timer);
    },
    close: () => connection.disconnect(),
  };
}

function noop(): void {}
