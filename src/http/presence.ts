/** Detection of callers that disconnect, so that their requests to sources can be aborted. */
import type { Exchange } from "./http-exchange.ts";

/** Aborts when the caller leaves before it was answered. */
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
