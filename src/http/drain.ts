/**
 * Going away without losing a request: readiness off, keep serving with `Connection: close` while
 * the load balancer notices, then close and wait for what is in flight.
 */

export type DrainState = { phase: "serving" | "draining" | "closed" };

export function createDrainState(): DrainState {
  return { phase: "serving" };
}

export type DrainOptions = {
  /** How long to keep serving after readiness went off. */
  delay_ms: number;
  /** How long to wait for requests in flight. */
  timeout_ms: number;
  sleep(ms: number): Promise<void>;
};

type Closable = { close(): PromiseLike<unknown>; server: { closeAllConnections(): void } };

/** Resolves when the servers are closed; what is still in flight after `timeout_ms` is cut. */
export async function drain(
  state: DrainState,
  servers: readonly Closable[],
  options: DrainOptions,
): Promise<void> {
  state.phase = "draining";
  await options.sleep(options.delay_ms);
  state.phase = "closed";
  const closed = Promise.all(servers.map((server) => server.close()));
  const late = await Promise.race([
    closed.then(() => false),
    options.sleep(options.timeout_ms).then(() => true),
  ]);
  if (late) for (const { server } of servers) server.closeAllConnections();
  await closed;
}
