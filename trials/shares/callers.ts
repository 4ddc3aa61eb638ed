/** Callers that take all that their addresses are allowed, each as eight at once, and wait when they are asked to. */
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Question } from "./questions.ts";

const AT_ONCE = 8;
const TIMEOUT_MS = 30_000;

export type Tally = Map<string, number>;

export type Callers = { stop(): Promise<Tally> };

export function startCallers(
  port: number,
  addresses: readonly string[],
  next: (address: string) => Question,
): Callers {
  const statuses: Tally = new Map();
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  const loops = addresses.flatMap((localAddress) => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, localAddress });
    const one = async (): Promise<void> => {
      while (!isOver()) {
        const { status, retry_s } = await ask({ port, agent, ...next(localAddress) });
        statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
        if (retry_s !== null) await waitUnless(isOver, retry_s);
      }
    };
    return [...Array.from({ length: AT_ONCE }, one), untilOver(isOver, agent)];
  });
  return {
    async stop() {
      over.abort();
      await Promise.all(loops);
      return statuses;
    },
  };
}

async function untilOver(isOver: () => boolean, agent: Agent): Promise<void> {
  while (!isOver()) await setTimeout(100);
  agent.destroy();
}

async function waitUnless(isOver: () => boolean, seconds: number): Promise<void> {
  const until_ms = performance.now() + seconds * 1_000;
  while (!isOver() && performance.now() < until_ms)
    await setTimeout(Math.max(1, Math.min(100, until_ms - performance.now())));
}

type Reply = { status: number | "failed"; retry_s: number | null };

export function ask({
  port,
  agent,
  path,
  body,
  headers = {},
}: Question & { port: number; agent: Agent }): Promise<Reply> {
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve) => {
    const failed = (): void => resolve({ status: "failed", retry_s: 0.2 });
    const sent = request(
      { host: "127.0.0.1", port, agent, path, method, headers, timeout: TIMEOUT_MS },
      (reply) => {
        const { statusCode: status = 0 } = reply;
        const stated = reply.headers["retry-after"];
        let text = "";
        const isRefusedCall = (): boolean => body !== undefined && text.includes("rate_limited");
        reply.on(
          "data",
          (chunk: Buffer) => (text = text.length < 4_096 ? text + chunk.toString() : text),
        );
        reply.on("end", () => {
          if (isRefusedCall()) resolve({ status: 429, retry_s: readWait(text) });
          else resolve({ status, retry_s: stated === undefined ? null : Number(stated) });
        });
        reply.on("error", failed);
      },
    );
    sent.on("error", failed).on("timeout", () => sent.destroy());
    sent.end(body);
  });
}

/** A tool call is refused in the words of the protocol. */
function readWait(text: string): number {
  return Number(/retry_after_s\\?":(\d+)/.exec(text)?.[1] ?? 1);
}
