/** Progress of something long: a bar on a terminal, elsewhere one line per step. */
import { SingleBar } from "cli-progress";
import type { Output } from "#cli/io.ts";

export type Progress = {
  /** `what`: what has been done so far, in words. */
  update(done: number, total: number, what?: string): void;
  finish(done: number, total: number): void;
  /** It is over before its end. */
  stop(): void;
};

export function startProgress(out: Output, verb: string, total: number): Progress {
  return out.isTTY ? bar(out, verb, total) : lines(out, verb);
}

const BAR_SIZE = 32;
type Payload = { what: string };

function bar(out: Output, verb: string, total: number): Progress {
  const single = new SingleBar({
    stream: out,
    format: ({ barCompleteString, barIncompleteString }, at, { what }: Partial<Payload>) => {
      const full = Math.round(at.progress * BAR_SIZE);
      const filled = `${barCompleteString?.slice(0, full)}${barIncompleteString?.slice(full, BAR_SIZE)}`;
      const left = at.value > 0 && Number.isFinite(at.eta) ? `, ${at.eta} s left` : "";
      return `${verb} ${filled} ${what ?? `${at.value} of ${at.total}`}${left}`;
    },
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: BAR_SIZE,
    hideCursor: true,
    clearOnComplete: true,
    // Ctrl-C is ours to handle, so that the cursor comes back and the table is still printed.
    gracefulExit: false,
  });
  single.start(total, 0);
  const update = (done: number, of: number, what?: string): void => {
    single.setTotal(of);
    single.update(done, { what });
  };
  return {
    update,
    finish: (done, of) => {
      update(done, of);
      single.stop();
    },
    stop: () => single.stop(),
  };
}

function lines(out: Output, verb: string): Progress {
  let last = -1;
  const update = (done: number, total: number): void => {
    if (done !== last) out.write(`${verb} ${done} of ${total}\n`);
    last = done;
  };
  return { update, finish: update, stop: () => undefined };
}
