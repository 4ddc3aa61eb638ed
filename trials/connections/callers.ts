/**
 * Honest callers: a fixed rate of questions, whatever becomes of them, from a hundred addresses of a
 * hundred blocks. Each keeps a connection; every fourth question comes on a new one, as from
 * a caller that was not there before.
 */
import { Agent, get } from "node:http";

const ADDRESSES = 100;
const FRESH_EVERY = 4;
const IN_TIME_MS = 1_000;
const GIVEN_UP_MS = 5_000;

export type Measured = {
  sent: number;
  /** Answered 200 within a second. */
  good: number;
  p50_ms: number;
  p99_ms: number;
  /** What became of the others → how many. */
  bad: Record<string, number>;
};

export function startCallers({ port, rate }: { port: number; rate: number }) {
  const agents = Array.from({ length: ADDRESSES }, () => new Agent({ keepAlive: true }));
  const open = new Set<Promise<void>>();
  const times_ms: number[] = [];
  const seen = { sent: 0, good: 0, bad: {} as Record<string, number> };
  const begun_ms = performance.now();

  const ask = async (number: number): Promise<void> => {
    const at = number % ADDRESSES;
    const fresh = Math.floor(number / ADDRESSES) % FRESH_EVERY === 0;
    const started_ms = performance.now();
    const outcome = await question({
      port,
      number,
      localAddress: `127.${100 + at}.0.1`,
      agent: fresh ? false : agents[at]!,
    });
    const took_ms = performance.now() - started_ms;
    times_ms.push(took_ms);
    const name = outcome === "200" && took_ms > IN_TIME_MS ? "late" : outcome;
    if (name === "200") seen.good++;
    else seen.bad[name] = (seen.bad[name] ?? 0) + 1;
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun_ms) / 1_000) * rate);
    for (; seen.sent < due; seen.sent++) {
      const one = ask(seen.sent).finally(() => open.delete(one));
      open.add(one);
    }
  }, 5);
  return {
    async stop(): Promise<Measured> {
      clearInterval(timer);
      await Promise.all(open);
      for (const agent of agents) agent.destroy();
      times_ms.sort((a, b) => a - b);
      const at = (share: number): number => times_ms[Math.floor(times_ms.length * share)] ?? NaN;
      return { ...seen, p50_ms: at(0.5), p99_ms: at(0.99) };
    },
  };
}

type Question = { port: number; number: number; localAddress: string; agent: Agent | false };

/** The status, or why there is none. */
function question({ number, ...options }: Question): Promise<string> {
  const path = `/v1/nearby?lat=${48.85 + (number % 300) / 1e5}&lon=2.35&limit=5`;
  return new Promise((resolve) => {
    const timeout = GIVEN_UP_MS;
    const request = get({ ...options, path, timeout, host: "127.0.0.1" }, (reply) => {
      reply.resume();
      reply.once("end", () => resolve(String(reply.statusCode)));
      reply.once("error", () => resolve("cut"));
    });
    request.once("timeout", () => request.destroy(new Error("no answer")));
    request.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
