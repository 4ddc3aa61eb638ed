/** Opens listeners at their addresses: all of them, or none. */
import type { AddressInfo } from "node:net";
import type { Listener } from "./listener.ts";

export type Place = {
  listener: Pick<Listener, "listen" | "close" | "server">;
  host: string;
  port: number;
  /** Other threads of this process listen there as well; absent: no one else may. */
  shared?: boolean;
};

/** Resolves with the URLs by which this machine reaches them; a problem is one line. */
export async function bind(
  places: readonly Place[],
): Promise<{ urls: string[] } | { problem: string }> {
  const bound = await Promise.allSettled(
    places.map(({ listener, host, port, shared = false }) =>
      listener.listen({ host: toBindable(host), port, shared }),
    ),
  );
  const failed = bound.find((each) => each.status === "rejected");
  if (failed === undefined) return { urls: places.map(addressOf) };
  // Whatever listens would keep the process alive, and its folder locked.
  await Promise.all(places.map(({ listener }) => listener.close()));
  const reason: unknown = failed.reason;
  return { problem: reason instanceof Error ? reason.message : String(reason) };
}

/** `localhost` may name either address family, or one that this machine lacks. */
function toBindable(host: string): string {
  return host === "localhost" ? "127.0.0.1" : host;
}

function addressOf({ listener, host }: Place): string {
  const { port } = listener.server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
