/** A response whose frames are made one at a time, each when the caller has taken the one before. */
import type { ServerResponse } from "node:http";

/**
 * Writes the frames and ends the response. `over`: from then on nothing waits for the caller, and a
 * connection that has not taken what was sent is cut, so that no shutdown waits for it.
 */
export async function sendStream(
  response: ServerResponse,
  frames: AsyncIterable<string>,
  over: AbortSignal,
): Promise<void> {
  const cut = (): void => {
    if (!response.writableFinished && response.writableLength > 0) response.destroy();
  };
  // In a turn of its own: what a caller that reads has been sent is with the kernel by then.
  const onOver = (): void => {
    setImmediate(cut);
  };
  if (over.aborted) onOver();
  else over.addEventListener("abort", onOver, { once: true });
  for await (const frame of frames) {
    if (response.destroyed) break;
    if (!response.write(frame)) await untilTaken(response);
  }
  if (!response.destroyed) response.end();
}

/** Resolves when the caller has taken what was written, or has left. */
function untilTaken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}
