/**
 * Another implementation of opening hours, as a judge: the package `opening_hours` in a process of its
 * own, whose time zone is that of the place. It searches for seconds in some values: such a process
 * is ended, and a new one started.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HoursPlace } from "#hours/index.ts";

export type Verdict = "open" | "closed" | "unknown";
export type Question = {
  value: string;
  place: HoursPlace & { state?: string };
  times_ms: number[];
};
/** `error`: it cannot read the value; null: it cannot evaluate this moment. */
export type Reply = { states: (Verdict | null)[] } | { error: string };

export type Judge = {
  /** Resolves to null where it takes too long. */
  ask: (question: Question) => Promise<Reply | null>;
  close: () => Promise<void>;
};

const CHILD = fileURLToPath(new URL("../judges/hours.ts", import.meta.url));

export function createJudge(time_zone: string, most_ms: number): Judge {
  let child: ChildProcess | null = null;
  const start = (): ChildProcess =>
    fork(CHILD, {
      env: { ...process.env, TZ: time_zone },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  const end = async (): Promise<void> => {
    if (!child) return;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    child = null;
    await closed;
  };
  return {
    async ask(question) {
      child ??= start();
      const request = child;
      const waiting = new AbortController();
      const timer = setTimeout(() => waiting.abort(), most_ms);
      request.send(question);
      try {
        const [reply] = (await once(request, "message", { signal: waiting.signal })) as [Reply];
        return reply;
      } catch {
        await end();
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
    close: end,
  };
}
