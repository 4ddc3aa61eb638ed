/** Progress of something long: a bar on a terminal, elsewhere one line per step. */
import { SingleBar } from "cli-progress";
import type { Output } from "#cli/io.ts";
import { age } from "#cli/print/print-words.ts";

export type Progress = {
  /** `what`: what has been done so far, in words. */
  update(done: number, total: number, what?: string, more?: MoreOfProgress): void;
  finish(done: number, total: number): void;
  /** It is over before its end. */
  stop(): void;
};

/** What is done now, where that changes; and what is left, where it is known better than by the pace. */
type MoreOfProgress = { verb?: string; left_ms?: number | null };

export function startProgress(out: Output, verb: string, total: number): Progress {
  return out.isTTY ? bar(out, verb, total) : lines(out, verb);
}

const BAR_SIZE = 32;
type Payload = MoreOfProgress & { what: string };

function bar(out: Output, verb: string, total: number): Progress {
  const single = new SingleBar({
    stream: out,
    format: ({ barCompleteString, barIncompleteString }, at, payload: Partial<Payload>) => {
      const { what, left_ms } = payload;
      const full = Math.round(at.progress * BAR_SIZE);
      const filled = `${barCompleteString?.slice(0, full)}${barIncompleteString?.slice(full, BAR_SIZE)}`;
      const paced_s = at.value > 0 && Number.isFinite(at.eta) ? at.eta : null;
      const left = sayLeft(left_ms === undefined ? paced_s : left_ms && left_ms / 1000);
      return `${payload.verb ?? verb} ${filled} ${what ?? `${at.value} of ${at.total}`}${left}`;
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
  const update: Progress["update"] = (done, of, what, more) => {
    single.setTotal(of);
    single.update(done, { what, ...more });
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

/** `, 4 min left`; nothing where it is not known. */
export function sayLeft(seconds: number | null): string {
  return seconds === null ? "" : `, ${age(Math.ceil(seconds))} left`;
}

function lines(out: Output, verb: string): Progress {
  let last = -1;
  const update = (done: number, total: number): void => {
    if (done !== last) out.write(`${verb} ${done} of ${total}\n`);
    last = done;
  };
  return { update, finish: update, stop: () => undefined };
}
