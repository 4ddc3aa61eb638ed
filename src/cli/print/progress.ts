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

function bar(out: Output, verb: string, total: number): Progress {
  const single = new SingleBar({
    stream: out,
    format: `${verb} {bar} {what}{eta_formatted} left`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 32,
    hideCursor: true,
    clearOnComplete: true,
    // Ctrl-C is ours to handle, so that the cursor comes back and the table is still printed.
    gracefulExit: false,
  });
  single.start(total, 0, { what: "" });
  const update = (done: number, of: number, what = `${done} of ${of}`): void => {
    single.setTotal(of);
    single.update(done, { what: `${what}, ` });
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
