/** A listener of node:http that starts and ends by promises. */
import type { Server } from "node:http";

export type Listener = {
  server: Server;
  /** Rejects when the address cannot be listened at. `shared`: by several, among whom connections are divided. */
  listen(address: { host: string; port: number; shared?: boolean }): Promise<void>;
  /** Takes no more connections, and resolves when the last one is closed. */
  close(): Promise<void>;
};

export function toListener(server: Server): Listener {
  return {
    server,
    listen: ({ host, port, shared = false }) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port, reusePort: shared }, () => {
          server.off("error", reject);
          resolve();
        });
      }),
    // One that does not listen any more, or never did, reports the same by an error.
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
