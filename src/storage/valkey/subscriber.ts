/**
 * Notices of the shared store, over a connection of their own. They are hints: some may be lost
 * while the connection is, and nobody is told of it.
 */
import type { SharedAddress } from "./address.ts";
import { connect, type Driver } from "./driver.ts";

export type Subscriber = {
  /** One of the channels it was made for. Returns its end. */
  listen(channel: string, heard: (message: string) => void): () => void;
  /** Resolves when what is told from now on arrives, or after this time. */
  settled(within_ms: number): Promise<void>;
  close(): void;
};

type Heard = (message: string) => void;

export function createSubscriber(
  driver: Driver,
  address: SharedAddress,
  channels: readonly string[],
): Subscriber {
  const connection = connect(driver, address, { queues: true });
  const listeners = new Map<string, Set<Heard>>(channels.map((channel) => [channel, new Set()]));
  connection.on("message", (channel: string, message: string) => {
    for (const heard of [...(listeners.get(channel) ?? [])]) heard(message);
  });
  const { promise: subscribed, resolve } = Promise.withResolvers<void>();
  // Whenever it is made anew.
  connection.on("ready", () => void connection.subscribe(...channels).then(() => resolve(), noop));
  return {
    listen(channel, heard) {
      // The same function may listen twice, and ends each by itself.
      const own: Heard = (message) => heard(message);
      listeners.get(channel)!.add(own);
      return () => void listeners.get(channel)!.delete(own);
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
