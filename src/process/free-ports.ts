/** Whether the addresses of a service are free, before anything else is started. */
import { createServer } from "node:net";

/** `variable`: the one that sets the port; a port of 0 is any that is free. */
export type Wanted = { host: string; port: number; variable: string };

/** Resolves to one line about the first address that cannot be listened on; null: all can be. */
export async function findPortProblem(wanted: readonly Wanted[]): Promise<string | null> {
  for (const address of wanted.filter(({ port }) => port !== 0)) {
    const code = await tryAddress(address);
    if (code !== null) return explainAddress(address, code);
  }
  return null;
}

/** Words for the code of a failed `listen`. */
export function explainAddress({ host, port, variable }: Wanted, code: string): string {
  const at = `port ${port} of ${host}`;
  if (code === "EADDRINUSE")
    return `${at} is in use by another program; set ${variable} to another port, or to 0 for any that is free`;
  if (code === "EACCES")
    return `${at} may not be used by this user; set ${variable} to a port above 1023`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${host} is no address of this machine; set the host that ${variable} belongs to`;
  return `${at} cannot be listened on: ${code}`;
}

/** Listens and closes again; the code of what went wrong, null: nothing did. */
function tryAddress({ host, port }: Wanted): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const server = createServer();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host: host === "localhost" ? "127.0.0.1" : host, port }, () =>
    server.close(() => resolve(null)),
  );
  return promise;
}
