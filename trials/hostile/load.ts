/** Questions about healthy places at an even pace, whether earlier ones have been answered or not. */
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";

export type Reply = { status: number; text: string; elapsed_ms: number };

/** status 0: there was no answer. */
export function get(url: string, agent: Agent, timeout_ms = 20_000): Promise<Reply> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, text: string): void =>
      resolve({ status, text, elapsed_ms: performance.now() - begun });
    const sent = request(url, { agent, timeout: timeout_ms }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", (error) => done(0, error.message));
      response.once("end", () => done(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
    });
    sent.once("timeout", () => sent.destroy(new Error("no answer in time")));
    sent.once("error", (error) => done(0, error.message));
    sent.end();
  });
}

export type Taken = {
  count: number;
  failed: string[];
  p50_ms: number;
  p999_ms: number;
  max_ms: number;
};
export type Load = {
  /** What came of the questions asked since the last call that have been answered. */
  take(): Taken;
  stop(): Promise<void>;
};

/** `isRight`: whether the answer is what a healthy place must say. */
export function startLoad(
  urls: readonly string[],
  { rate, isRight }: { rate: number; isRight: (reply: Reply) => boolean },
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const begun = performance.now();
  const flying = new Set<Promise<void>>();
  let request_count = 0;
  let times: number[] = [];
  let failed: string[] = [];
  const ask = async (url: string): Promise<void> => {
    const reply = await get(url, agent);
    times.push(reply.elapsed_ms);
    if (!isRight(reply)) failed.push(`${reply.status} ${reply.text.slice(0, 200)}`);
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate);
    for (; request_count < due; request_count++) {
      const pending = ask(urls[request_count % urls.length]!).finally(() => flying.delete(pending));
      flying.add(pending);
    }
  }, 1000 / rate);
  return {
    take() {
      const sorted = Float64Array.from(times).sort();
      const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      const taken = {
        count: sorted.length,
        failed,
        p50_ms: at(0.5),
        p999_ms: at(0.999),
        max_ms: at(1),
      };
      times = [];
      failed = [];
      return taken;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(flying);
      agent.destroy();
    },
  };
}
