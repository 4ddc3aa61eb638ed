/** Whether the caller is still there: what nobody waits for is not asked for any longer. */
import type { Exchange } from "./exchange.ts";

/** Aborts when the caller leaves before he was answered. */
export function watch({ response }: Pick<Exchange, "response">): {
  signal: AbortSignal;
  end(): void;
} {
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  if (response.destroyed) leave();
  else response.once("close", leave);
  return { signal: controller.signal, end: () => response.off("close", leave) };
}
