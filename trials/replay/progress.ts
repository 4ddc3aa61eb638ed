/** Shows that something is going on: a bar on a terminal, nothing in a pipe. */
import { Presets, SingleBar } from "cli-progress";

export type Progress = { step(what: string): void; stop(): void };

/** `total` unknown: the bar counts. */
export function showProgress(stream: NodeJS.WriteStream, total = 0): Progress {
  if (!stream.isTTY) return { step: () => undefined, stop: () => undefined };
  const format = total > 0 ? " {bar} {value}/{total} {what}" : " {value} sets {what}";
  const bar = new SingleBar({ format, stream, clearOnComplete: true }, Presets.shades_classic);
  bar.start(total, 0, { what: "" });
  return {
    step: (what) => bar.increment(1, { what }),
    stop: () => bar.stop(),
  };
}
