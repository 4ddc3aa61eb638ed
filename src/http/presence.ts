/** Whether the caller is still there: what nobody waits for is not asked for any longer. */
import type { Exchange } from "./exchange.ts";

/** Aborts when the caller leaves before he was answered. */
export function watch({ reply }: Pick<Exchange, "reply">): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  if (reply.raw.destroyed) leave();
  else reply.raw.once("close", leave);
  return { signal: controller.signal, end: () => reply.raw.off("close", leave) };
}
